import * as layout from "../table-layout";
import { countryOf } from "./judge";
import { directory, Entry } from "./place";
import * as shared from "./shared-constants";
import { cellOf, putTemplate } from "./template";

/**
 * Has the reference word the answer to the number at `number`, and returns the address of its new template; 0 if there is
 * no room for it. `bank` is the offset of its bank's record in the directory, or 0.
 */
declare function makeTemplate(what: u32, key: u32, number: usize, length: u32, bank: u32): usize;

/**
 * Has the reference write an entry of a batch for the string of `length` bytes at `text`.
 *
 * Returns the address after it; 0 if it does not end before `limit`, or the string is not UTF-8.
 */
declare function writeByReference(text: usize, length: u32, to: usize, limit: usize): usize;

/** Set in the key of banks of one answer class, not in that of a country. */
const CLASS: u32 = 0x8000_0000;

/** Does the checks that need the bank and writes an entry; returns the address after it, 0 if the answer has too little room. */
export function fillEntry(entry: Entry, to: usize, limit: usize, form: u32): usize {
  const text = entry.text;
  const length = entry.length;
  if (entry.asSent) {
    return writeByReference(text, length, to, limit - layout.FILL_SLACK);
  }
  const bank = entry.bank;
  const what = entry.outcome | form | (length << layout.CELL_LENGTH_SHIFT);
  const key = bank === 0 ? countryOf(entry) : CLASS | <u32>load<u16>(bank, shared.RECORD_ANSWER_CLASS);
  const template = templateOf(what, key, text, length, bank);
  if (template === 0) return writeByReference(text, length, to, limit - layout.FILL_SLACK);
  const fragment: usize = bank === 0 ? 0 : load<u16>(bank, shared.RECORD_FRAGMENT_BYTES);
  if (to + load<u16>(template, layout.TEMPLATE_BYTES) + fragment + layout.FILL_SLACK > limit) return 0;
  return putTemplate(to, template, text, length, bank);
}

/** Writes what opens or closes the answer to a batch; nothing if it has no template. */
export function putFrame(to: usize, what: u32, digits: usize, count: u32): usize {
  const template = templateOf(what | (count << layout.CELL_LENGTH_SHIFT), 0, digits, count, 0);
  return putTemplate(to, template, digits, count, 0);
}

function templateOf(what: u32, key: u32, number: usize, length: u32, bank: usize): usize {
  const template: usize = load<u32>(cellOf(what, key), layout.CELL_TEMPLATE);
  if (template !== 0) return template;
  return makeTemplate(what, key, number, length, bank === 0 ? 0 : <u32>(bank - directory));
}
