import { LOOKED_AT } from "../table-layout";
import { checkForm } from "./iban";
import { Entry, MAX_NORMALISED } from "./place";
import { OUTCOME_NOT_AN_IBAN, SHORTEST_IBAN } from "./shared-constants";

/*
 * Characters are classified sixteen at a time. The functions take an address and look at as many bytes from there on as
 * their names say; bit n of a result says whether the n-th of them is from `first` to `last`.
 */

function within16(text: usize, first: i8, last: i8): u32 {
  return i8x16.bitmask(i8x16.le_u(i8x16.sub(v128.load(text), i8x16.splat(first)), i8x16.splat(last - first)));
}

function within32(text: usize, first: i8, last: i8): u32 {
  return within16(text, first, last) | (within16(text + 16, first, last) << 16);
}

function within48(text: usize, first: i8, last: i8): u64 {
  return <u64>within32(text, first, last) | ((<u64>within16(text + 32, first, last)) << 32);
}

function digits48(text: usize): u64 {
  return within48(text, DIGIT_0, DIGIT_9);
}

function letters48(text: usize): u64 {
  return within48(text, LETTER_A, LETTER_Z);
}

function foldCase48(text: usize): void {
  foldCase16(text);
  foldCase16(text + 16);
  foldCase16(text + 32);
}

function foldCase16(text: usize): void {
  const bytes = v128.load(text);
  const isLower = i8x16.le_u(i8x16.sub(bytes, i8x16.splat(97)), i8x16.splat(25));
  v128.store(text, i8x16.sub(bytes, v128.and(isLower, i8x16.splat(32))));
}

/** A word whose lowest bits are set, at most 63 of them. */
function lowestBits(count: i32): u64 {
  return ((<u64>1) << (<u64>count)) - 1;
}

const DIGIT_0: i8 = 48;
const DIGIT_9: i8 = 57;
const LETTER_A: i8 = 65;
const LETTER_Z: i8 = 90;
const SPACE: u32 = 32;
const QUOTE: u32 = 34;
const BACKSLASH: u32 = 92;
const LAST_PRINTABLE: u32 = 126;
const LOWER_CASE: u32 = 32;

function upperCase(byte: u32): u32 {
  return byte - 97 < 26 ? byte - LOWER_CASE : byte;
}

/**
 * Reads any string byte by byte: one of any length, one that is not an IBAN, and the last ones of a body.
 *
 * Returns the address after the closing quote, 0 if the string does not end or is not understood.
 */
function readAsWritten(entry: Entry, text: usize, end: usize): usize {
  const at = readCharacters(entry, text, end);
  return at === 0 || at >= end ? 0 : at + 1;
}

/**
 * Reads characters up to a quote or the end and returns the address of that; 0 if there is an escape or a control
 * character. A text with anything but printable ASCII is left to the reference as it was sent.
 */
export function readCharacters(entry: Entry, text: usize, end: usize): usize {
  const normalised = entry.normalised;
  let at = text;
  let length = 0;
  let isFormal = true;
  let isPlain = true;
  while (at < end && load<u8>(at) !== QUOTE) {
    const sent: u32 = load<u8>(at++);
    if (sent < SPACE || sent === BACKSLASH) return 0;
    if (sent === SPACE) continue;
    if (sent > LAST_PRINTABLE) isPlain = false;
    const byte = upperCase(sent);
    if (byte - 65 >= 26 && (length < 2 || byte - 48 >= 10)) isFormal = false;
    if (length < MAX_NORMALISED) store<u8>(normalised + length, byte);
    length++;
  }
  if (isPlain && isFormal && length >= SHORTEST_IBAN) {
    // Places beyond those kept do not matter, since no IBAN is as long.
    const within = lowestBits(min(length, MAX_NORMALISED));
    checkForm(entry, normalised, length, digits48(normalised) & within, letters48(normalised) & within);
  } else {
    entry.note(normalised, length, OUTCOME_NOT_AN_IBAN, 0);
  }
  if (!isPlain || length > MAX_NORMALISED) {
    entry.asSent = true;
    entry.text = text;
    entry.length = <u32>(at - text);
  }
  return at;
}

/**
 * Reads an IBAN in normal form before the byte `after` into an entry and checks it alone; returns the address of that byte,
 * 0 if there is no such IBAN. LOOKED_AT bytes are read.
 */
export function readNormalised(entry: Entry, text: usize, after: u8): usize {
  const digits = within32(text, DIGIT_0, DIGIT_9);
  const letters = within32(text, LETTER_A, LETTER_Z);
  const length = <i32>ctz<u32>(~(digits | letters));
  if (load<u8>(text + length) !== after || length < SHORTEST_IBAN || (letters & 3) !== 3) return 0;
  const within = lowestBits(length);
  checkForm(entry, text, length, digits & within, letters & within);
  return text + length;
}

