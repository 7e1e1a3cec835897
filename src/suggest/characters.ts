import { characterKinds } from "../banking/iban/structure.ts";
import { asciiBytes, DIGIT_0, DIGIT_9, LETTER_A, LETTER_Z } from "../banking/mod97.ts";

export const digits: readonly number[] = range(DIGIT_0, DIGIT_9);
export const letters: readonly number[] = range(LETTER_A, LETTER_Z);

/** Value of a character in ISO 7064: digits 0 to 9, letters 10 to 35, any other byte 0. */
export const isoValue = new Uint8Array(256);

/** Factor for a number to which a character is appended: 10 for a digit, 100 for a letter. */
export const isoPower = new Uint8Array(256).fill(10);

for (const digit of digits) isoValue[digit] = digit - DIGIT_0;

for (const letter of letters) {
  isoValue[letter] = letter - LETTER_A + 10;
  isoPower[letter] = 100;
}

/** By `CharClass`: the characters that may be in a place of this class, digits first. */
export const charactersOf: readonly (readonly number[])[] = [[], digits, letters, [...digits, ...letters]];

/** The other characters of a character's sort: digits of a digit, letters of a letter; none for any other byte. */
export const othersOf: readonly (readonly number[])[] = Array.from({ length: 256 }, (_, byte) =>
  charactersOf[characterKinds[byte]!]!.filter((other) => other !== byte),
);

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const pairs = ["O0", "I1", "S5", "B8", "Z2", "G6"];

/** By ASCII code: the character that looks like it; 0 if there is none. */
export const lookalikeOf = new Uint8Array(256);

for (const pair of pairs) {
  const [letter, digit] = [pair.charCodeAt(0), pair.charCodeAt(1)];
  lookalikeOf[letter] = digit;
  lookalikeOf[digit] = letter;
}

export const lookalikeLetters: readonly number[] = pairs.map((pair) => pair.charCodeAt(0));

/** Returns a text as the engine takes it: one byte per character, 255 for one beyond ASCII. */
export function bytesOf(text: string): Uint8Array {
  return asciiBytes(text.replace(/[^ -~]/gu, "\xff"));
}
