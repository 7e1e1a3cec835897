import { CharClass, characterKinds } from "../banking/iban/bban.ts";
import { type IbanCountry, ibanCountryOf } from "../banking/iban/registry.ts";
import { isDigit, isUpperLetter } from "../banking/mod97.ts";
import { classAt } from "./iban-form.ts";

/** Letters and the digits that look like them. */
const pairs = ["O0", "I1", "S5", "B8", "Z2", "G6"];

/** By ASCII code: the character that looks like it; 0 where there is none. */
export const lookalikeOf = new Uint8Array(256);

for (const pair of pairs) {
  const [letter, digit] = [pair.charCodeAt(0), pair.charCodeAt(1)];
  lookalikeOf[letter] = digit;
  lookalikeOf[digit] = letter;
}

/** The letters that look like digits. */
export const lookalikeLetters: readonly number[] = pairs.map((pair) => pair.charCodeAt(0));

/**
 * Replaces every look-alike that stands where its sort cannot stand: letters among digits, digits among letters.
 *
 * The country is that of the first two characters once they are letters, and the text must have its length. Returns
 * undefined for any other text.
 */
export function withMisplacedReplaced(given: Uint8Array): Uint8Array | undefined {
  const text = given.slice();
  for (const at of [0, 1]) if (isDigit(text[at]!)) text[at] = lookalikeOf[text[at]!]!;
  const country = ibanCountryOf(text[0]!, text[1]!);
  if (country?.ibanLength !== text.length) return undefined;
  for (let at = 2; at < text.length; at++) {
    if ((characterKinds[text[at]!]! & classAt(country, at)) === 0) text[at] = lookalikeOf[text[at]!]!;
  }
  return text;
}

/**
 * Replaces every letter of `replaced` by the digit that it looks like, wherever it stands and a digit may stand.
 *
 * The given text must have the country's length.
 */
export function withLettersReplaced(
  given: Uint8Array,
  country: IbanCountry,
  replaced: readonly number[],
): Uint8Array {
  return given.map((code, at) => {
    const mayBeDigit = at >= 2 && (classAt(country, at) & CharClass.n) !== 0;
    return mayBeDigit && isUpperLetter(code) && replaced.includes(code) ? lookalikeOf[code]! : code;
  });
}
