import { type IbanCountry, ibanCountries, ibanCountryOf } from "../banking/iban/registry.ts";
import { bbanStart, CharClass, classAt, isOfClass } from "../banking/iban/structure.ts";
import { DIGIT_0, ibanCheckDigits, isDigit, isUpperLetter, LETTER_A, remainder97 } from "../banking/mod97.ts";
import { isIban } from "../banking/reader/iban-forms.ts";
import {
  bytesOf,
  charactersOf,
  digits,
  isoPower,
  isoValue,
  letters,
  lookalikeLetters,
  lookalikeOf,
  othersOf,
} from "./characters.ts";
import { repetitionFactor, type SlipKind, slipScores } from "./slips.ts";

/** An IBAN with right length, structure and ISO check digits that one slip would have made the given text of. */
export interface Candidate {
  readonly iban: string;
  /** The same in ASCII. */
  readonly bytes: Uint8Array;
  readonly country: IbanCountry;
  readonly kind: SlipKind;
  /** Zero-based places of the slip: in the candidate for `missing`, in the given text for every other kind. */
  readonly positions: number[];
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
  const { length } = text;
  if (length < minLength || length > maxLength) return [];
  /** By the IBAN. */
  const found = new Map<string, Candidate>();
  const scores = slipScores(length);
  const country = ibanCountryOf(text[0]!, text[1]!);
  /** By how many characters the text exceeds its country's length; NaN if its country is unknown. */
  const excess = length - (country?.ibanLength ?? Number.NaN);
  const remainders = remaindersOf(text);
  const scratch = new Uint8Array(maxLength + 1);

  function substituteAt(at: number): void {
    const code = text[at]!;
    const substitution = scores.substitution * shareOf(code);
    const lookalike = lookalikeOf[code]!;
    const place = at < 2 ? 0 : classAt(country!, at);
    // What cannot be there may have been anything that can: an X, an accent or a stain among digits.
    const isMisplaced = place !== 0 && !isOfClass(code, place);
    for (const other of isMisplaced ? charactersOf[place]! : othersOf[code]!) {
      if (other !== lookalike) replace("substitution", substitution, at, at + 1, other);
    }
    if (lookalike !== 0) replace("lookalike", scores.lookalike, at, at + 1, lookalike);
    // A zero is a D as well as an O where only letters can be.
    if (at < 2 && code === DIGIT_0) replace("lookalike", scores.lookalike, at, at + 1, LETTER_D);
    const [before, after] = [text[at - 1], text[at + 1]];
    if (before === undefined || after === undefined || before === after) return;
    if (isDigit(before) !== isDigit(after)) return;
    if (before === code) replace("doubled", scores.doubled, at, at + 1, after);
    if (after === code) replace("doubled", scores.doubled, at, at + 1, before);
  }

  function swapAt(at: number): void {
    const [first, second, third] = [text[at]!, text[at + 1], text[at + 2]];
    if (second !== undefined && first !== second) {
      replace("transposition", scores.transposition, at, at + 2, second, first);
    }
    if (second !== undefined && third !== undefined && first !== third) {
      replace("jump", scores.jump, at, at + 3, third, second, first);
    }
  }

  /** Undoes what happens to two characters at once: twins, and thirteen heard as thirty. */
  function repairPairAt(at: number): void {
    const [first, second] = [text[at]!, text[at + 1]];
    if (second === undefined) return;
    const { twin, phonetic } = scores;
    if (first === second) {
      for (const other of othersOf[first]!) replace("twin", twin * shareOf(first), at, at + 2, other, other);
    }
    if (!isDigit(first) || !isDigit(second)) return;
    const one = DIGIT_0 + 1;
    if (first === one && second > one) replace("phonetic", phonetic, at, at + 2, second, DIGIT_0);
    if (first > one && second === DIGIT_0) replace("phonetic", phonetic, at, at + 2, one, first);
  }

  function leaveOut(at: number): void {
    // Of a run of equal characters it makes no difference which one goes.
    if (at > 0 && text[at - 1] === text[at]) return;
    const factor = text[at + 1] === text[at] ? repetitionFactor : 1;
    replace("extra", scores.extra * factor, at, at + 1);
  }

  function insertAt(at: number): void {
    const [before, after] = [text[at - 1], text[at]];
    const insert = (code: number): void => {
      if (code === before) return;
      const factor = code === after ? repetitionFactor : 1;
      replace("missing", scores.missing * shareOf(code) * factor, at, at, code);
    };
    if (at >= 2) for (const digit of digits) insert(digit);
    if (at < 2 || mayInsertLetter(at)) for (const letter of letters) insert(letter);
  }

  /** Letters come in groups: where digits may be too, one is only missed beside another letter. */
  function mayInsertLetter(at: number): boolean {
    if (at < bbanStart) return false;
    const isLetterPlace = country!.classes[at - bbanStart] === CharClass.a;
    return isLetterPlace || isUpperLetter(text[at - 1]!) || isUpperLetter(text[at] ?? 0);
  }

  /** Undoes look-alikes that come in numbers: those that are where their sort cannot be, and those of one letter or of all. */
  function replaceLookalikes(): void {
    const replaced = (given: Uint8Array, isReplaced: (code: number, at: number) => boolean) =>
      given.map((code, at) => (isReplaced(code, at) ? lookalikeOf[code]! : code));
    const add = (changed: Uint8Array) => {
      const positions = [...changed.keys()].filter((at) => changed[at] !== text[at]);
      if (positions.length > 0) addIfRight(changed, "lookalike", scores.lookalikes, positions);
    };
    const begun = replaced(text, (code, at) => at < 2 && isDigit(code));
    const meant = ibanCountryOf(begun[0]!, begun[1]!);
    if (meant?.ibanLength === length)
      add(replaced(begun, (code, at) => at >= 2 && !isOfClass(code, classAt(meant, at))));
    if (excess !== 0) return;
    const mayBeDigit = (at: number) => at >= 2 && (classAt(country!, at) & CharClass.n) !== 0;
    const present = lookalikeLetters.filter((letter) => text.includes(letter));
    for (const some of [present, ...present.map((letter) => [letter])])
      add(replaced(text, (code, at) => some.includes(code) && mayBeDigit(at)));
  }

