import * as layout from "../table-layout";
import { digitsBefore } from "./iban";
import { directory, methodEntries, methodNodes, tables, waivingRules } from "./place";
import * as shared from "./shared-constants";

/** Whether a step-by-step check-digit algorithm accepts the account of the German IBAN at `iban`: 1 or 0. */
declare function acceptsStepwise(algorithm: u32, iban: usize): u32;

/** Index of the warning that a check of the country's own has for the well-formed IBAN at `iban`, -1 for none, or WRONG_BY_COUNTRY. */
declare function checkByCountry(country: u32, iban: usize): i32;

/** Whether a German account that fails its method is wrong even by the bank's IBAN rule: 1 or 0. */
declare function rejectsAccount(iban: usize): u32;

const EIGHT_ZEROS: u64 = 0x3030_3030_3030_3030;
const TWO_ZEROS: u16 = 0x3030;
const DIGIT_0: u32 = 48;

/**
 * Whether a check-digit method does not say that the account of the German IBAN at `iban` is wrong.
 *
 * Walks the method's decision graph; `method` is an index of `methodNames`. Account number zero is always wrong.
 */
function acceptsAccount(method: u32, iban: usize): bool {
  if (
    load<u64>(iban, shared.GERMAN_KONTONUMMER) === EIGHT_ZEROS &&
    load<u16>(iban, shared.GERMAN_KONTONUMMER + 8) === TWO_ZEROS
  ) {
    return false;
  }
  let target: i32 = load<u16>(methodEntries + (method << 1));
  // Those that end the graph are negative.
  while (target < 0x8000) {
    const node = methodNodes + target * layout.NODE_BYTES;
    const kind: i32 = load<u8>(node, layout.NODE_KIND);
    const holds: u32 = kind === layout.NODE_SUM ? sumFits(node, iban) : testHolds(kind, node, iban);
    target = load<u16>(node + (holds << 1), layout.NODE_TARGETS);
  }
  return target !== (shared.END_INVALID & 0xffff);
}

function sumFits(node: usize, iban: usize): u32 {
  // The digits are taken as ASCII; the table is looked at as if it began with the rows of codes 0 to 47.
  const rows = tables + load<u32>(node, layout.NODE_CONTRIBUTIONS) - DIGIT_0;
  const sum =
    <u32>load<u8>(rows + <u32>load<u8>(iban, shared.GERMAN_KONTONUMMER)) +
    <u32>load<u8>(rows + <u32>load<u8>(iban, shared.GERMAN_KONTONUMMER + 1), 10) +
    <u32>load<u8>(rows + <u32>load<u8>(iban, shared.GERMAN_KONTONUMMER + 2), 20) +
    <u32>load<u8>(rows + <u32>load<u8>(iban, shared.GERMAN_KONTONUMMER + 3), 30) +
    <u32>load<u8>(rows + <u32>load<u8>(iban, shared.GERMAN_KONTONUMMER + 4), 40) +
    <u32>load<u8>(rows + <u32>load<u8>(iban, shared.GERMAN_KONTONUMMER + 5), 50) +
    <u32>load<u8>(rows + <u32>load<u8>(iban, shared.GERMAN_KONTONUMMER + 6), 60) +
    <u32>load<u8>(rows + <u32>load<u8>(iban, shared.GERMAN_KONTONUMMER + 7), 70) +
    <u32>load<u8>(rows + <u32>load<u8>(iban, shared.GERMAN_KONTONUMMER + 8), 80) +
    <u32>load<u8>(rows + <u32>load<u8>(iban, shared.GERMAN_KONTONUMMER + 9), 90);
  const allowed: u32 = load<u16>(tables + load<u32>(node, layout.NODE_ALLOWED) + (sum << 1));
  const place = iban + load<u8>(node, layout.NODE_PLACE);
  const digit: u32 = load<u8>(place);
  const left: u32 = load<u8>(place - 1);
  return (
    ((allowed >> (digit - DIGIT_0)) | (<u32>(digit === left) & <u32>((allowed & shared.EQUALS_LEFT) !== 0))) &
    1
  );
}

function testHolds(kind: i32, node: usize, iban: usize): u32 {
  const place = load<u8>(node, layout.NODE_PLACE);
  if (kind === layout.NODE_DIGIT) {
    return (load<u32>(node, layout.NODE_DIGITS) >> (<u32>load<u8>(iban + place) - DIGIT_0)) & 1;
  }
  if (kind === layout.NODE_STEPWISE) return acceptsStepwise(place, iban);
  const number = numberOf(iban + place, iban + load<u8>(node, layout.NODE_LAST_PLACE) + 1);
  return <u32>(number >= load<u64>(node, layout.NODE_MIN) && number <= load<u64>(node, layout.NODE_MAX));
}

/** Reads the one to ten digits from `start` to `end`. */
function numberOf(start: usize, end: usize): u64 {
  const count = <u32>(end - start);
  if (count <= 8) return digitsBefore(end, count);
  return <u64>digitsBefore(start + (count - 8), count - 8) * 100_000_000 + digitsBefore(end, 8);
}

/** Makes the checks of a well-formed IBAN that come after the look-up of its bank; the order is that of `checkIban`. */
export function checkBban(iban: usize, country: usize, bank: usize): i32 {
  const flags = load<u8>(country, layout.COUNTRY_FLAGS);
  const isGerman = (flags & layout.COUNTRY_FLAG_GERMAN) !== 0;
  if (isGerman && bank === 0) return shared.OUTCOME_UNKNOWN_BANK_CODE;
  if ((flags & layout.COUNTRY_FLAG_MAY_REJECT) === 0) return shared.OUTCOME_VALID;
  if (isGerman) {
    return isAccountWrong(iban, bank) ? shared.OUTCOME_WRONG_ACCOUNT_CHECK_DIGIT : shared.OUTCOME_VALID;
  }
  return checkByCountry(load<u8>(country, layout.COUNTRY_INDEX), iban) === layout.WRONG_BY_COUNTRY
    ? shared.OUTCOME_WRONG_NATIONAL_CHECK_DIGITS
    : shared.OUTCOME_VALID;
}

/** Index of the warning that a valid IBAN has, -1 if there is none or its bank decides it. */
export function warningOf(iban: usize, country: usize, bank: usize): i32 {
  if (bank === 0) return layout.WARN_BANK_CODE;
  const flags = load<u8>(country, layout.COUNTRY_FLAGS);
  if ((flags & layout.COUNTRY_FLAG_MAY_WARN) === 0) return -1;
  if ((flags & layout.COUNTRY_FLAG_GERMAN) !== 0)
    return isAccountWrong(iban, bank) ? layout.WARN_ACCOUNT : -1;
  return checkByCountry(load<u8>(country, layout.COUNTRY_INDEX), iban);
}

/** Whether the account of a German IBAN fails its bank's method, and no IBAN rule accepts it all the same. */
function isAccountWrong(iban: usize, record: usize): bool {
  const method: u32 = load<u8>(record, shared.RECORD_METHOD_INDEX);
  if (method === shared.NO_METHOD || acceptsAccount(method, iban)) return false;
  return !mayWaive(record) || rejectsAccount(iban) !== 0;
}

/** Whether the bank's IBAN rule accepts any account at all without its check digit; its first four digits are its number. */
function mayWaive(record: usize): bool {
  const reference = load<u32>(record, shared.RECORD_RULE);
  if (reference === 0) return false;
  const text = directory + reference;
  // A text follows its length in two bytes.
  const rule = digitsBefore(text + 6, 4);
  return rule < <u32>layout.RULE_BITS && ((waivingRules >> <u64>rule) & 1) !== 0;
}
