import { characterKinds } from "../banking/iban/bban.ts";
import { DIGIT_0, DIGIT_9, LETTER_A, LETTER_Z } from "../banking/mod97.ts";

/** The ASCII digits 0 to 9. */
export const digits: readonly number[] = range(DIGIT_0, DIGIT_9);

/** The ASCII letters A to Z. */
export const letters: readonly number[] = range(LETTER_A, LETTER_Z);

/** What a character counts in ISO 7064: digits 0 to 9, letters 10 to 35. Any other byte counts 0. */
export const isoValue = new Uint8Array(256);

/** What a number is multiplied by before a character is appended to it: 10 for a digit, 100 for a letter. */
export const isoPower = new Uint8Array(256).fill(10);

for (const digit of digits) isoValue[digit] = digit - DIGIT_0;
for (const letter of letters) {
  isoValue[letter] = letter - LETTER_A + 10;
  isoPower[letter] = 100;
}

/** By `CharClass`: the characters that may stand in a place of this class, digits first. */
export const charactersOf: readonly (readonly number[])[] = [[], digits, letters, [...digits, ...letters]];

/** The other characters of a character's sort: digits of a digit, letters of a letter; none for any other byte. */
export const othersOf: readonly (readonly number[])[] = Array.from({ length: 256 }, (_, byte) =>
  charactersOf[characterKinds[byte]!]!.filter((other) => other !== byte),
);

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
