import * as layout from "../table-layout";
import { findBanks } from "./bank";
import { checkBban, warningOf } from "./bban";
import { BLOCK_BYTES, BLOCK_ENTRIES, directory, Entry, entryAt, hasWarnings } from "./place";
import { readCharacters, readNormalised } from "./read-entry";
import { OUTCOME_VALID } from "./shared-constants";

const LINE_FEED: u8 = 10;

/**
 * Judges the numbers of a text, in normal form with a line feed after each, and writes a verdict of VERDICT_BYTES for each;
 * returns how many. Stops when the room is full.
 */
export function judge(input: usize, inputLength: usize, output: usize, outputRoom: usize): i32 {
  const end = input + inputLength;
  const block = (output + outputRoom - BLOCK_BYTES) & ~15;
  let at = input;
  let verdict = output;
  let lines = 0;
  while (at < end && verdict + BLOCK_ENTRIES * layout.VERDICT_BYTES <= block) {
    let entries = 0;
    while (entries < BLOCK_ENTRIES && at < end) at = readLine(entryAt(block, entries++), at, end) + 1;
    findBanks(block, entries);
    judgeEntries(block, entries);
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
  let last = text + layout.LOOKED_AT <= end ? readNormalised(entry, text, LINE_FEED) : 0;
  if (last !== 0) return last;
  last = text;
  while (last < end && load<u8>(last) !== LINE_FEED) last++;
  readCharacters(entry, text, last);
  return last;
}

function writeVerdict(entry: Entry, verdict: usize): void {
  const bank = entry.bank;
  store<u32>(verdict, entry.outcome, layout.VERDICT_FINDING);
  store<u32>(verdict, bank === 0 ? countryOf(entry) : <u32>(bank - directory), layout.VERDICT_BANK);
}

/** Makes the checks of a block's entries that need their banks, and notes the first field of each verdict as its outcome. */
export function judgeEntries(block: usize, entries: i32): void {
  for (let index = 0; index < entries; index++) {
    const entry = entryAt(block, index);
    if (entry.outcome !== OUTCOME_VALID) continue;
    const iban = entry.text;
    const country = entry.country;
    const bank = entry.bank;
    const outcome = checkBban(iban, country, bank);
    const warning = hasWarnings && outcome === OUTCOME_VALID ? warningOf(iban, country, bank) + 1 : 0;
    const unknown = bank === 0 ? layout.VERDICT_UNKNOWN_BANK : 0;
    entry.outcome = outcome | (warning << layout.VERDICT_WARNING_SHIFT) | unknown;
  }
}

/** One more than the index of an entry's country, 0 if it has none. */
export function countryOf(entry: Entry): u32 {
  const country = entry.country;
  return country === 0 ? 0 : 1 + <u32>load<u8>(country, layout.COUNTRY_INDEX);
}
