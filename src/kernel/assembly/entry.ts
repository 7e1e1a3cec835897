import {
  B2B_FROM_END,
  COUNTRY_BANK_LENGTH,
  COUNTRY_BANK_START,
  COUNTRY_FLAG_GERMAN,
  COUNTRY_FLAGS,
  COUNTRY_ONLY,
  COUNTRY_UNKNOWN_BANK,
  COUNTRY_UNKNOWN_BANK_INVALID,
  GERMAN_KONTONUMMER,
  NO_KONTONUMMER,
  OUTCOME_UNKNOWN_BANK_CODE,
  OUTCOME_VALID,
  PIECE_BLZ,
  PIECE_KONTONUMMER,
  PIECE_NOT_AN_IBAN,
  PIECE_OUTCOMES,
  PIECE_UNREGISTERED_COUNTRY,
  RECORD_FRAGMENT,
  RECORD_FRAGMENT_BYTES,
  RECORD_KONTONUMMER,
  SCC_FROM_END,
  SCT_FROM_END,
  SDD_FROM_END,
  SHORTEST_IBAN,
} from "../layout";
import { copy, copyFragment, fixedPiece, putMiddle, putPiece } from "./answer";
import { bank, checkIban, country } from "./iban";
import { directory, entryRoom, tables } from "./place";

const SPACE: u32 = 32;
const QUOTE: u32 = 34;
const DIGIT_0: u8 = 48;
const BACKSLASH: u32 = 92;
const LETTER_LOWER_A: u32 = 97;
const LOWER_TO_UPPER: u32 = 32;
const CLOSING_BRACE: u8 = 125;
const LAST_PRINTABLE: u32 = 126;
const _BOTH_COUNTRY_LETTERS: u64 = 0b11;
/** Bytes that the check of an IBAN may look at from its first on. */
const LOOKED_AT: usize = 48;

/** Address behind the closing quote of the entry written last. */
export let next: usize = 0;

/**
 * Checks the string that begins at `text`, behind its opening quote, and writes its entry from the echo of the IBAN on.
 *
 * Gives the address behind the entry; 0 where the string has other characters than the kernel understands, does not
 * end, or leaves the answer too little room.
 */
export function writeEntry(text: usize, end: usize, to: usize, limit: usize): usize {
  if (text + LOOKED_AT <= end) {
    const head = v128.load(text);
    const rest = v128.load(text, 16);
    const digits = digitsOf(head) | (digitsOf(rest) << 16);
    const letters = lettersOf(head) | (lettersOf(rest) << 16);
    const length = <i32>ctz<u32>(~(digits | letters));
    if (length >= SHORTEST_IBAN && length < 32 && (letters & 3) === 3 && load<u8>(text + length) === QUOTE) {
      if (to + length + entryRoom > limit) return 0;
      next = text + length + 1;
      v128.store(to, head);
      v128.store(to, rest, 16);
      const within: u64 = ((<u64>1) << (<u64>length)) - 1;
      return writeChecked(text, length, digits & within, letters & within, to);
    }
  }
  return writeCompacted(text, end, to, limit);
}

function digitsOf(bytes: v128): u32 {
  return i8x16.bitmask(i8x16.le_u(i8x16.sub(bytes, i8x16.splat(48)), i8x16.splat(9)));
}

function lettersOf(bytes: v128): u32 {
  return i8x16.bitmask(i8x16.le_u(i8x16.sub(bytes, i8x16.splat(65)), i8x16.splat(25)));
}

