/** ASCII codes; the value of a digit is its byte − DIGIT_0. */
export const DIGIT_0 = 48;
export const DIGIT_9 = 57;
export const LETTER_A = 65;
export const LETTER_Z = 90;

/**
 * Whether an ASCII byte is a decimal digit.
 *
 * @example isDigit(0x37) // → true
 */
export function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

/**
 * Whether an ASCII byte is an upper-case letter.
 *
 * @example isUpperLetter(0x41) // → true
 */
export function isUpperLetter(byte: number): boolean {
  return byte >= LETTER_A && byte <= LETTER_Z;
}

/**
 * Returns the characters of an ASCII text as bytes; of any other character only the lowest eight bits.
 *
 * @example [...asciiBytes("A1")] // → [65, 49]
 */
export function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Difference between the character code of a letter and its ISO 7064 value: A is 10, Z is 35. */
const LETTER_OFFSET = LETTER_A - 10;

/**
 * Returns the remainder modulo 97 of a run of characters read as one decimal number, letters counting 10 to 35.
 *
 * `bytes` holds ASCII digits and upper-case letters from `start` on, `length` of them; none leave 0. The
 * number may continue one whose remainder is `before`.
 * Source: ISO 7064, MOD 97-10, with the letter values of ISO 13616-1.
 *
 * @example remainder97(asciiBytes("370400440532013000DE89"), 0, 22) // → 1
 */
export function remainder97(bytes: Uint8Array, start: number, length: number, before = 0): number {
  let remainder = before;
  for (let at = start; at < start + length; at++) {
    const byte = bytes[at]!;
    const appended =
      byte <= DIGIT_9 ? remainder * 10 + byte - DIGIT_0 : remainder * 100 + byte - LETTER_OFFSET;
    remainder = appended % 97;
  }
  return remainder;
}

/**
 * Returns the check digits, "02" to "98", of the IBAN of a country code and a BBAN.
 *
 * Both hold digits and upper-case letters. Source: ISO 13616-1 and ISO 7064 MOD 97-10.
 *
 * @example ibanCheckDigits("DE", "370400440532013000") // → "89"
 */
export function ibanCheckDigits(countryCode: string, bban: string): string {
  const bytes = asciiBytes(`${bban}${countryCode}00`);
  return String(98 - remainder97(bytes, 0, bytes.length)).padStart(2, "0");
}
