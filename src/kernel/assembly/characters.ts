/*
 * Characters are told apart sixteen at a time. The functions take an address and look at as many bytes from there on as
 * their names say; bit n of a result speaks of the n-th of them.
 */

/** Which of 16 bytes are digits. */
function digits16(text: usize): u32 {
  return i8x16.bitmask(i8x16.le_u(i8x16.sub(v128.load(text), i8x16.splat(48)), i8x16.splat(9)));
}

/** Which of 16 bytes are upper-case letters. */
function letters16(text: usize): u32 {
  return i8x16.bitmask(i8x16.le_u(i8x16.sub(v128.load(text), i8x16.splat(65)), i8x16.splat(25)));
}

/** Which of 16 bytes are the one given. */
function matches16(text: usize, byte: i8): u32 {
  return i8x16.bitmask(i8x16.eq(v128.load(text), i8x16.splat(byte)));
}

/** Which of 32 bytes are digits. */
export function digits32(text: usize): u32 {
  return digits16(text) | (digits16(text + 16) << 16);
}

/** Which of 32 bytes are upper-case letters. */
export function letters32(text: usize): u32 {
  return letters16(text) | (letters16(text + 16) << 16);
}

/** Which of 48 bytes are digits. */
export function digits48(text: usize): u64 {
  return <u64>digits32(text) | ((<u64>digits16(text + 32)) << 32);
}

/** Which of 48 bytes are upper-case letters. */
export function letters48(text: usize): u64 {
  return <u64>letters32(text) | ((<u64>letters16(text + 32)) << 32);
}

/** Which of 48 bytes are the one given. */
export function matches48(text: usize, byte: i8): u64 {
  const head = matches16(text, byte) | (matches16(text + 16, byte) << 16);
  return <u64>head | ((<u64>matches16(text + 32, byte)) << 32);
}

/** Turns lower-case letters into upper case where they stand, in 48 bytes. */
export function foldCase48(text: usize): void {
  foldCase16(text);
  foldCase16(text + 16);
  foldCase16(text + 32);
}

function foldCase16(text: usize): void {
  const bytes = v128.load(text);
  const isLower = i8x16.le_u(i8x16.sub(bytes, i8x16.splat(97)), i8x16.splat(25));
  v128.store(text, i8x16.sub(bytes, v128.and(isLower, i8x16.splat(32))));
}

/** A word whose lowest bits are set, at most 63 of them. */
export function lowestBits(count: i32): u64 {
  return ((<u64>1) << (<u64>count)) - 1;
}
