import { peek } from "./decoding.ts";

/** Turns UTF-16 into UTF-8, by its byte order mark or by where its zeros are; anything else stays as it is. */
export async function* utf16AsUtf8(
  bytes: AsyncIterable<Buffer>,
  onNote: (note: string) => void,
): AsyncGenerator<Buffer, void, void> {
  const { head, all } = await peek(bytes, 4);
  const encoding = utf16Of(head);
  if (encoding === undefined) {
    yield* all;
    return;
  }
  const decoder = new TextDecoder(encoding);
  let length = 0;
  for await (const piece of all) {
    length += piece.length;
    yield Buffer.from(decoder.decode(piece, { stream: true }), "utf8");
  }
  if (length % 2 === 0) yield Buffer.from(decoder.decode(), "utf8");
  else onNote("The file ends with half a character of UTF-16, which is left out; the file may be cut off.");
}

function utf16Of(head: Buffer): "utf-16le" | "utf-16be" | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = head;
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0 && c !== 0 && d === 0)) return "utf-16le";
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0 && c === 0 && d !== 0)) return "utf-16be";
  return undefined;
}
