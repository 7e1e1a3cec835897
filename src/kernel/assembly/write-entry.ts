import * as layout from "../table-layout";
import { checkBban, entryByReference, isAccountWrong, warningOfCountry } from "./bban";
import {
  directory,
  ENTRY_AS_SENT,
  ENTRY_BANK,
  ENTRY_COUNTRY,
  ENTRY_LENGTH,
  ENTRY_OUTCOME,
  ENTRY_TEXT,
  entryRoom,
  hasReasons,
  segments,
  tables,
} from "./place";
import { upperCase } from "./read-entry";
import * as shared from "./shared-constants";

/** Writes why a number is not valid, or what is worth a warning, and closes `data` and the entry. */
function writeReason(to: usize, iban: usize, country: usize, bank: usize, outcome: i32): usize {
  if (bank !== 0 && (load<u8>(bank, shared.RECORD_FLAGS) & shared.FLAG_DELETION_MARKED) !== 0) {
    const isGerman = (load<u8>(country, layout.COUNTRY_FLAGS) & layout.COUNTRY_FLAG_GERMAN) !== 0;
    if (isGerman || outcome === shared.OUTCOME_VALID)
      return writeDeletion(to, bank, outcome === shared.OUTCOME_VALID);
  }
  const warning = warningOf(iban, country, bank, outcome);
  return putSegment(
    to,
    fixedSegment(warning < 0 ? layout.SEGMENT_REASONS + outcome : layout.SEGMENT_WARNINGS + warning),
  );
}

/** Index of the warning that a valid number has, -1 if there is none. */
export function warningOf(iban: usize, country: usize, bank: usize, outcome: i32): i32 {
  if (outcome !== shared.OUTCOME_VALID) return -1;
  const flags = load<u8>(country, layout.COUNTRY_FLAGS);
  if (bank === 0 && (flags & layout.COUNTRY_FLAG_BANK_CODES) !== 0) return layout.WARN_BANK_CODE;
  if ((flags & layout.COUNTRY_FLAG_MAY_WARN) === 0) return -1;
  if ((flags & layout.COUNTRY_FLAG_GERMAN) !== 0)
    return isAccountWrong(iban, bank) ? layout.WARN_ACCOUNT : -1;
  return warningOfCountry(load<u8>(country, layout.COUNTRY_INDEX), iban);
}

function writeDeletion(to: usize, bank: usize, isValid: bool): usize {
  const successor: usize = load<u32>(bank, shared.RECORD_SUCCESSOR);
  if (successor === 0)
    return putSegment(
      to,
      fixedSegment(isValid ? layout.SEGMENT_MARKED_VALID : layout.SEGMENT_MARKED_INVALID),
    );
  to = putSegment(
    to,
    fixedSegment(isValid ? layout.SEGMENT_SUCCEEDED_VALID : layout.SEGMENT_SUCCEEDED_INVALID),
  );
  // A text follows its length in two bytes.
  const text = directory + successor;
  to = copy(to, text + 2, load<u16>(text));
  return putSegment(to, fixedSegment(layout.SEGMENT_AFTER_SUCCESSOR));
}

const SPACE: u32 = 32;
const QUOTE: u32 = 34;
const DIGIT_0: u8 = 48;
const CLOSING_BRACE: u8 = 125;

/**
 * Does the checks that need the bank and writes an entry from the echo of the IBAN on.
 *
 * Returns the address after it, 0 if the answer has too little room.
 */
export function writeEntry(entry: usize, to: usize, limit: usize): usize {
  const text: usize = load<u32>(entry, ENTRY_TEXT);
  const length: i32 = load<u32>(entry, ENTRY_LENGTH);
  const country: usize = load<u32>(entry, ENTRY_COUNTRY);
  const found: i32 = load<u32>(entry, ENTRY_OUTCOME);
  if (load<u32>(entry, ENTRY_AS_SENT) !== 0) return writeAsSent(text, length, found, country, to, limit);
  if (to + 2 * length + entryRoom > limit) return 0;
  const bank: usize = load<u32>(entry, ENTRY_BANK);
  const outcome = found === shared.OUTCOME_VALID ? checkBban(text, country, bank) : found;
  echo(to, text, length);
  to = putMiddle(to + length, fixedSegment(layout.SEGMENT_OUTCOMES + outcome));
  return writeData(entry, outcome, to);
}

/**
 * Does the checks that need the bank and writes the answer to a single check. The text is in normal form.
 *
 * Returns the address after it, 0 if the answer has too little room or the bank is one that the reference warns of.
 */
