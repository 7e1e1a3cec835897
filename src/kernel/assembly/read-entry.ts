import { LOOKED_AT } from "../layout";
import { OUTCOME_NOT_AN_IBAN, SHORTEST_IBAN } from "../restated";
import {
  ENTRY_AS_SENT,
  ENTRY_BANK,
  ENTRY_COUNTRY,
  ENTRY_LENGTH,
  ENTRY_NORMALISED,
  ENTRY_OUTCOME,
  ENTRY_TEXT,
  MOST_NORMALISED,
} from "./block";
import { checkForm } from "./iban";

const SPACE: u32 = 32;
const QUOTE: u32 = 34;
const BACKSLASH: u32 = 92;
const LAST_PRINTABLE: u32 = 126;
const LOWER_CASE: u32 = 32;

/**
 * Reads the string behind the opening quote before `text` into an entry and checks the IBAN by itself.
 *
 * Gives the address behind the closing quote; 0 where the string has other characters than the kernel understands or
 * does not end.
 */
export function readEntry(entry: usize, text: usize, end: usize): usize {
  if (text + LOOKED_AT <= end) {
    const head = v128.load(text);
    const rest = v128.load(text, 16);
    const digits = digitsOf(head) | (digitsOf(rest) << 16);
    const letters = lettersOf(head) | (lettersOf(rest) << 16);
    const length = <i32>ctz<u32>(~(digits | letters));
    // Whatever ends within 32 bytes and is in normal form already needs no second look.
    if (length >= SHORTEST_IBAN && (letters & 3) === 3 && load<u8>(text + length) === QUOTE) {
      const within: u64 = ((<u64>1) << (<u64>length)) - 1;
      store<u32>(entry, 0, ENTRY_AS_SENT);
      checkForm(entry, text, length, digits & within, letters & within);
      return text + length + 1;
    }
  }
  return readAsWritten(entry, text, end);
}

function digitsOf(bytes: v128): u32 {
  return i8x16.bitmask(i8x16.le_u(i8x16.sub(bytes, i8x16.splat(48)), i8x16.splat(9)));
}

function lettersOf(bytes: v128): u32 {
  return i8x16.bitmask(i8x16.le_u(i8x16.sub(bytes, i8x16.splat(65)), i8x16.splat(25)));
}

function isLetter(byte: u32): bool {
  return byte - 65 < 26;
}

/** The byte in upper case. */
export function upperCase(byte: u32): u32 {
  return byte - 97 < 26 ? byte - LOWER_CASE : byte;
}

/** Reads a string as people write it: with spaces, in lower case, or no IBAN at all. */
function readAsWritten(entry: usize, text: usize, end: usize): usize {
  const normalised = entry + ENTRY_NORMALISED;
  let at = text;
  let length = 0;
  let isFormal = true;
  while (at < end && load<u8>(at) !== QUOTE) {
    const sent: u32 = load<u8>(at++);
    if (sent < SPACE || sent > LAST_PRINTABLE || sent === BACKSLASH) return 0;
    if (sent === SPACE) continue;
    const byte = upperCase(sent);
    if (!isLetter(byte) && (length < 2 || byte - 48 >= 10)) isFormal = false;
    if (length < MOST_NORMALISED) store<u8>(normalised + length, byte);
    length++;
  }
  if (at >= end) return 0;
  if (!isFormal || length < SHORTEST_IBAN) {
    store<u32>(entry, text, ENTRY_TEXT);
    store<u32>(entry, length, ENTRY_LENGTH);
    store<u32>(entry, OUTCOME_NOT_AN_IBAN, ENTRY_OUTCOME);
    store<u32>(entry, 0, ENTRY_COUNTRY);
    store<u32>(entry, 0, ENTRY_BANK);
    store<u32>(entry, 1, ENTRY_AS_SENT);
    return at + 1;
  }
  // Places beyond those kept do not matter: no IBAN is as long.
  const head = v128.load(normalised);
  const rest = v128.load(normalised, 16);
  const last = v128.load(normalised, 32);
  const digits = <u64>digitsOf(head) | ((<u64>digitsOf(rest)) << 16) | ((<u64>digitsOf(last)) << 32);
  const letters = <u64>lettersOf(head) | ((<u64>lettersOf(rest)) << 16) | ((<u64>lettersOf(last)) << 32);
  const within: u64 = ((<u64>1) << (<u64>min(length, MOST_NORMALISED))) - 1;
  store<u32>(entry, 0, ENTRY_AS_SENT);
  checkForm(entry, normalised, length, digits & within, letters & within);
  if (length > MOST_NORMALISED) {
    store<u32>(entry, text, ENTRY_TEXT);
    store<u32>(entry, 1, ENTRY_AS_SENT);
  }
  return at + 1;
}
