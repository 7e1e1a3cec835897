import { FRAGMENT_COPIED } from "../layout";
import { pieces, tables } from "./place";

/*
 * Texts are copied in words of 16 bytes, so up to 15 bytes beyond a text's end are read and written; what follows
 * overwrites them. HEADER_ENTRY_ROOM reckons with it.
 */

/** Copies a text and returns the address behind it. */
export function copy(to: usize, from: usize, length: i32): usize {
  const end = to + length;
  while (to < end) {
    v128.store(to, v128.load(from));
    to += 16;
    from += 16;
  }
  return end;
}

/** Does the same for a bank's fragment, mostly 170 to 240 bytes; reads and writes FRAGMENT_COPIED at least. */
export function copyFragment(to: usize, from: usize, length: i32): usize {
  v128.store(to, v128.load(from, 0), 0);
  v128.store(to, v128.load(from, 16), 16);
  v128.store(to, v128.load(from, 32), 32);
  v128.store(to, v128.load(from, 48), 48);
  v128.store(to, v128.load(from, 64), 64);
  v128.store(to, v128.load(from, 80), 80);
  v128.store(to, v128.load(from, 96), 96);
  v128.store(to, v128.load(from, 112), 112);
  v128.store(to, v128.load(from, 128), 128);
  v128.store(to, v128.load(from, 144), 144);
  v128.store(to, v128.load(from, 160), 160);
  v128.store(to, v128.load(from, 176), 176);
  v128.store(to, v128.load(from, 192), 192);
  v128.store(to, v128.load(from, 208), 208);
  v128.store(to, v128.load(from, 224), 224);
  if (length > FRAGMENT_COPIED) {
    copy(to + FRAGMENT_COPIED, from + FRAGMENT_COPIED, length - FRAGMENT_COPIED);
  }
  return to + length;
}

/** Address of the fixed piece of a number, or with PIECE_OUTCOMES added of that of an outcome. */
export function fixedPiece(number: u32): usize {
  return tables + load<u32>(pieces + (number << 2));
}

/** Writes a piece, which is its length in four bytes and then its text. */
export function putPiece(to: usize, piece: usize): usize {
  return copy(to, piece + 4, load<u32>(piece));
}

/** Does the same for a piece of at most SHORT_PIECE_BYTES. */
export function putShort(to: usize, piece: usize): usize {
  v128.store(to, v128.load(piece, 4));
  return to + load<u32>(piece);
}

/** Does the same for a piece of at most MIDDLE_PIECE_BYTES. */
export function putMiddle(to: usize, piece: usize): usize {
  v128.store(to, v128.load(piece, 4));
  v128.store(to, v128.load(piece, 20), 16);
  v128.store(to, v128.load(piece, 36), 32);
  return to + load<u32>(piece);
}

/** Writes a number of up to three digits. */
export function putNumber(to: usize, number: u32): usize {
  if (number >= 100) store<u8>(to++, 48 + <u8>(number / 100));
  if (number >= 10) store<u8>(to++, 48 + <u8>((number / 10) % 10));
  store<u8>(to, 48 + <u8>(number % 10));
  return to + 1;
}
