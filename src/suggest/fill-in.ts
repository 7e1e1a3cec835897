import { type IbanCountry, ibanCountryOf } from "../banking/iban/registry.ts";
import { bbanStart, CharClass, classAt, isOfClass } from "../banking/iban/structure.ts";
import { isUpperLetter } from "../banking/mod97.ts";
import { maxUnreadable } from "../contract/limits.ts";
import { bytesOf, charactersOf, isoPower, isoValue } from "./characters.ts";
import { type Correction, type Corrections, noCorrections } from "./correct.ts";
import { type BankFilters, findBank, nationalDigitsFit } from "./filters.ts";

export const unreadableMark = "?";
const unreadable = unreadableMark.charCodeAt(0);

/**
 * Finds every IBAN that a text with one to four unreadable characters (`?`) can stand for and that passes every check.
 *
 * `given` is upper case without spaces. Where its country cannot be read, its length is wrong or a readable character does
 * not fit, there are none. At most `max` are listed, those with fewer letters where digits may be first, then
 * alphabetically. Takes up to 5 ms where four blanks are unreadable that hold letters or digits, mostly below 0.1 ms.
 */
export function fillIn(given: string, filters: BankFilters, max: number): Corrections {
  const text = bytesOf(given);
  const marked = [...text.keys()].filter((at) => text[at] === unreadable);
  const country = ibanCountryOf(text[0] ?? 0, text[1] ?? 0);
  if (country?.ibanLength !== text.length) return noCorrections;
  const mayBe = (code: number, at: number) => code === unreadable || isOfClass(code, classAt(country, at));
  if (marked.length < 1 || marked.length > maxUnreadable || !text.every(mayBe)) return noCorrections;
  const iban = text.slice();
  let [iso, national] = [0, 0];
  const [known, unknown]: [number[], number[]] = [[], []];
  fillBlanks(iban, country, () => {
    // ISO 13616-1 has the check digits 02 to 98 only.
    const checkDigits = isoValue[iban[2]!]! * 10 + isoValue[iban[3]!]!;
    if (checkDigits < 2 || checkDigits > 98) return;
    iso++;
    if (!nationalDigitsFit(country, iban)) return;
    national++;
    const bank = findBank(filters, country, iban);
    if (bank !== undefined) (bank < 0 ? unknown : known).push(rankOf(iban, country, marked));
  });
  const ranks = Float64Array.from(known.length > 0 ? known : unknown).sort();
  const found = Array.from(ranks.subarray(0, max), (rank): Correction => {
    putRanked(iban, marked, rank);
    const bank = findBank(filters, country, iban) ?? -1;
    return { iban: String.fromCharCode(...iban), kind: "unreadable", positions: marked, bank };
  });
  return { counts: { iso, national, all: ranks.length }, found };
}

/** Returns the remainder modulo 97 of a number to which a character is appended. */
function appended(remainder: number, code: number): number {
  return (remainder * isoPower[code]! + isoValue[code]!) % 97;
}

/**
 * Calls `found` for every way of filling the blanks that makes the ISO check digits right; `iban` then holds it.
 *
 * Goes through all characters of every blank but the last, for which the remainder says which ones fit.
 */
function fillBlanks(iban: Uint8Array, country: IbanCountry, found: () => void): void {
  // ISO 13616-1 reads the first four characters last.
  const places = Array.from(iban.keys(), (index) => (index + bbanStart) % iban.length);
  const marked = [...places.keys()].filter((index) => iban[places[index]!] === unreadable);
  const remainderOf = (some: readonly number[], start: number) =>
    some.reduce((remainder, at) => appended(remainder, iban[at]!), start);
  const blanks = marked.map((index, number) => {
    const at = places[index]!;
    // What the readable characters that follow do to a remainder.
    const following = places.slice(index + 1, marked[number + 1]);
    const value = remainderOf(following, 0);
    const factor = 97 + remainderOf(following, 1) - value;
    const remainderAfter = (before: number, code: number) => (value + appended(before, code) * factor) % 97;
    return { at, characters: charactersOf[classAt(country, at)]!, remainderAfter };
  });
  const last = blanks.at(-1)!;
  const fitting = Array.from({ length: 97 }, (_, before) =>
    last.characters.filter((code) => last.remainderAfter(before, code) === 1),
  );
  const fill = (depth: number, before: number): void => {
    const { at, characters, remainderAfter } = blanks[depth]!;
    const isLast = depth === blanks.length - 1;
    for (const code of isLast ? fitting[before]! : characters) {
      iban[at] = code;
      if (isLast) found();
      else fill(depth + 1, remainderAfter(before, code));
    }
  };
  fill(0, remainderOf(places.slice(0, marked[0]), 0));
}

const characterBase = 128;
const placesBase = characterBase ** maxUnreadable;

/** A number that orders fill-ins: by the letters where digits may be, then as texts. */
function rankOf(iban: Uint8Array, country: IbanCountry, marked: readonly number[]): number {
  let mixedLetters = 0;
  let text = 0;
  for (const at of marked) {
    const code = iban[at]!;
    if (isUpperLetter(code) && classAt(country, at) === CharClass.c) mixedLetters++;
    text = text * characterBase + code;
  }
  return mixedLetters * placesBase + text;
}

/** Puts the characters of a fill-in back into their blanks. */
function putRanked(iban: Uint8Array, marked: readonly number[], rank: number): void {
  let text = rank % placesBase;
  for (let index = marked.length - 1; index >= 0; index--) {
    iban[marked[index]!] = text % characterBase;
    text = Math.floor(text / characterBase);
  }
}
