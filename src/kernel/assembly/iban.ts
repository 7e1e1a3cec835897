import {
  COUNTRY_BYTES,
  COUNTRY_DIGITS,
  COUNTRY_IBAN_LENGTH,
  COUNTRY_LETTERS,
  COUNTRY_PREFIX,
  UNREGISTERED,
} from "../layout";
import {
  OUTCOME_CHECK_DIGITS_NOT_NUMERIC,
  OUTCOME_CHECK_DIGITS_OUT_OF_RANGE,
  OUTCOME_IBAN_PREFIX,
  OUTCOME_VALID,
  OUTCOME_WRONG_CHECK_DIGITS,
  OUTCOME_WRONG_LENGTH,
  OUTCOME_WRONG_STRUCTURE,
} from "../restated";
import { ENTRY_BANK, ENTRY_COUNTRY, ENTRY_LENGTH, ENTRY_OUTCOME, ENTRY_TEXT } from "./block";
import { ibanRemainder } from "./mod97";
import { countries, countryByPair } from "./place";

const DIGIT_0: u32 = 48;
const LETTER_A: u32 = 65;
/** "IBAN". */
const THE_WORD_IBAN: u32 = 0x4e41_4249;
const CHECK_DIGIT_PLACES: u64 = 0b1100;

/**
 * Checks a formal IBAN by itself, as `checks/iban-form.ts` does, and notes text, country and finding in an entry.
 *
 * Bit n of `digits` and `letters` says what the n-th character is; other bits are 0. Up to 16 bytes behind the IBAN are
 * read, and 8 before it.
 */
export function checkForm(entry: usize, iban: usize, length: i32, digits: u64, letters: u64): void {
  store<u32>(entry, iban, ENTRY_TEXT);
  store<u32>(entry, length, ENTRY_LENGTH);
  store<u32>(entry, 0, ENTRY_BANK);
  const pair = (<u32>load<u8>(iban) - LETTER_A) * 26 + <u32>load<u8>(iban, 1) - LETTER_A;
  const index: i32 = load<u8>(countryByPair + pair);
  if (index >= UNREGISTERED) {
    store<u32>(entry, 0, ENTRY_COUNTRY);
    const hasPrefix = load<u32>(iban) === THE_WORD_IBAN;
    store<u32>(entry, hasPrefix ? OUTCOME_IBAN_PREFIX : index - UNREGISTERED, ENTRY_OUTCOME);
    return;
  }
  const country = countries + index * COUNTRY_BYTES;
  const finding = findingOf(country, iban, length, digits, letters);
  store<u32>(entry, country, ENTRY_COUNTRY);
  store<u32>(entry, finding, ENTRY_OUTCOME);
}

function findingOf(country: usize, iban: usize, length: i32, digits: u64, letters: u64): i32 {
  if (length !== load<u8>(country, COUNTRY_IBAN_LENGTH)) return OUTCOME_WRONG_LENGTH;
  const misfits =
    (load<u64>(country, COUNTRY_DIGITS) & ~digits) | (load<u64>(country, COUNTRY_LETTERS) & ~letters);
  if (misfits !== 0) {
    return (misfits & CHECK_DIGIT_PLACES) !== 0 ? OUTCOME_CHECK_DIGITS_NOT_NUMERIC : OUTCOME_WRONG_STRUCTURE;
  }
  const checkDigits = (<u32>load<u8>(iban, 2) - DIGIT_0) * 10 + <u32>load<u8>(iban, 3) - DIGIT_0;
  if (checkDigits < 2 || checkDigits > 98) return OUTCOME_CHECK_DIGITS_OUT_OF_RANGE;
  return ibanRemainder(iban, length, letters, checkDigits + load<u8>(country, COUNTRY_PREFIX)) === 1
    ? OUTCOME_VALID
    : OUTCOME_WRONG_CHECK_DIGITS;
}
