import { LOOKED_AT } from "../layout";
import { SHORTEST_IBAN } from "../restated";
import { ENTRY_AS_SENT, ENTRY_NORMALISED } from "./block";
import { digits32, digits48, foldCase48, letters32, letters48, lowestBits, matches48 } from "./characters";
import { checkForm } from "./iban";
import { readAsWritten } from "./read-as-written";

const SPACE: i8 = 32;
const QUOTE: i8 = 34;

/**
 * Reads the string behind the opening quote before `text` into an entry and checks the IBAN by itself.
 *
 * Gives the address behind the closing quote; 0 where the string has other characters than the kernel understands or
 * does not end. There are three ways to read, from the most usual string to the most general.
 */
export function readEntry(entry: usize, text: usize, end: usize): usize {
  if (text + LOOKED_AT > end) return readAsWritten(entry, text, end);
  const digits = digits32(text);
  const letters = letters32(text);
  const length = <i32>ctz<u32>(~(digits | letters));
  if (load<i8>(text + length) === QUOTE && length >= SHORTEST_IBAN && (letters & 3) === 3) {
    const within = lowestBits(length);
    store<u32>(entry, 0, ENTRY_AS_SENT);
    checkForm(entry, text, length, digits & within, letters & within);
    return text + length + 1;
  }
  // A run may be copied that begins with the last character looked at.
  return text + 2 * LOOKED_AT <= end ? readSpaced(entry, text, end) : readAsWritten(entry, text, end);
}

/** Reads an IBAN with spaces or in lower case that ends within 47 characters; hands anything else on. */
function readSpaced(entry: usize, text: usize, end: usize): usize {
  const length = <i32>ctz<u64>(matches48(text, QUOTE));
  if (length >= LOOKED_AT) return readAsWritten(entry, text, end);
  const normalised = entry + ENTRY_NORMALISED;
  const stops = matches48(text, SPACE) | ((<u64>1) << (<u64>length));
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
  store<u32>(entry, 0, ENTRY_AS_SENT);
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
