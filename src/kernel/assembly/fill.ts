import * as layout from "../table-layout";
import { tallies } from "./place";
import { cellOf, putDigits, putTemplate, putText } from "./template";

/** `{"line":` and the first eight bytes of `,"id":`. */
const LINE_KEY: u64 = 0x3a22_656e_696c_227b;
const ID_KEY: u64 = 0x3a22_6469_222c;
const ID_KEY_BYTES = 6;

/**
 * Writes the rows of a table from one on, each with the template of the verdict on its number, up to one that needs
 * the caller: it is read field by field, is an account, has no template or another bank's BIC, or begins at `limit` or
 * later. Returns its number. A template that is given is that of the first row.
 *
 * `dialect` is 0 for lines of JSON; for CSV it has the delimiter in its first byte and the line break in the next two.
 */
export function fillRows(
  room: usize,
  row: i32,
  count: i32,
  input: usize,
  limit: usize,
  form: u32,
  dialect: u32,
  given: usize,
): i32 {
  const lineBreak = dialect >> 8;
  const lineBreakBytes = lineBreak > 0xff ? 2 : 1;
  let at: usize = load<u32>(room, layout.FILL_AT);
  let verdict: usize = load<u32>(room, layout.FILL_VERDICT);
  let line = load<f64>(room, layout.FILL_LINE);
  while (row < count && at < limit) {
    const entry = room + layout.ROWS + ((<usize>row) << 2);
    const kind = load<i32>(entry, layout.ROW_KIND);
    if (kind === layout.ROW_OTHER) break;
    if (kind === layout.ROW_REGULAR) {
      const number = input + load<u32>(entry, layout.ROW_NUMBER_BEGIN);
      const length = input + load<u32>(entry, layout.ROW_NUMBER_END) - number;
      const isIban = load<i32>(entry, layout.ROW_BLZ) < 0;
      let template = given;
      if (template === 0) {
        if (!isIban || length > <usize>layout.MAX_FILLED_LENGTH) break;
        const what =
          load<u32>(verdict, layout.VERDICT_FINDING) | form | ((<u32>length) << layout.CELL_LENGTH_SHIFT);
        template = load<u32>(cellOf(what, load<u32>(verdict, layout.VERDICT_BANK)), layout.CELL_TEMPLATE);
        if (template === 0) break;
      }
      if (isIban && !isOwnBic(entry, input, template)) break;
      given = 0;
      if (isIban) verdict += layout.VERDICT_BYTES;
      at = dialect === 0 ? putLine(at, entry, input, line) : putOwnText(at, entry, input, <u8>dialect);
      at = putTemplate(at, template, number, <u32>length, 0);
      const tally = tallies + ((<usize>load<u16>(template, layout.TEMPLATE_TALLY)) << 2);
      store<u32>(tally, load<u32>(tally) + 1);
    } else if (dialect !== 0) {
      store<u16>(at, <u16>lineBreak);
      at += lineBreakBytes;
    }
    line += <f64>load<i32>(entry, layout.ROW_LINES);
    row++;
  }
  store<u32>(room, <u32>at, layout.FILL_AT);
  store<u32>(room, <u32>verdict, layout.FILL_VERDICT);
  store<f64>(room, line, layout.FILL_LINE);
  return row;
}

/** Whether a row's BIC changes nothing: there is none, the number is not valid, or it names the bank's institution. */
function isOwnBic(entry: usize, input: usize, template: usize): bool {
  const bic = input + load<u32>(entry, layout.ROW_BIC_BEGIN);
  const length = input + load<u32>(entry, layout.ROW_BIC_END) - bic;
  if (length === 0 || load<u16>(template, layout.TEMPLATE_TALLY) >= <u16>layout.TALLY_INVALID) return true;
  if (length !== 8 && length !== 11) return false;
  if (load<u64>(bic) !== load<u64>(template, layout.TEMPLATE_INSTITUTION)) return false;
  return length === 8 || (isBicCharacter(bic + 8) && isBicCharacter(bic + 9) && isBicCharacter(bic + 10));
}

function isBicCharacter(at: usize): bool {
  const byte: u32 = load<u8>(at);
  return byte - 48 < 10 || byte - 65 < 26;
}

/** Writes what comes before the answer in a line of JSON: its number, and the row's id. */
function putLine(at: usize, entry: usize, input: usize, line: f64): usize {
  store<u64>(at, LINE_KEY);
  at = putDigits(at + 8, <u64>line);
  const id = input + load<u32>(entry, layout.ROW_ID_BEGIN);
  const end = input + load<u32>(entry, layout.ROW_ID_END);
  if (end === input) return at;
  store<u64>(at, ID_KEY);
  return putText(at + ID_KEY_BYTES, id, end - id);
}

/** Writes a row of CSV as it was sent, with the fields that it lacks. */
function putOwnText(at: usize, entry: usize, input: usize, delimiter: u8): usize {
  const begin = input + load<u32>(entry, layout.ROW_BEGIN);
  at = putText(at, begin, input + load<u32>(entry, layout.ROW_END) - begin);
  for (let missing = load<i32>(entry, layout.ROW_MISSING); missing > 0; missing--) store<u8>(at++, delimiter);
  return at;
}
