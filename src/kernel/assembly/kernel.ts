import { maxBatchIbans } from "../../contract/limits";
import * as layout from "../table-layout";
import { fetchFragments, findBanks } from "./bank";
import { judgeEntries } from "./judge";
import { BLOCK_BYTES, BLOCK_ENTRIES, entryAt } from "./place";
import { closesBody, countStrings, openArray, openString, readCharacters, readEntry } from "./read-entry";
import { OUTCOME_NOT_AN_IBAN } from "./shared-constants";
import { putDigits } from "./template";
import { fillEntry, putFrame } from "./write-entry";

export { fillRows } from "./fill";
export { judge } from "./judge";
export { open, reportWarnings } from "./place";
export { cellOf } from "./template";

/** A comma and a quote. */
const COMMA_AND_QUOTE: u16 = 0x222c;
const NOT_UNDERSTOOD: i32 = -1;

/** Number of entries of the batch written last. */
export let count: i32 = 0;

/** Writes the answer to a batch and returns its length, -1 if the body is not understood or the answer lacks room. */
export function writeBatch(
  input: usize,
  inputLength: usize,
  output: usize,
  outputRoom: usize,
  form: u32,
): i32 {
  const end = input + inputLength;
  const entries = countStrings(input, end);
  if (entries < 1 || entries > maxBatchIbans || outputRoom < <usize>layout.MIN_ROOM) return NOT_UNDERSTOOD;
  const block = (output + outputRoom - BLOCK_BYTES) & ~15;
  let at = openArray(input, end);
  if (at === 0) return NOT_UNDERSTOOD;
  const digits = <u32>(putDigits(block, entries) - block);
  let to = putFrame(output, layout.FINDING_BATCH_HEAD | form, block, digits);
  for (let first = 0; first < entries; first += BLOCK_ENTRIES) {
    const blockEntries = min(BLOCK_ENTRIES, entries - first);
    at = readBlock(block, blockEntries, first, at, end);
    if (at === 0) return NOT_UNDERSTOOD;
    findBanks(block, blockEntries);
    fetchFragments(block, blockEntries);
    judgeEntries(block, blockEntries);
    to = writeBlock(block, blockEntries, to, form);
    if (to === 0) return NOT_UNDERSTOOD;
  }
  if (!closesBody(at, end)) return NOT_UNDERSTOOD;
  // Each entry ends with what separates it from the next, so that the last byte is one too many.
  to = putFrame(to - 1, layout.FINDING_BATCH_TAIL | form, block, 0);
  count = entries;
  return <i32>(to - output);
}

/**
 * Writes the answer to the check of a single IBAN and returns its length, -1 if it is not understood: a text that is not
 * an IBAN by its form or longer than any.
 */
export function writeSingle(
  input: usize,
  inputLength: usize,
  output: usize,
  outputRoom: usize,
  form: u32,
): i32 {
  if (outputRoom < <usize>layout.MIN_ROOM) return NOT_UNDERSTOOD;
  const block = (output + outputRoom - BLOCK_BYTES) & ~15;
  const entry = entryAt(block, 0);
  const end = input + inputLength;
  if (readCharacters(entry, input, end) !== end || entry.asSent || entry.outcome === OUTCOME_NOT_AN_IBAN) {
    return NOT_UNDERSTOOD;
  }
  findBanks(block, 1);
  judgeEntries(block, 1);
  const to = writeBlock(block, 1, output, form);
  return to === 0 ? NOT_UNDERSTOOD : <i32>(to - output);
}

/** Reads strings of the array into a block; returns the address after the last one, 0 if they are not understood. */
function readBlock(block: usize, entries: i32, first: i32, at: usize, end: usize): usize {
  for (let index = 0; index < entries; index++) {
    // Fast path: nearly every body has `,"` between two strings.
    if (first + index > 0 && at + 2 <= end && load<u16>(at) === COMMA_AND_QUOTE) at += 2;
    else at = openString(at, end, first + index > 0);
    if (at === 0) return 0;
    at = readEntry(entryAt(block, index), at, end);
    if (at === 0) return 0;
  }
  return at;
}

/** Writes the entries of a block, which begins where the answer must end; returns the address after them or 0. */
function writeBlock(block: usize, entries: i32, to: usize, form: u32): usize {
  for (let index = 0; index < entries; index++) {
    to = fillEntry(entryAt(block, index), to, block, form);
    if (to === 0) return 0;
  }
  return to;
}
