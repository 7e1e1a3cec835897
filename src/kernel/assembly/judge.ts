import * as layout from "../table-layout";
import { findBanks } from "./bank";
import { checkBban, warningOf } from "./bban";
import { checkForm } from "./iban";
import { BLOCK_BYTES, BLOCK_ENTRIES, directory, Entry, entryAt, hasWarnings } from "./place";
import { digits32, letters32, lowestBits, readCharacters } from "./read-entry";
import { OUTCOME_VALID, SHORTEST_IBAN } from "./shared-constants";

const TAB: u8 = 9;
const LINE_FEED: u8 = 10;
const CARRIAGE_RETURN: u8 = 13;
const SPACE: u8 = 32;

/**
 * Judges the IBANs of a text, one a line, and writes a verdict of VERDICT_BYTES for each; returns how many.
 *
 * Text after the last line feed counts as a line too. Stops when the room is full.
 */
export function judge(input: usize, inputLength: usize, output: usize, outputRoom: usize): i32 {
  const end = input + inputLength;
  const block = (output + outputRoom - BLOCK_BYTES) & ~15;
  let at = input;
  let verdict = output;
  let lines = 0;
  while (at < end && verdict + BLOCK_ENTRIES * layout.VERDICT_BYTES <= block) {
    let entries = 0;
    while (entries < BLOCK_ENTRIES && at < end) {
      const last = readLine(entryAt(block, entries), at, end);
      store<u32>(verdict + entries * layout.VERDICT_BYTES, <u32>(last - input), layout.VERDICT_END);
      at = last + 1;
      entries++;
    }
    findBanks(block, entries);
    for (let index = 0; index < entries; index++) {
      writeVerdict(entryAt(block, index), verdict);
      verdict += layout.VERDICT_BYTES;
    }
    lines += entries;
  }
  return lines;
}

/** Reads a line into an entry and checks the IBAN alone; returns the address of its line feed, or of the end. */
function readLine(entry: Entry, text: usize, end: usize): usize {
  if (text + layout.LOOKED_AT <= end) {
    const digits = digits32(text);
    const letters = letters32(text);
    const length = <i32>ctz<u32>(~(digits | letters));
    const after = text + length;
    const isLine =
      load<u8>(after) === LINE_FEED ||
      (load<u8>(after) === CARRIAGE_RETURN && load<u8>(after, 1) === LINE_FEED);
    if (isLine && length >= SHORTEST_IBAN && (letters & 3) === 3) {
      const within = lowestBits(length);
      checkForm(entry, text, length, digits & within, letters & within);
      return load<u8>(after) === LINE_FEED ? after : after + 1;
    }
  }
  let last = text;
  while (last < end && load<u8>(last) !== LINE_FEED) last++;
  readAnyLine(entry, text, last > text && load<u8>(last - 1) === CARRIAGE_RETURN ? last - 1 : last);
  return last;
}

/** An outcome beyond those of a check says that the line is blank, or left to the reference. */
function readAnyLine(entry: Entry, text: usize, end: usize): void {
  let at = text;
  while (at < end && isBlank(load<u8>(at))) at++;
  const isEmpty = at === end;
  if (!isEmpty && readCharacters(entry, text, end) === end) return;
  entry.note(text, 0, isEmpty ? layout.VERDICT_BLANK : layout.LEFT_TO_REFERENCE, 0);
}

function isBlank(byte: u8): bool {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}

function writeVerdict(entry: Entry, verdict: usize): void {
  const bank = entry.bank;
  store<u32>(verdict, findingOf(entry), layout.VERDICT_FINDING);
  store<u32>(verdict, bank === 0 ? countryOf(entry) : <u32>(bank - directory), layout.VERDICT_BANK);
}

/** Makes the checks of an entry that need its bank, and returns the first field of its verdict. */
export function findingOf(entry: Entry): u32 {
  const found = entry.outcome;
  if (found !== OUTCOME_VALID) return found;
  const iban = entry.text;
  const country = entry.country;
  const bank = entry.bank;
  const outcome = checkBban(iban, country, bank);
  const warning = hasWarnings && outcome === OUTCOME_VALID ? warningOf(iban, country, bank) + 1 : 0;
  const unknown = bank === 0 ? layout.VERDICT_UNKNOWN_BANK : 0;
  return outcome | (warning << layout.VERDICT_WARNING_SHIFT) | unknown;
}

/** One more than the index of an entry's country, 0 if it has none. */
export function countryOf(entry: Entry): u32 {
  const country = entry.country;
  return country === 0 ? 0 : 1 + <u32>load<u8>(country, layout.COUNTRY_INDEX);
}