  /**
   * Adds what is left out: the country code before the check digits, check digits that are left at 00, and a last group of
   * two digits, which is lost where a line is too short; of longer groups too many are possible.
   */
  function addMissing(): void {
    const { missing, substitution } = scores;
    const [first, second, third, fourth] = text;
    if (isDigit(first!) && isDigit(second!)) {
      for (const { code } of ibanCountries)
        replace("missing", missing, 0, 0, code.charCodeAt(0), code.charCodeAt(1));
    }
    if (excess === 0 && third === DIGIT_0 && fourth === DIGIT_0) {
      const iban = String.fromCharCode(...text);
      const checkDigits = bytesOf(ibanCheckDigits(iban.slice(0, 2), iban.slice(bbanStart)));
      replace("substitution", substitution, 2, bbanStart, ...checkDigits);
    }
    if (excess !== -2 || length % 4 !== 0) return;
    for (const one of digits) {
      for (const other of digits) replace("missing", missing / digits.length, length, length, one, other);
    }
  }

  /** Tries the text with its characters from `from` up to `to` replaced by others, or by none. */
  function replace(kind: SlipKind, score: number, from: number, to: number, ...by: readonly number[]): void {
    if (from >= bbanStart && !isIsoRight(from, to, by)) return;
    const newLength = length - (to - from) + by.length;
    if (
      from < 2 &&
      ibanCountryOf(codeAfter(text, 0, from, to, by), codeAfter(text, 1, from, to, by))?.ibanLength !==
        newLength
    )
      return;
    const bytes = scratch.subarray(0, newLength);
    for (let at = 0; at < newLength; at++) bytes[at] = codeAfter(text, at, from, to, by);
    const positions = [from];
    for (let at = from + 1; at < Math.max(to, from + by.length); at++)
      if (bytes[at] !== text[at]) positions.push(at);
    addIfRight(bytes, kind, score, positions);
  }

  /** Whether the ISO check digits are right with the replacement, without spelling the result out: of 97 edits one is. */
  function isIsoRight(from: number, to: number, by: readonly number[]): boolean {
    const { before, shift, after } = remainders;
    let remainder = before[from]!;
    for (let at = 0; at < by.length; at++) remainder = remainder * isoPower[by[at]!]! + isoValue[by[at]!]!;
    return ((remainder % 97) * shift[to]! + after[to]!) % 97 === 1;
  }

  function addIfRight(bytes: Uint8Array, kind: SlipKind, score: number, positions: number[]): void {
    // Most fail by this, a tenth of the work of what follows.
    const ofBban = remainder97(bytes, bbanStart, bytes.length - bbanStart);
    if (remainder97(bytes, 0, bbanStart, ofBban) !== 1) return;
    const iban = String.fromCharCode(...bytes);
    const reached = ibanCountryOf(bytes[0]!, bytes[1]!);
    if (reached === undefined || !isIban(iban) || score <= (found.get(iban)?.score ?? 0)) return;
    found.set(iban, { iban, bytes: bytes.slice(), country: reached, kind, positions, score });
  }

  for (let at = 0; at <= length; at++) {
    // A slip in the country code may lead to a country of any length; one after it leaves the country as it is.
    const anyLength = at < 2;
    if (anyLength || excess === -1) insertAt(at);
    if (at === length) break;
    if (anyLength || excess === 1) leaveOut(at);
    if (!anyLength && excess !== 0) continue;
    substituteAt(at);
    swapAt(at);
    repairPairAt(at);
  }
  replaceLookalikes();
  addMissing();
  return [...found.values()];
}

/** Returns the code at an index of a text whose characters from `from` up to `to` are replaced. */
function codeAfter(text: Uint8Array, at: number, from: number, to: number, by: readonly number[]): number {
  if (at < from) return text[at]!;
  return at < from + by.length ? by[at - from]! : text[at - from - by.length + to]!;
}

/** The frequencies are counted with digits; a letter has more others that it may have been. */
function shareOf(code: number): number {
  return isUpperLetter(code) ? digits.length / letters.length : 1;
}

/**
 * Returns remainders modulo 97 of a text's beginnings and ends, by index: `before` of the BBAN's characters before it,
 * `after` of the characters from it on, with the first four appended (ISO 13616-1), and `shift`, the power of ten by which
 * those shift what precedes them. Source: ISO 7064 MOD 97-10.
 */
function remaindersOf(text: Uint8Array) {
  const { length } = text;
  const before = new Uint8Array(length + 1);
  const after = new Uint8Array(length + 1);
  const shift = new Uint8Array(length + 1);
  for (let at = bbanStart; at < length; at++)
    before[at + 1] = (before[at]! * isoPower[text[at]!]! + isoValue[text[at]!]!) % 97;
  let [end, power] = [0, 1];
  for (let index = length + bbanStart - 1; index >= bbanStart; index--) {
    const code = text[index % length]!;
    end = (end + isoValue[code]! * power) % 97;
    power = (power * isoPower[code]!) % 97;
    if (index > length) continue;
    after[index] = end;
    shift[index] = power;
  }
  return { before, after, shift };
}
