import { DIGIT_0, LETTER_Z } from "../ascii.ts";
import type { KeyOf } from "./mod97.ts";

/** The letters that stand for 1, 2, … 9 in a RIB. Source: the French RIB's letter table, one row per digit. */
const letterRows = ["AJ", "BKS", "CLT", "DMU", "ENV", "FOW", "GPX", "HQY", "IRZ"];

const ribDigits = new Uint8Array(LETTER_Z + 1);
for (let digit = 0; digit < 10; digit++) ribDigits[DIGIT_0 + digit] = digit;
for (const [row, letters] of letterRows.entries()) {
  for (const letter of letters) ribDigits[letter.charCodeAt(0)] = row + 1;
}

/**
 * Computes the RIB key of a number in whose account letters stand for one digit each, 01 to 97 (FR, MC).
 *
 * With the key, the number in digits is divisible by 97. `bytes` holds ASCII digits and upper-case letters.
 */
export const ribKeyWithLetters: KeyOf = (bytes, start, length) => {
  let remainder = 0;
  const end = start + length;
  for (let at = start; at < end; at++) {
    remainder = remainder * 10 + ribDigits[bytes[at]!]!;
    if (remainder >= 10_000_000) remainder %= 97;
  }
  return 97 - (((remainder % 97) * 100) % 97);
};
