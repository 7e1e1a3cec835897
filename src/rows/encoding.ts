import { isUtf8 } from "node:buffer";

/** How the bytes of a file stand for characters; Latin-1 as everywhere includes what Windows-1252 adds to it. */
export type Encoding = "utf-8" | "latin-1";

/** UTF-8's byte order mark, as characters that stand for bytes. */
export const byteOrderMark = "\u00ef\u00bb\u00bf";

const beyondAscii = /[\u0080-\u00ff]/;

/** Windows-1252 characters at 0x80 to 0x9f; Latin-1 and Node 20's TextDecoder have control characters there. */
const windowsCharacters = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Returns the characters of text whose characters stand for bytes.
 *
 * Without an encoding, or with UTF-8, text that is not UTF-8 is read as Latin-1: files that others have added to often
 * hold both.
 */
export function decoded(bytes: string, encoding: Encoding | undefined): string {
  if (!beyondAscii.test(bytes)) return bytes;
  if (encoding !== "latin-1") {
    const buffer = Buffer.from(bytes, "latin1");
    if (isUtf8(buffer)) return buffer.toString("utf8");
  }
  return bytes.replace(/[\u0080-\u009f]/g, (character) => windowsCharacters[character.charCodeAt(0) - 0x80]!);
}

/** Returns text whose characters stand for the bytes of the text given, in UTF-8. */
export function encoded(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the range of ASCII
  return /^[\u0000-\u007f]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}
