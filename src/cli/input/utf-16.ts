import type { PaymentReport } from "../../rows/payment-xml.ts";
import { InputError } from "../../rows/rows.ts";
import { arrayElements } from "./array-elements.ts";
import { decompressed, peek } from "./decoding.ts";
import { compoundMagic, type Source, xml, zipMagic } from "./open-input.ts";

export async function textOf(
  source: Source,
  path: string,
  sheet: string | undefined,
  payments: PaymentReport,
  onNote: (note: string) => void,
): Promise<AsyncIterable<Buffer>> {
  const { head, all } = await peek(await decompressed(source.bytes), 4);
  if (head.subarray(0, 4).equals(compoundMagic)) {
    throw new InputError(
      "The file is in the old Excel format or has a password; save it as XLSX without one, or as CSV.",
    );
  }
  if (head.subarray(0, 4).equals(zipMagic)) {
    const { heldArchive, openWorkbook } = await import("./xlsx.ts");
    return openWorkbook(source.isFile ? path : await heldArchive(all), sheet);
  }
  if (sheet !== undefined) throw new InputError("--sheet is for XLSX files; this file is not one.");
  const text = await peek(utf16AsUtf8(all, onNote), 1_024);
  if (!xml.test(text.head.toString("latin1"))) return arrayElements(text.all);
  const { paymentAccounts } = await import("./payment-csv.ts");
  return paymentAccounts(text.all, payments);
}

/** Turns UTF-16 into UTF-8, by its byte order mark or by where its zeros are; anything else stays as it is. */
async function* utf16AsUtf8(
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

export const byteOf = (character: string) => character.charCodeAt(0);
