import { type IbanCountry, ibanCountryOf } from "../banking/iban/registry.ts";
import { bbanStart, CharClass, classAt, isOfClass } from "../banking/iban/structure.ts";
import { isUpperLetter } from "../banking/mod97.ts";
import { maxUnreadable } from "../contract/limits.ts";
import { beginsAsIban, bytesOf, charactersOf, isoPower, isoValue } from "./characters.ts";
import { type Correction, type Corrections, noCorrections } from "./correct.ts";
import type { BankFilters } from "./filters.ts";

/** Stands for one unreadable character. */
export const unreadableMark = "?";
const unreadable = unreadableMark.charCodeAt(0);

/**
 * Finds every IBAN that a text with one to four unreadable characters (`?`) can stand for and that passes every check.
 *
 * `given` is upper case without spaces. Where its country cannot be read, its length is wrong or a readable character does
 * not fit, there are none. At most `max` are listed, those with fewer letters where digits may be first, then
 * alphabetically. Takes up to 5 ms where four blanks are unreadable that hold letters or digits, mostly below 0.1 ms.
 *
 * @throws {RangeError} for none, or more than `maxUnreadable`.
 */
export function fillIn(given: string, filters: BankFilters, max: number): Corrections {
  const text = bytesOf(given);
  const marked = [...text.keys()].filter((at) => text[at] === unreadable);
  if (marked.length < 1 || marked.length > maxUnreadable) {
    throw new RangeError(`${marked.length} unreadable characters, not 1 to ${maxUnreadable}`);
  }
  const country = ibanCountryOf(text[0]!, text[1]!);
  if (country === undefined || !isReadablePartRight(text, country)) return noCorrections;
  const iban = text.slice();
  let [iso, national] = [0, 0];
  const [known, unknown]: [number[], number[]] = [[], []];
  fillBlanks(iban, country, () => {
    if (!beginsAsIban(iban)) return;
    iso++;
    if (!filters.nationalDigitsFit(country, iban)) return;
    national++;
    const bank = filters.findBank(country, iban);
    if (bank !== undefined) (bank < 0 ? unknown : known).push(rankOf(iban, country, marked));
  });
  const ranks = Float64Array.from(known.length > 0 ? known : unknown).sort();
  const found = Array.from(ranks.subarray(0, max), (rank): Correction => {
    putRanked(iban, marked, rank);
    const bank = filters.findBank(country, iban) ?? -1;
    return { iban: String.fromCharCode(...iban), kind: "unreadable", positions: marked, bank };
  });
  return { counts: { iso, national, all: ranks.length }, found };
}

/** Whether length and structure are right except for the unreadable characters. */
function isReadablePartRight(text: Uint8Array, country: IbanCountry): boolean {
  if (text.length !== country.ibanLength) return false;
  return text.every((code, at) => code === unreadable || isOfClass(code, classAt(country, at)));
}

/** A blank to fill in, with what the readable characters that follow it do to a remainder. */
interface Blank {
  readonly at: number;
  readonly characters: readonly number[];
  power: number;
  value: number;
}

/**
 * Calls `found` for every way of filling the blanks that makes the ISO check digits right; `iban` then holds it.
 *
 * Goes through all characters of every blank but the last, for which the remainder says which ones fit.
 */
function fillBlanks(iban: Uint8Array, country: IbanCountry, found: () => void): void {
  const { blanks, remainder } = blanksInCheckOrder(iban, country);
  const last = blanks.pop()!;
  const fitting = Array.from({ length: 97 }, (_, before) =>
    last.characters.filter((code) => remainderAfter(before, code, last) === 1),
  );
  const fill = (depth: number, before: number): void => {
    const blank = blanks[depth];
    if (blank === undefined) {
      for (const code of fitting[before]!) {
        iban[last.at] = code;
        found();
      }
      return;
    }
    for (const code of blank.characters) {
      iban[blank.at] = code;
      fill(depth + 1, remainderAfter(before, code, blank));
    }
  };
  fill(0, remainder);
}

/**
 * Lists the blanks in the order in which ISO 13616-1 reads an IBAN, the first four characters last, with the remainder
 * of what precedes the first of them.
 */
function blanksInCheckOrder(
  iban: Uint8Array,
  country: IbanCountry,
): { readonly blanks: Blank[]; readonly remainder: number } {
  const blanks: Blank[] = [];
  const start = { power: 1, value: 0 };
  let segment: { power: number; value: number } = start;
  for (let index = 0; index < iban.length; index++) {
    const at = (index + bbanStart) % iban.length;
    const code = iban[at]!;
    if (code === unreadable) {
      const blank = { at, characters: charactersOf[classAt(country, at)]!, power: 1, value: 0 };
      blanks.push(blank);
      segment = blank;
    } else {
      segment.power = (segment.power * isoPower[code]!) % 97;
      segment.value = (segment.value * isoPower[code]! + isoValue[code]!) % 97;
    }
  }
  return { blanks, remainder: start.value };
}

function remainderAfter(before: number, code: number, blank: Blank): number {
  return (((before * isoPower[code]! + isoValue[code]!) % 97) * blank.power + blank.value) % 97;
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