export function writeSingleAnswer(entry: usize, to: usize, limit: usize): usize {
  const text: usize = load<u32>(entry, ENTRY_TEXT);
  const found: i32 = load<u32>(entry, ENTRY_OUTCOME);
  const bank: usize = load<u32>(entry, ENTRY_BANK);
  if (to + 2 * load<u32>(entry, ENTRY_LENGTH) + entryRoom > limit) return 0;
  if (bank !== 0 && (load<u8>(bank, shared.RECORD_FLAGS) & shared.FLAG_DELETION_MARKED) !== 0) return 0;
  const country: usize = load<u32>(entry, ENTRY_COUNTRY);
  const outcome = found === shared.OUTCOME_VALID ? checkBban(text, country, bank) : found;
  return writeData(entry, outcome, putSegment(to, fixedSegment(layout.SEGMENT_SINGLES + outcome)));
}

/** Writes `data` from the echo of the IBAN on, and what closes the entry or answer. */
function writeData(entry: usize, outcome: i32, to: usize): usize {
  const text: usize = load<u32>(entry, ENTRY_TEXT);
  const length: i32 = load<u32>(entry, ENTRY_LENGTH);
  const country: usize = load<u32>(entry, ENTRY_COUNTRY);
  const bank: usize = load<u32>(entry, ENTRY_BANK);
  const isValid = outcome === shared.OUTCOME_VALID;
  echo(to, text, length);
  to += length;
  if (bank !== 0) to = writeKnownBank(to, text, bank, isValid);
  else if (load<u32>(entry, ENTRY_OUTCOME) === shared.OUTCOME_VALID)
    to = writeUnknownBank(to, text, country, isValid);
  else to = writeNoBank(to, country);
  // The reason overwrites the end of `data` and of the entry.
  return hasReasons ? writeReason(to - 2, text, country, bank, outcome) : to;
}

/** Copies an IBAN of at most 48 characters. */
function echo(to: usize, iban: usize, length: i32): void {
  v128.store(to, v128.load(iban));
  v128.store(to, v128.load(iban, 16), 16);
  if (length > 32) v128.store(to, v128.load(iban, 32), 32);
}

/**
 * Writes the entry of a string that is not an IBAN, or is longer than any, bringing it into normal form on the way; that
 * of a string left to the reference is written there.
 */
function writeAsSent(text: usize, length: i32, outcome: i32, country: usize, to: usize, limit: usize): usize {
  if (outcome === layout.LEFT_TO_REFERENCE) return entryByReference(text, length, to, limit - entryRoom);
  const echoes = outcome === shared.OUTCOME_NOT_AN_IBAN ? 1 : 2;
  if (to + echoes * length + entryRoom > limit) return 0;
  const echoed = to;
  const end = to + length;
  while (to < end) {
    const byte: u32 = load<u8>(text++);
    if (byte !== SPACE) store<u8>(to++, upperCase(byte));
  }
  if (outcome === shared.OUTCOME_NOT_AN_IBAN) return putSegment(to, fixedSegment(layout.SEGMENT_NOT_AN_IBAN));
  to = putMiddle(to, fixedSegment(layout.SEGMENT_OUTCOMES + outcome));
  to = writeNoBank(copy(to, echoed, length), country);
  return hasReasons ? writeReason(to - 2, text, country, 0, outcome) : to;
}

function writeNoBank(to: usize, country: usize): usize {
  return putSegment(
    to,
    country === 0
      ? fixedSegment(layout.SEGMENT_UNREGISTERED_COUNTRY)
      : tables + load<u32>(country, layout.COUNTRY_ONLY),
  );
}

function writeKnownBank(to: usize, iban: usize, bank: usize, hasSchemes: bool): usize {
  store<u8>(to, <u8>QUOTE);
  const fragment = to + 1;
  const source: usize = directory + load<u32>(bank, shared.RECORD_FRAGMENT);
  const end = copyFragment(fragment, source, load<u16>(bank, shared.RECORD_FRAGMENT_BYTES));
  const kontonummer: u32 = load<u8>(bank, shared.RECORD_KONTONUMMER);
  if (kontonummer !== shared.NO_KONTONUMMER) {
    store<u64>(fragment + kontonummer, load<u64>(iban, shared.GERMAN_KONTONUMMER));
    store<u16>(fragment + kontonummer, load<u16>(iban, shared.GERMAN_KONTONUMMER + 8), 8);
  }
  if (!hasSchemes) {
    const sct = fragment + load<u16>(source - shared.FRAGMENT_HEAD_BYTES);
    store<u8>(sct, DIGIT_0);
    store<u8>(sct, DIGIT_0, shared.SDD_OFFSET);
    store<u8>(sct, DIGIT_0, shared.B2B_OFFSET);
    store<u8>(sct, DIGIT_0, shared.SCC_OFFSET);
  }
  store<u8>(end, CLOSING_BRACE);
  return end + 1;
}

