import {
  COUNTRY_FLAG_GERMAN,
  COUNTRY_FLAG_MAY_REJECT,
  COUNTRY_FLAGS,
  COUNTRY_INDEX,
  RULE_BITS,
} from "../layout";
import { acceptsAccount } from "./account";
import { rejectsAccount, rejectsByCountry } from "./host";
import { directory, waivingRules } from "./place";
import {
  NO_METHOD,
  OUTCOME_UNKNOWN_BANK_CODE,
  OUTCOME_VALID,
  OUTCOME_WRONG_ACCOUNT_CHECK_DIGIT,
  OUTCOME_WRONG_NATIONAL_CHECK_DIGITS,
  RECORD_METHOD_INDEX,
  RECORD_RULE,
} from "./restated";

const DIGIT_0: i32 = 48;

/** Does what is left to check of a well-formed IBAN once its bank was looked up; the order is that of `checkIban`. */
export function checkBban(iban: usize, country: usize, bank: usize): i32 {
  const flags = load<u8>(country, COUNTRY_FLAGS);
  if ((flags & COUNTRY_FLAG_GERMAN) !== 0) return checkGermanAccount(iban, bank);
  if ((flags & COUNTRY_FLAG_MAY_REJECT) === 0) return OUTCOME_VALID;
  return rejectsByCountry(load<u8>(country, COUNTRY_INDEX), iban) !== 0
    ? OUTCOME_WRONG_NATIONAL_CHECK_DIGITS
    : OUTCOME_VALID;
}

function checkGermanAccount(iban: usize, record: usize): i32 {
  if (record === 0) return OUTCOME_UNKNOWN_BANK_CODE;
  const method: u32 = load<u8>(record, RECORD_METHOD_INDEX);
  if (method === NO_METHOD || acceptsAccount(method, iban)) return OUTCOME_VALID;
  return mayWaive(record) && rejectsAccount(iban) === 0 ? OUTCOME_VALID : OUTCOME_WRONG_ACCOUNT_CHECK_DIGIT;
}

/** Whether the bank's IBAN rule gives any account at all without its check digit; its first four digits are its number. */
function mayWaive(record: usize): bool {
  const reference = load<u32>(record, RECORD_RULE);
  if (reference === 0) return false;
  const text = directory + reference;
  // A text follows its length in two bytes.
  const rule: i32 =
    (<i32>load<u8>(text, 2) - DIGIT_0) * 1000 +
    (<i32>load<u8>(text, 3) - DIGIT_0) * 100 +
    (<i32>load<u8>(text, 4) - DIGIT_0) * 10 +
    <i32>load<u8>(text, 5) -
    DIGIT_0;
  return rule >= 0 && rule < RULE_BITS && ((waivingRules >> <u64>rule) & 1) !== 0;
}
