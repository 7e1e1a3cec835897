import {
  MOST_ENTRIES,
  PIECE_BATCH_HEAD,
  PIECE_BATCH_TAIL,
  PIECE_FIRST_ENTRY,
  PIECE_NEXT_ENTRY,
  PIECE_RESULTS,
} from "../layout";
import { fixedPiece, putNumber, putPiece, putShort } from "./answer";
import { closesBody, countStrings, openArray, sees, skipWhiteSpace } from "./body";
import { next, writeEntry } from "./entry";
import { entryRoom } from "./place";

export { open } from "./place";

const QUOTE: u32 = 34;
const COMMA: u32 = 44;
const NOT_UNDERSTOOD: i32 = -1;

/** Number of entries of the batch written last. */
export let count: i32 = 0;

/** Writes the answer to a batch and gives its length, -1 where the body is not understood or the answer lacks room. */
export function writeBatch(input: usize, inputLength: usize, output: usize, outputRoom: usize): i32 {
  const end = input + inputLength;
  const limit = output + outputRoom;
  const entries = countStrings(input, end);
  if (entries < 1 || entries > MOST_ENTRIES || outputRoom < entryRoom) return NOT_UNDERSTOOD;
  let at = openArray(input, end);
  if (at === 0) return NOT_UNDERSTOOD;
  let to = putPiece(output, fixedPiece(PIECE_BATCH_HEAD));
  to = putNumber(to, entries);
  to = putPiece(to, fixedPiece(PIECE_RESULTS));
  const nextEntry = fixedPiece(PIECE_NEXT_ENTRY);
  for (let entry = 0; entry < entries; entry++) {
    at = skipWhiteSpace(at, end);
    if (entry > 0) {
      if (!sees(COMMA, at, end)) return NOT_UNDERSTOOD;
      at = skipWhiteSpace(at + 1, end);
    }
    if (!sees(QUOTE, at, end) || to + entryRoom > limit) return NOT_UNDERSTOOD;
    to = putShort(to, entry === 0 ? fixedPiece(PIECE_FIRST_ENTRY) : nextEntry);
    to = writeEntry(at + 1, end, to, limit);
    if (to === 0) return NOT_UNDERSTOOD;
    at = next;
  }
  if (!closesBody(at, end) || to + entryRoom > limit) return NOT_UNDERSTOOD;
  to = putPiece(to, fixedPiece(PIECE_BATCH_TAIL));
  count = entries;
  return <i32>(to - output);
}