function writeUnknownBank(to: usize, iban: usize, country: usize, hasSchemes: bool): usize {
  to = putSegment(to, fixedSegment(layout.SEGMENT_KONTONUMMER));
  if ((load<u8>(country, layout.COUNTRY_FLAGS) & layout.COUNTRY_FLAG_GERMAN) !== 0) {
    to = copy(to, iban + shared.GERMAN_KONTONUMMER, 10);
  }
  to = putSegment(to, fixedSegment(layout.SEGMENT_BLZ));
  to = copy(
    to,
    iban + load<u8>(country, layout.COUNTRY_BANK_START),
    load<u8>(country, layout.COUNTRY_BANK_LENGTH),
  );
  const ending = hasSchemes
    ? load<u32>(country, layout.COUNTRY_UNKNOWN_BANK)
    : load<u32>(country, layout.COUNTRY_UNKNOWN_BANK_INVALID);
  return putSegment(to, tables + ending);
}

/*
 * Texts are copied in words of 16 bytes, so up to 15 bytes beyond a text's end are read and written; what follows
 * overwrites them. HEADER_ENTRY_ROOM allows for it.
 */

/** Copies a text and returns the address after it. */
function copy(to: usize, from: usize, length: i32): usize {
  const end = to + length;
  while (to < end) {
    v128.store(to, v128.load(from));
    to += 16;
    from += 16;
  }
  return end;
}

/** Copies a bank's fragment, mostly 170 to 240 bytes; reads and writes FRAGMENT_COPIED at least. */
function copyFragment(to: usize, from: usize, length: i32): usize {
  v128.store(to, v128.load(from, 0), 0);
  v128.store(to, v128.load(from, 16), 16);
  v128.store(to, v128.load(from, 32), 32);
  v128.store(to, v128.load(from, 48), 48);
  v128.store(to, v128.load(from, 64), 64);
  v128.store(to, v128.load(from, 80), 80);
  v128.store(to, v128.load(from, 96), 96);
  v128.store(to, v128.load(from, 112), 112);
  v128.store(to, v128.load(from, 128), 128);
  v128.store(to, v128.load(from, 144), 144);
  v128.store(to, v128.load(from, 160), 160);
  v128.store(to, v128.load(from, 176), 176);
  v128.store(to, v128.load(from, 192), 192);
  v128.store(to, v128.load(from, 208), 208);
  v128.store(to, v128.load(from, 224), 224);
  if (length > layout.FRAGMENT_COPIED) {
    copy(to + layout.FRAGMENT_COPIED, from + layout.FRAGMENT_COPIED, length - layout.FRAGMENT_COPIED);
  }
  return to + length;
}

/** Address of the fixed segment of a number, or with SEGMENT_OUTCOMES added of that of an outcome. */
export function fixedSegment(number: u32): usize {
  return tables + load<u32>(segments + (number << 2));
}

/** Writes a segment, which is its length in four bytes and then its text. */
export function putSegment(to: usize, segment: usize): usize {
  return copy(to, segment + 4, load<u32>(segment));
}

/** Writes a segment of at most SHORT_SEGMENT_BYTES. */
export function putShort(to: usize, segment: usize): usize {
  v128.store(to, v128.load(segment, 4));
  return to + load<u32>(segment);
}

/** Writes a segment of at most MIDDLE_SEGMENT_BYTES. */
function putMiddle(to: usize, segment: usize): usize {
  v128.store(to, v128.load(segment, 4));
  v128.store(to, v128.load(segment, 20), 16);
  v128.store(to, v128.load(segment, 36), 32);
  return to + load<u32>(segment);
}

/** Writes a number of up to three digits. */
export function putNumber(to: usize, number: u32): usize {
  if (number >= 100) store<u8>(to++, 48 + <u8>(number / 100));
  if (number >= 10) store<u8>(to++, 48 + <u8>((number / 10) % 10));
  store<u8>(to, 48 + <u8>(number % 10));
  return to + 1;
}
