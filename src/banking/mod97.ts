import { asciiBytes, DIGIT_0, DIGIT_9, LETTER_A } from "./ascii.ts";

/** What ISO 7064 adds to the alphabet position of a letter: A counts 10, Z counts 35. */
const LETTER_OFFSET = LETTER_A - 10;

/**
 * Returns the remainder modulo 97 of a run of characters read as one decimal number, letters counting 10 to 35.
 *
 * `bytes` holds ASCII digits and upper-case letters from `start` on, `length` of them; none leave 0.
 * Source: ISO 7064, MOD 97-10, with the letter values of ISO 13616-1.
 */
export function remainder97(bytes: Uint8Array, start: number, length: number): number {
  let remainder = 0;
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
 */
export function ibanCheckDigits(countryCode: string, bban: string): string {
  const bytes = asciiBytes(`${bban}${countryCode}00`);
  return String(98 - remainder97(bytes, 0, bytes.length)).padStart(2, "0");
}
