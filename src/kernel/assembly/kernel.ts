import { maxBatchIbans } from "../../contract/limits";
import * as layout from "../table-layout";
import { fetchFragments, findBanks } from "./bank";
import { BLOCK_BYTES, BLOCK_ENTRIES, ENTRY_AS_SENT, ENTRY_BYTES, entryRoom } from "./place";
import { closesBody, countStrings, openArray, openString, readCharacters, readEntry } from "./read-entry";
import { fixedSegment, putNumber, putSegment, putShort, writeEntry, writeSingleAnswer } from "./write-entry";

export { cellOf, fillRows, openTemplates } from "./fill";
export { judge } from "./judge";
export { choose, open } from "./place";

/** A comma and a quote. */
const COMMA_AND_QUOTE: u16 = 0x222c;
const NOT_UNDERSTOOD: i32 = -1;

/** Number of entries of the batch written last. */
export let count: i32 = 0;

/** Writes the answer to a batch and returns its length, -1 if the body is not understood or the answer lacks room. */
export function writeBatch(input: usize, inputLength: usize, output: usize, outputRoom: usize): i32 {
  const end = input + inputLength;
  const entries = countStrings(input, end);
  if (entries < 1 || entries > maxBatchIbans || outputRoom < entryRoom + BLOCK_BYTES) return NOT_UNDERSTOOD;
  const block = (output + outputRoom - BLOCK_BYTES) & ~15;
  let at = openArray(input, end);
  if (at === 0) return NOT_UNDERSTOOD;
  let to = putSegment(output, fixedSegment(layout.SEGMENT_BATCH_HEAD));
  to = putNumber(to, entries);
  to = putSegment(to, fixedSegment(layout.SEGMENT_RESULTS));
  for (let first = 0; first < entries; first += BLOCK_ENTRIES) {
    const blockEntries = min(BLOCK_ENTRIES, entries - first);
    at = readBlock(block, blockEntries, first, at, end);
    if (at === 0) return NOT_UNDERSTOOD;
    findBanks(block, blockEntries);
    fetchFragments(block, blockEntries);
    to = writeBlock(block, blockEntries, first, to);
    if (to === 0) return NOT_UNDERSTOOD;
  }
  if (!closesBody(at, end)) return NOT_UNDERSTOOD;
  to = putSegment(to, fixedSegment(layout.SEGMENT_BATCH_TAIL));
  count = entries;
  return <i32>(to - output);
}

/**
 * Writes the answer to the check of a single IBAN and returns its length, -1 if it is not understood: a text that is not
 * an IBAN by its form or longer than any, and a bank that the reference warns of.
 */
export function writeSingle(input: usize, inputLength: usize, output: usize, outputRoom: usize): i32 {
  if (outputRoom < entryRoom + BLOCK_BYTES) return NOT_UNDERSTOOD;
  const entry = (output + outputRoom - BLOCK_BYTES) & ~15;
  const end = input + inputLength;
  if (readCharacters(entry, input, end) !== end || load<u32>(entry, ENTRY_AS_SENT) !== 0)
    return NOT_UNDERSTOOD;
  findBanks(entry, 1);
  const to = writeSingleAnswer(entry, output, entry);
  return to === 0 ? NOT_UNDERSTOOD : <i32>(to - output);
}

/** Reads strings of the array into a block; returns the address after the last one, 0 if they are not understood. */
function readBlock(block: usize, entries: i32, first: i32, at: usize, end: usize): usize {
  for (let index = 0; index < entries; index++) {
    // Fast path: nearly every body has `,"` between two strings.
    if (first + index > 0 && at + 2 <= end && load<u16>(at) === COMMA_AND_QUOTE) at += 2;
    else at = openString(at, end, first + index > 0);
    if (at === 0) return 0;
    at = readEntry(block + index * ENTRY_BYTES, at, end);
    if (at === 0) return 0;
  }
  return at;
}

/** Writes the entries of a block, which begins where the answer must end; returns the address after them or 0. */
function writeBlock(block: usize, entries: i32, first: i32, to: usize): usize {
  const nextEntry = fixedSegment(layout.SEGMENT_NEXT_ENTRY);
  for (let index = 0; index < entries; index++) {
    to = putShort(to, first + index === 0 ? fixedSegment(layout.SEGMENT_FIRST_ENTRY) : nextEntry);
    to = writeEntry(block + index * ENTRY_BYTES, to, block);
    if (to === 0) return 0;
  }
  return to;
}
