import { type IbanCountry, ibanCountries, ibanCountryOf } from "../banking/iban/registry.ts";
import { bbanStart, CharClass, classAt, isOfClass } from "../banking/iban/structure.ts";
import { DIGIT_0, ibanCheckDigits, isDigit, isUpperLetter, LETTER_A } from "../banking/mod97.ts";
import type { slipKinds } from "../contract/schema/suggestion-schemas.ts";
import { Alignment } from "./alignment.ts";
import {
  bytesOf,
  charactersOf,
  countryOfRightIban,
  digits,
  letters,
  lookalikeLetters,
  lookalikeOf,
  othersOf,
  withLettersReplaced,
  withMisplacedReplaced,
} from "./characters.ts";

/** A slip that a correction undoes. */
export type SlipKind = (typeof slipKinds)[number];

/**
 * How often people make a slip, and in how many ways they can make it in a text of `length` characters.
 *
 * Source of the weights: J. Verhoeff, Error Detecting Decimal Codes (1969), scaled to leave room for wrong lengths
 * and look-alike letters, which Verhoeff did not count.
 */
const frequencies = {
  substitution: { weight: 0.66, ways: (length) => 9 * length },
  lookalike: { weight: 0.03, ways: (length) => 0.6 * length },
  /** Several look-alikes that one habit or one typeface explains. */
  lookalikes: { weight: 0.03, ways: () => 4 },
  /** Less than its share: weighted by these frequencies, more corrections come first than with 0.02. */
  doubled: { weight: 0.017, ways: (length) => length / 5 },
  transposition: { weight: 0.085, ways: (length) => length - 1 },
  jump: { weight: 0.0068, ways: (length) => length - 2 },
  twin: { weight: 0.0046, ways: (length) => 0.9 * length },
  phonetic: { weight: 0.0041, ways: () => 2 },
  extra: { weight: 0.07, ways: (length) => length },
  missing: { weight: 0.1, ways: (length) => 10 * length },
} as const satisfies Record<
  SlipKind | "lookalikes",
  { readonly weight: number; readonly ways: (length: number) => number }
>;

/** How likely each slip is at one given place of a text, by which corrections are ranked. */
type SlipScores = Readonly<Record<keyof typeof frequencies, number>>;

/** How many times likelier a lost or doubled character is beside its own kind. */
const repetitionFactor = 4;

/** Returns the likelihood of each slip at one place of a text of `length` characters. */
export function slipScores(length: number): SlipScores {
  return Object.fromEntries(
    Object.entries(frequencies).map(([kind, { weight, ways }]) => [kind, weight / ways(length)]),
  ) as SlipScores;
}

/** An IBAN with right length, structure and ISO check digits that one slip would have made the given text of. */
export interface Candidate {
  /** ASCII, upper case, without spaces. */
  readonly iban: Uint8Array;
  readonly country: IbanCountry;
  readonly kind: SlipKind;
  /** Zero-based places of the slip: in the candidate for `missing`, in the given text for every other kind. */
  readonly positions: readonly number[];
  /** How likely the slip is; comparable within one given text only. */
  readonly score: number;
}

const LETTER_D = LETTER_A + 3;

/** No text longer than this is one slip away from an IBAN. */
const maxLength = 35;

/** Nor is one shorter than this. */
const minLength = 14;

/**
 * Lists the right IBANs that are one slip away from a text, each once with its likeliest slip.
 *
 * `text` is upper case without spaces, one byte per character, and any character may be in it. The given text
 * itself is never among them. Tries some 260 to 620 edits.
 */
export function candidatesOf(text: Uint8Array): readonly Candidate[] {
  if (text.length < minLength || text.length > maxLength) return [];
  const search = new SlipSearch(text);
  for (let at = 0; at <= text.length; at++) search.editAt(at);
  search.replaceLookalikes();
  search.addBeginning();
  search.addLastGroup();
  return search.found;
}

class SlipSearch {
  readonly found: Candidate[] = [];
  readonly #text: Uint8Array;
  readonly #scores: SlipScores;
  readonly #alignment: Alignment | undefined;
  /** By how many characters the text exceeds its country's length; NaN if its country is unknown. */
  readonly #excess: number;
  readonly #replacement = new Uint8Array(3);
  readonly #scratch = new Uint8Array(maxLength + 1);

  constructor(text: Uint8Array) {
    this.#text = text;
    this.#scores = slipScores(text.length);
    const country = ibanCountryOf(text[0]!, text[1]!);
    this.#alignment = country === undefined ? undefined : new Alignment(text, country);
    this.#excess = country === undefined ? Number.NaN : text.length - country.ibanLength;
  }