/** Brings the string into its normal form at its place in the answer and goes on from there. */
function writeCompacted(text: usize, end: usize, to: usize, limit: usize): usize {
  let at = text;
  let behind = to;
  let byte: u32 = 0;
  while (at < end && (byte = load<u8>(at)) !== QUOTE) {
    if (byte < SPACE || byte > LAST_PRINTABLE || byte === BACKSLASH || behind >= limit) return 0;
    at++;
    if (byte === SPACE) continue;
    store<u8>(behind++, byte - LETTER_LOWER_A < 26 ? byte - LOWER_TO_UPPER : byte);
  }
  if (at >= end) return 0;
  next = at + 1;
  const length = <i32>(behind - to);
  if (behind + length + entryRoom > limit) return 0;
  if (!isFormal(to, length)) return putPiece(behind, fixedPiece(PIECE_NOT_AN_IBAN));
  const head = v128.load(to);
  const rest = v128.load(to, 16);
  const last = v128.load(to, 32);
  const within: u64 = length < 48 ? ((<u64>1) << (<u64>length)) - 1 : 0;
  const digits = <u64>digitsOf(head) | ((<u64>digitsOf(rest)) << 16) | ((<u64>digitsOf(last)) << 32);
  const letters = <u64>lettersOf(head) | ((<u64>lettersOf(rest)) << 16) | ((<u64>lettersOf(last)) << 32);
  return writeChecked(to, length, digits & within, letters & within, to);
}

function isFormal(text: usize, length: i32): bool {
  if (length < SHORTEST_IBAN) return false;
  let place = 0;
  while (place < length) {
    const byte: u32 = load<u8>(text + place);
    if (byte - 65 >= 26 && (place < 2 || byte - 48 >= 10)) return false;
    place++;
  }
  return true;
}

/** Checks the formal IBAN whose echo stands at `to` and writes the rest of its entry. */
function writeChecked(iban: usize, length: i32, digits: u64, letters: u64, to: usize): usize {
  const outcome = checkIban(iban, length, digits, letters);
  to = putMiddle(to + length, fixedPiece(PIECE_OUTCOMES + outcome));
  v128.store(to, v128.load(iban));
  v128.store(to, v128.load(iban, 16), 16);
  if (length > 32) copy(to + 32, iban + 32, length - 32);
  to += length;
  if (bank !== 0) return writeKnownBank(to, iban, outcome === OUTCOME_VALID);
  if (country === 0) return putPiece(to, fixedPiece(PIECE_UNREGISTERED_COUNTRY));
  return outcome === OUTCOME_VALID || outcome >= OUTCOME_UNKNOWN_BANK_CODE
    ? writeUnknownBank(to, iban, outcome === OUTCOME_VALID)
    : putPiece(to, tables + load<u32>(country, COUNTRY_ONLY));
}

function writeKnownBank(to: usize, iban: usize, hasSchemes: bool): usize {
  store<u8>(to, <u8>QUOTE);
  const fragment = to + 1;
  const end = copyFragment(
    fragment,
    directory + load<u32>(bank, RECORD_FRAGMENT),
    load<u16>(bank, RECORD_FRAGMENT_BYTES),
  );
  const kontonummer: u32 = load<u8>(bank, RECORD_KONTONUMMER);
  if (kontonummer !== NO_KONTONUMMER) {
    store<u64>(fragment + kontonummer, load<u64>(iban, GERMAN_KONTONUMMER));
    store<u16>(fragment + kontonummer, load<u16>(iban, GERMAN_KONTONUMMER + 8), 8);
  }
  if (!hasSchemes) {
    store<u8>(end - SCT_FROM_END, DIGIT_0);
    store<u8>(end - SDD_FROM_END, DIGIT_0);
    store<u8>(end - B2B_FROM_END, DIGIT_0);
    store<u8>(end - SCC_FROM_END, DIGIT_0);
  }
  store<u8>(end, CLOSING_BRACE);
  return end + 1;
}

function writeUnknownBank(to: usize, iban: usize, hasSchemes: bool): usize {
  to = putPiece(to, fixedPiece(PIECE_KONTONUMMER));
  if ((load<u8>(country, COUNTRY_FLAGS) & COUNTRY_FLAG_GERMAN) !== 0)
    to = copy(to, iban + GERMAN_KONTONUMMER, 10);
  to = putPiece(to, fixedPiece(PIECE_BLZ));
  to = copy(to, iban + load<u8>(country, COUNTRY_BANK_START), load<u8>(country, COUNTRY_BANK_LENGTH));
  return putPiece(
    to,
    tables +
      (hasSchemes
        ? load<u32>(country, COUNTRY_UNKNOWN_BANK)
        : load<u32>(country, COUNTRY_UNKNOWN_BANK_INVALID)),
  );
}
