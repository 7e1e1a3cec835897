import * as layout from "../table-layout";
import { countries, countryByPair, Entry } from "./place";
import * as shared from "./shared-constants";

/** Remainders modulo 97 of 10^0 to 10^7, one byte each from the lowest on. */
const POWERS: u64 = 0x4c1b_5a09_1e03_0a01;
/** Remainders modulo 97 of powers of ten, and of 2^20. */
const TEN_TO_6: u32 = 27;
const TEN_TO_14: u32 = 53;
const TEN_TO_22: u32 = 25;
const TWO_TO_20: u64 = 6;
const LETTER_OFFSET: u32 = 55;
/** A number below this has room for a letter after it in 32 bits. */
const MAX_BEFORE_LETTER: u32 = 42_949_672;

/** The number that eight ASCII digits make, the first in the lowest byte; zero bytes count as digit 0. */
function eightDigits(word: u64): u32 {
  const pairs = ((word & 0x0f0f_0f0f_0f0f_0f0f) * 2_561) >> 8;
  const fours = ((pairs & 0x00ff_00ff_00ff_00ff) * 6_553_601) >> 16;
  return <u32>(((fours & 0x0000_ffff_0000_ffff) * 42_949_672_960_001) >> 32);
}

/** The number that the `count` digits before `end` make, at most eight; the seven bytes before them are read too. */
export function digitsBefore(end: usize, count: i32): u32 {
  return eightDigits(load<u64>(end - 8) & ((<u64>-1) << (<u64>((8 - count) << 3))));
}

/**
 * Remainder modulo 97 of a whole IBAN; 1 means right.
 *
 * `letters` has bit n set where the n-th character is a letter, `ending` is what country code and check digits add when
 * they come after the BBAN. Source: ISO 13616-1, ISO 7064 MOD 97-10.
 */
function ibanRemainder(iban: usize, length: i32, letters: u64, ending: u32): u32 {
  if (letters >> 4 === 0 && length >= 20 && length <= 28) return ofDigits(iban + length, length - 4, ending);
  return (ofMixed(iban, length, letters) * TEN_TO_6 + ending) % 97;
}

/** Takes a BBAN of 16 to 24 digits that ends before `end`: three numbers, independent of each other until the sum. */
function ofDigits(end: usize, count: i32, ending: u32): u32 {
  const leading = 24 - count;
  // Twice half the shift, since a shift by 64 would be none.
  const mask = ((<u64>-1) << (<u64>(leading << 2))) << (<u64>(leading << 2));
  const first = eightDigits(load<u64>(end - 24) & mask);
  const sum =
    <u64>first * TEN_TO_22 +
    <u64>eightDigits(load<u64>(end - 16)) * TEN_TO_14 +
    <u64>eightDigits(load<u64>(end - 8)) * TEN_TO_6 +
    ending;
  return <u32>((sum >> 20) * TWO_TO_20 + (sum & 0xf_ffff)) % 97;
}

/** Goes from letter to run of digits to letter. */
function ofMixed(iban: usize, length: i32, letters: u64): u32 {
  const stop = letters | ((<u64>1) << (<u64>length));
  let number: u32 = 0;
  let place = 4;
  while (place < length) {
    const run = <i32>ctz<u64>(stop >> <u64>place);
    if (run === 0) {
      if (number >= MAX_BEFORE_LETTER) number %= 97;
      number = number * 100 + load<u8>(iban + place) - LETTER_OFFSET;
      place += 1;
    } else {
      const count = min<i32>(run, 7);
      place += count;
      const power = <u32>(POWERS >> <u64>(count << 3)) & 0xff;
      number = (number % 97) * power + digitsBefore(iban + place, count);
    }
  }
  return number % 97;
}

const DIGIT_0: u32 = 48;
const LETTER_A: u32 = 65;
const THE_WORD_IBAN: u32 = 0x4e41_4249;
const CHECK_DIGIT_PLACES: u64 = 0b1100;

/**
 * Checks a formal IBAN alone, as `checks/iban-check.ts` does, and notes text, country and finding in an entry.
 *
 * Bit n of `digits` and `letters` says what the n-th character is; other bits are 0. Up to 16 bytes after the IBAN are
 * read, and 8 before it.
 */
export function checkForm(entry: Entry, iban: usize, length: i32, digits: u64, letters: u64): void {
  const pair = (<u32>load<u8>(iban) - LETTER_A) * 26 + <u32>load<u8>(iban, 1) - LETTER_A;
  const index: i32 = load<u8>(countryByPair + pair);
  if (index >= layout.UNREGISTERED) {
    const hasPrefix = load<u32>(iban) === THE_WORD_IBAN;
    entry.note(iban, length, hasPrefix ? shared.OUTCOME_IBAN_PREFIX : index - layout.UNREGISTERED, 0);
  } else {
    const country = countries + index * layout.COUNTRY_BYTES;
    entry.note(iban, length, findingOf(country, iban, length, digits, letters), country);
  }
}

function findingOf(country: usize, iban: usize, length: i32, digits: u64, letters: u64): i32 {
  if (length !== load<u8>(country, layout.COUNTRY_IBAN_LENGTH)) return shared.OUTCOME_WRONG_LENGTH;
  const misfits =
    (load<u64>(country, layout.COUNTRY_DIGITS) & ~digits) |
    (load<u64>(country, layout.COUNTRY_LETTERS) & ~letters);
  if (misfits !== 0) {
    return (misfits & CHECK_DIGIT_PLACES) !== 0
      ? shared.OUTCOME_CHECK_DIGITS_NOT_NUMERIC
      : shared.OUTCOME_WRONG_STRUCTURE;
  }
  const checkDigits = (<u32>load<u8>(iban, 2) - DIGIT_0) * 10 + <u32>load<u8>(iban, 3) - DIGIT_0;
  if (checkDigits < 2 || checkDigits > 98) return shared.OUTCOME_CHECK_DIGITS_OUT_OF_RANGE;
  return ibanRemainder(iban, length, letters, checkDigits + load<u8>(country, layout.COUNTRY_PREFIX)) === 1
    ? shared.OUTCOME_VALID
    : shared.OUTCOME_WRONG_CHECK_DIGITS;
}