  /** Undoes every slip that begins at an index. */
  editAt(at: number): void {
    // A slip in the country code may lead to a country of any length; one after it leaves the country as it is.
    const anyLength = at < 2;
    if (anyLength || this.#excess === -1) this.#insertAt(at);
    if (at === this.#text.length) return;
    if (anyLength || this.#excess === 1) this.#leaveOut(at);
    if (!anyLength && this.#excess !== 0) return;
    this.#substituteAt(at);
    this.#swapAt(at);
    this.#repairPairAt(at);
  }

  #substituteAt(at: number): void {
    const text = this.#text;
    const code = text[at]!;
    const scores = this.#scores;
    const substitution = scores.substitution * shareOf(code);
    const lookalike = lookalikeOf[code]!;
    const place = at < 2 ? 0 : classAt(this.#alignment!.country, at);
    // What cannot be there may have been anything that can: an X, an accent or a stain among digits.
    const isMisplaced = place !== 0 && !isOfClass(code, place);
    for (const other of isMisplaced ? charactersOf[place]! : othersOf[code]!) {
      if (other !== lookalike) this.#replace("substitution", substitution, at, at + 1, other);
    }
    if (lookalike !== 0) this.#replace("lookalike", scores.lookalike, at, at + 1, lookalike);
    // A zero is a D as well as an O where only letters can be.
    if (at < 2 && code === DIGIT_0) this.#replace("lookalike", scores.lookalike, at, at + 1, LETTER_D);
    const [before, after] = [text[at - 1], text[at + 1]];
    if (before === undefined || after === undefined || before === after) return;
    if (before === code && isSameSort(code, after))
      this.#replace("doubled", scores.doubled, at, at + 1, after);
    if (after === code && isSameSort(code, before))
      this.#replace("doubled", scores.doubled, at, at + 1, before);
  }

  #swapAt(at: number): void {
    const [first, second, third] = [this.#text[at]!, this.#text[at + 1], this.#text[at + 2]];
    if (second !== undefined && first !== second) {
      this.#replace("transposition", this.#scores.transposition, at, at + 2, second, first);
    }
    if (second !== undefined && third !== undefined && first !== third) {
      this.#replace("jump", this.#scores.jump, at, at + 3, third, second, first);
    }
  }

  /** Undoes what happens to two characters at once: twins, and thirteen heard as thirty. */
  #repairPairAt(at: number): void {
    const [first, second] = [this.#text[at]!, this.#text[at + 1]];
    if (second === undefined) return;
    const { twin, phonetic } = this.#scores;
    if (first === second) {
      for (const other of othersOf[first]!)
        this.#replace("twin", twin * shareOf(first), at, at + 2, other, other);
    }
    if (!isDigit(first) || !isDigit(second)) return;
    const one = DIGIT_0 + 1;
    if (first === one && second > one) this.#replace("phonetic", phonetic, at, at + 2, second, DIGIT_0);
    if (first > one && second === DIGIT_0) this.#replace("phonetic", phonetic, at, at + 2, one, first);
  }

  #leaveOut(at: number): void {
    const text = this.#text;
    // Of a run of equal characters it makes no difference which one goes.
    if (at > 0 && text[at - 1] === text[at]) return;
    const factor = text[at + 1] === text[at] ? repetitionFactor : 1;
    this.#replace("extra", this.#scores.extra * factor, at, at + 1);
  }

  #insertAt(at: number): void {
    const [before, after] = [this.#text[at - 1], this.#text[at]];
    const insert = (code: number): void => {
      if (code === before) return;
      const factor = code === after ? repetitionFactor : 1;
      this.#replace("missing", this.#scores.missing * shareOf(code) * factor, at, at, code);
    };
    if (at >= 2) for (const digit of digits) insert(digit);
    if (at < 2 || this.#mayInsertLetter(at)) for (const letter of letters) insert(letter);
  }

  /** Letters come in groups: where digits may be too, one is only missed beside another letter. */
  #mayInsertLetter(at: number): boolean {
    if (at < bbanStart) return false;
    const isLetterPlace = this.#alignment!.country.classes[at - bbanStart] === CharClass.a;
    return isLetterPlace || isUpperLetter(this.#text[at - 1]!) || isUpperLetter(this.#text[at] ?? 0);
  }

  /** Undoes look-alikes that come in numbers. */
  replaceLookalikes(): void {
    const text = this.#text;
    const score = this.#scores.lookalikes;
    const add = (changed: Uint8Array | undefined) => {
      if (changed === undefined) return;
      const positions = [...changed.keys()].filter((at) => changed[at] !== text[at]);
      if (positions.length > 0) this.#addIfRight(changed, "lookalike", score, positions);
    };
    add(withMisplacedReplaced(text));
    if (this.#excess !== 0) return;
    const country = this.#alignment!.country;
    const present = lookalikeLetters.filter((letter) => text.includes(letter));
    if (present.length > 1) add(withLettersReplaced(text, country, present));
    for (const letter of present) add(withLettersReplaced(text, country, [letter]));
  }

  /** Adds the country code where a text begins with the check digits, and check digits where they are left at 00. */
  addBeginning(): void {
    const text = this.#text;
    const { missing, substitution } = this.#scores;
    const [first, second, third, fourth] = text;
    if (isDigit(first!) && isDigit(second!)) {
      for (const { code, ibanLength } of ibanCountries) {
        if (ibanLength !== text.length + 2) continue;
        this.#addIfRight(Uint8Array.from([...bytesOf(code), ...text]), "missing", missing, [0, 1]);
      }
    }
    if (this.#excess !== 0 || third !== DIGIT_0 || fourth !== DIGIT_0) return;
    const [country, bban] = [text.subarray(0, 2), text.subarray(bbanStart)].map((part) =>
      String.fromCharCode(...part),
    );
    const checkDigits = ibanCheckDigits(country!, bban!);
    this.#addIfRight(bytesOf(country + checkDigits + bban), "substitution", substitution, [2, 3]);
  }

  /** Adds a last group of two digits, which is lost where a line is too short; of longer groups too many are possible. */
  addLastGroup(): void {
    const { length } = this.#text;
    if (this.#excess !== -2 || length % 4 !== 0) return;
    const score = this.#scores.missing / digits.length;
    for (const first of digits) {
      for (const second of digits)
        this.#addIfRight(Uint8Array.from([...this.#text, first, second]), "missing", score, [
          length,
          length + 1,
        ]);
    }
  }

  /** Tries the text with its characters from `from` up to `to` replaced by one to three others, or by none. */
  #replace(kind: SlipKind, score: number, from: number, to: number, first = 0, second = 0, third = 0): void {
    const text = this.#text;
    const replacement = this.#replacement;
    replacement[0] = first;
    replacement[1] = second;
    replacement[2] = third;
    const count = first === 0 ? 0 : second === 0 ? 1 : third === 0 ? 2 : 3;
    if (from >= bbanStart) {
      if (!this.#alignment!.admits(from, to, replacement, count)) return;
    } else if (from < 2 && !this.#leadsToCountry(from, to, count)) return;
    const candidate = this.#scratch.subarray(0, text.length - (to - from) + count);
    for (let at = 0; at < candidate.length; at++) candidate[at] = this.#replaced(at, from, to, count);
    const positions = [from];
    for (let at = from + 1; at < to; at++) if (candidate[at] !== text[at]) positions.push(at);
    this.#addIfRight(candidate, kind, score, positions);
  }

  /** Returns the character at an index of the text with the replacement put in. */
  #replaced(at: number, from: number, to: number, count: number): number {
    if (at < from) return this.#text[at]!;
    return at < from + count ? this.#replacement[at - from]! : this.#text[at - from - count + to]!;
  }

  /** Whether the replacement at the beginning results in a registered country that has IBANs of that length. */
  #leadsToCountry(from: number, to: number, count: number): boolean {
    const country = ibanCountryOf(this.#replaced(0, from, to, count), this.#replaced(1, from, to, count));
    return country?.ibanLength === this.#text.length - (to - from) + count;
  }

  #addIfRight(iban: Uint8Array, kind: SlipKind, score: number, positions: readonly number[]): void {
    const country = countryOfRightIban(iban);
    if (country === undefined) return;
    const known = this.found.findIndex((other) => Buffer.compare(other.iban, iban) === 0);
    const candidate = { iban: iban.slice(), country, kind, positions, score };
    if (known < 0) this.found.push(candidate);
    else if (score > this.found[known]!.score) this.found[known] = candidate;
  }
}

/** The frequencies are counted with digits; a letter has more others that it may have been. */
function shareOf(code: number): number {
  return isUpperLetter(code) ? digits.length / letters.length : 1;
}

function isSameSort(one: number, other: number): boolean {
  return isDigit(one) ? isDigit(other) : isUpperLetter(one) && isUpperLetter(other);
}
