import { isUtf8 } from "node:buffer";

/** How the bytes of a file stand for characters; Latin-1 as everywhere includes what Windows-1252 adds to it. */
export type Encoding = "utf-8" | "latin-1";

const beyondAscii = /[\u0080-\u00ff]/;

/** What Windows-1252 has at 0x80 to 0x9f, where Latin-1 has control characters. Node 20's TextDecoder has them too. */
const windowsCharacters = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Gives the encoding of text whose characters stand for bytes; undefined where it is all ASCII.
 *
 * @param isCut whether the text may end within a character.
 */
export function encodingOf(bytes: string, isCut = false): Encoding | undefined {
  if (!beyondAscii.test(bytes)) return undefined;
  const whole = isCut ? bytes.replace(/[\u00c2-\u00f4][\u0080-\u00bf]{0,2}$/, "") : bytes;
  return isUtf8(Buffer.from(whole, "latin1")) ? "utf-8" : "latin-1";
}

/** Gives the characters of text whose characters stand for bytes. */
export function decoded(bytes: string, encoding: Encoding | undefined): string {
  if (!beyondAscii.test(bytes)) return bytes;
  if (encoding !== "latin-1") return Buffer.from(bytes, "latin1").toString("utf8");
  return bytes.replace(/[\u0080-\u009f]/g, (character) => windowsCharacters[character.charCodeAt(0) - 0x80]!);
}

/** Gives text whose characters stand for the bytes of the text given, in UTF-8. */
export function encoded(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the range of ASCII
  return /^[\u0000-\u007f]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}
