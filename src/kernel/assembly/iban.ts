import {
  COUNTRY_BYTES,
  COUNTRY_DIGITS,
  COUNTRY_FLAG_GERMAN,
  COUNTRY_FLAG_NATIONAL_CHECK,
  COUNTRY_FLAGS,
  COUNTRY_IBAN_LENGTH,
  COUNTRY_INDEX,
  COUNTRY_LETTERS,
  COUNTRY_PREFIX,
  DIRECTORY_RECORD_BYTES,
  GERMAN_BLZ,
  NO_METHOD,
  OUTCOME_CHECK_DIGITS_NOT_NUMERIC,
  OUTCOME_CHECK_DIGITS_OUT_OF_RANGE,
  OUTCOME_UNKNOWN_BANK_CODE,
  OUTCOME_VALID,
  OUTCOME_WRONG_ACCOUNT_CHECK_DIGIT,
  OUTCOME_WRONG_CHECK_DIGITS,
  OUTCOME_WRONG_LENGTH,
  OUTCOME_WRONG_NATIONAL_CHECK_DIGITS,
  OUTCOME_WRONG_STRUCTURE,
  RECORD_METHOD_INDEX,
  RECORD_RULE,
  UNREGISTERED,
} from "../layout";
import { acceptsAccount } from "./account";
import { findBank, findByBlz } from "./bank";
import { matchesNationally, rejectsAccount } from "./host";
import { eightDigits, ibanRemainder } from "./mod97";
import { countries, countryByPair, directory, records, waivingRules } from "./place";

const DIGIT_0: u32 = 48;
const LETTER_A: u32 = 65;
const BOTH_CHECK_DIGITS: u64 = 0b1100;

/** Address of the country of the IBAN checked last, 0 where it is not registered. */
export let country: usize = 0;
/** Address of the record of its bank, 0 where it is unknown or was not looked for. */
export let bank: usize = 0;

/**
 * Checks a formal IBAN and gives the number of its outcome in `ibanOutcomes`; the checks and their order are those of
 * `answers/iban-checker.ts`.
 *
 * Bit n of `digits` and `letters` says what the n-th character is; bits from `length` on, at most 63, are 0. Up to 16
 * bytes behind the IBAN are read, and 8 before it.
 */
export function checkIban(iban: usize, length: i32, digits: u64, letters: u64): i32 {
  country = 0;
  bank = 0;
  const pair = (<u32>load<u8>(iban) - LETTER_A) * 26 + <u32>load<u8>(iban, 1) - LETTER_A;
  const index: i32 = load<u8>(countryByPair + pair);
  if (index >= UNREGISTERED) return index - UNREGISTERED;
  const found = countries + index * COUNTRY_BYTES;
  country = found;
  if (length !== load<u8>(found, COUNTRY_IBAN_LENGTH)) return OUTCOME_WRONG_LENGTH;
  const misfits =
    (load<u64>(found, COUNTRY_DIGITS) & ~digits) | (load<u64>(found, COUNTRY_LETTERS) & ~letters);
  if (misfits !== 0) {
    return (digits & BOTH_CHECK_DIGITS) === BOTH_CHECK_DIGITS
      ? OUTCOME_WRONG_STRUCTURE
      : OUTCOME_CHECK_DIGITS_NOT_NUMERIC;
  }
  const checkDigits = (<u32>load<u8>(iban, 2) - DIGIT_0) * 10 + <u32>load<u8>(iban, 3) - DIGIT_0;
  if (checkDigits < 2 || checkDigits > 98) return OUTCOME_CHECK_DIGITS_OUT_OF_RANGE;
  if (ibanRemainder(iban, length, letters, checkDigits + load<u8>(found, COUNTRY_PREFIX)) !== 1) {
    return OUTCOME_WRONG_CHECK_DIGITS;
  }
  const flags = load<u8>(found, COUNTRY_FLAGS);
  if ((flags & COUNTRY_FLAG_GERMAN) !== 0) return checkGermanAccount(iban);
  bank = findBank(iban, found);
  if (
    (flags & COUNTRY_FLAG_NATIONAL_CHECK) !== 0 &&
    matchesNationally(load<u8>(found, COUNTRY_INDEX), iban + 4) === 0
  ) {
    return OUTCOME_WRONG_NATIONAL_CHECK_DIGITS;
  }
  return OUTCOME_VALID;
}

function checkGermanAccount(iban: usize): i32 {
  const record = findByBlz(eightDigits(load<u64>(iban, GERMAN_BLZ)));
  bank = record;
  if (record === 0) return OUTCOME_UNKNOWN_BANK_CODE;
  const method: u32 = load<u8>(record, RECORD_METHOD_INDEX);
  if (method === NO_METHOD || acceptsAccount(method, iban)) return OUTCOME_VALID;
  return mayWaive(record) && rejectsAccount(<u32>(record - records) / DIRECTORY_RECORD_BYTES, iban) === 0
    ? OUTCOME_VALID
    : OUTCOME_WRONG_ACCOUNT_CHECK_DIGIT;
}

/** Whether the bank's IBAN rule gives any account at all without its check digit; the rule's number is its first four digits. */
function mayWaive(record: usize): bool {
  const reference = load<u32>(record, RECORD_RULE);
  if (reference === 0) return false;
  const text = directory + reference;
  // A text stands behind its length in two bytes.
  const rule =
    (<u32>load<u8>(text, 2) - DIGIT_0) * 1000 +
    (<u32>load<u8>(text, 3) - DIGIT_0) * 100 +
    (<u32>load<u8>(text, 4) - DIGIT_0) * 10 +
    <u32>load<u8>(text, 5) -
    DIGIT_0;
  return rule < 64 && ((waivingRules >> <u64>rule) & 1) !== 0;
}
