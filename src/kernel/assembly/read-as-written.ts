import { OUTCOME_NOT_AN_IBAN, SHORTEST_IBAN } from "../restated";
import {
  ENTRY_AS_SENT,
  ENTRY_BANK,
  ENTRY_LENGTH,
  ENTRY_NORMALISED,
  ENTRY_OUTCOME,
  ENTRY_TEXT,
  MOST_NORMALISED,
} from "./block";
import { digits48, letters48, lowestBits } from "./characters";
import { checkForm } from "./iban";

const SPACE: u32 = 32;
const QUOTE: u32 = 34;
const BACKSLASH: u32 = 92;
const LAST_PRINTABLE: u32 = 126;
const LOWER_CASE: u32 = 32;

/** The byte in upper case. */
export function upperCase(byte: u32): u32 {
  return byte - 97 < 26 ? byte - LOWER_CASE : byte;
}

/**
 * Reads any string byte by byte: one of any length, one that is not an IBAN, and the last ones of a body.
 *
 * Gives the address behind the closing quote, 0 where the string does not end or is not understood.
 */
export function readAsWritten(entry: usize, text: usize, end: usize): usize {
  const at = readCharacters(entry, text, end);
  return at === 0 || at >= end ? 0 : at + 1;
}

/** Reads characters up to a quote or the end and gives the address of that; 0 where one is not understood. */
export function readCharacters(entry: usize, text: usize, end: usize): usize {
  const normalised = entry + ENTRY_NORMALISED;
  let at = text;
  let length = 0;
  let isFormal = true;
  while (at < end && load<u8>(at) !== QUOTE) {
    const sent: u32 = load<u8>(at++);
    if (sent < SPACE || sent > LAST_PRINTABLE || sent === BACKSLASH) return 0;
    if (sent === SPACE) continue;
    const byte = upperCase(sent);
    if (byte - 65 >= 26 && (length < 2 || byte - 48 >= 10)) isFormal = false;
    if (length < MOST_NORMALISED) store<u8>(normalised + length, byte);
    length++;
  }
  if (isFormal && length >= SHORTEST_IBAN) {
    // Places beyond those kept do not matter, since no IBAN is as long.
    const within = lowestBits(min(length, MOST_NORMALISED));
    checkForm(entry, normalised, length, digits48(normalised) & within, letters48(normalised) & within);
    store<u32>(entry, length > MOST_NORMALISED ? 1 : 0, ENTRY_AS_SENT);
  } else {
    store<u32>(entry, length, ENTRY_LENGTH);
    store<u32>(entry, OUTCOME_NOT_AN_IBAN, ENTRY_OUTCOME);
    store<u32>(entry, 0, ENTRY_BANK);
    store<u32>(entry, 1, ENTRY_AS_SENT);
  }
  if (load<u32>(entry, ENTRY_AS_SENT) !== 0) store<u32>(entry, text, ENTRY_TEXT);
  return at;
}