/**
 * Reads the string after the opening quote before `text` into an entry and checks the IBAN alone.
 *
 * Returns the address after the closing quote; 0 if the string has other characters than the kernel understands or
 * does not end. There are three ways to read, from the most usual string to the most general.
 */
export function readEntry(entry: Entry, text: usize, end: usize): usize {
  if (text + LOOKED_AT > end) return readAsWritten(entry, text, end);
  const last = readNormalised(entry, text, <u8>QUOTE);
  if (last !== 0) return last + 1;
  // A run may be copied that begins with the last character looked at.
  return text + 2 * LOOKED_AT <= end ? readSpaced(entry, text, end) : readAsWritten(entry, text, end);
}

/** Reads an IBAN with spaces or in lower case that ends within 47 characters; leaves anything else to `readAsWritten`. */
function readSpaced(entry: Entry, text: usize, end: usize): usize {
  const length = <i32>ctz<u64>(within48(text, <i8>QUOTE, <i8>QUOTE));
  if (length >= LOOKED_AT) return readAsWritten(entry, text, end);
  const normalised = entry.normalised;
  const stops = within48(text, <i8>SPACE, <i8>SPACE) | ((<u64>1) << (<u64>length));
  let to = normalised;
  let place = 0;
  while (place < length) {
    const run = <i32>ctz<u64>(stops >> <u64>place);
    copyRun(to, text + place, run);
    to += run;
    place += run + 1;
  }
  foldCase48(normalised);
  const kept = <i32>(to - normalised);
  const within = lowestBits(kept);
  const digits = digits48(normalised) & within;
  const letters = letters48(normalised) & within;
  if ((digits | letters) !== within || kept < SHORTEST_IBAN || (letters & 3) !== 3) {
    return readAsWritten(entry, text, end);
  }
  checkForm(entry, normalised, kept, digits, letters);
  return text + length + 1;
}

/** Copies up to 47 characters, and with them up to 15 bytes more than there are. */
function copyRun(to: usize, from: usize, length: i32): void {
  v128.store(to, v128.load(from));
  if (length <= 16) return;
  v128.store(to, v128.load(from, 16), 16);
  if (length > 32) v128.store(to, v128.load(from, 32), 32);
}

const OPENING_BRACE: u32 = 123;
const CLOSING_BRACE: u32 = 125;
const OPENING_BRACKET: u32 = 91;
const CLOSING_BRACKET: u32 = 93;
const COMMA: u32 = 44;
const COLON: u32 = 58;
/** Tab, line feed, carriage return and space. */
const WHITE_SPACE: u64 = (1 << 9) | (1 << 10) | (1 << 13) | (1 << 32);
/** `ibans"` */
const KEY: u64 = 0x2273_6e61_6269;

/** Address of the first byte from `at` on that is not a JSON white space. */
function skipWhiteSpace(at: usize, end: usize): usize {
  while (at < end && isWhiteSpace(load<u8>(at))) at++;
  return at;
}

function isWhiteSpace(byte: u32): bool {
  return byte <= SPACE && ((WHITE_SPACE >> <u64>byte) & 1) !== 0;
}

/** Address after a byte that is the first after white space; 0 if another one is, or `at` is 0. */
function after(byte: u32, at: usize, end: usize): usize {
  if (at === 0) return 0;
  at = skipWhiteSpace(at, end);
  return at < end && load<u8>(at) === byte ? at + 1 : 0;
}

/**
 * How many strings the body's array must have: two quotes each, and two for the key.
 *
 * Only true if there is no escape and nothing else in the body, which the reader of the entries finds out.
 */
export function countStrings(at: usize, end: usize): i32 {
  let quotes: i32 = 0;
  while (at + 16 <= end) {
    quotes += popcnt<i32>(within16(at, <i8>QUOTE, <i8>QUOTE));
    at += 16;
  }
  while (at < end) quotes += i32(load<u8>(at++) === QUOTE);
  return (quotes >> 1) - 1;
}

/** Address after the bracket that opens the array, 0 if the body does not begin as `{"ibans":[` does. */
export function openArray(at: usize, end: usize): usize {
  at = after(QUOTE, after(OPENING_BRACE, at, end), end);
  if (at === 0 || at + 6 > end || load<u64>(at - 2) >> 16 !== KEY) return 0;
  return after(OPENING_BRACKET, after(COLON, at + 6, end), end);
}

/** Address after the quote that opens the next string, after a comma where one is due; 0 if there is none. */
export function openString(at: usize, end: usize, isCommaDue: bool): usize {
  return after(QUOTE, isCommaDue ? after(COMMA, at, end) : at, end);
}

/** Whether nothing but the brackets' and braces' counterparts is from `at` to the end of the body. */
export function closesBody(at: usize, end: usize): bool {
  at = after(CLOSING_BRACE, after(CLOSING_BRACKET, at, end), end);
  return at !== 0 && skipWhiteSpace(at, end) === end;
}
