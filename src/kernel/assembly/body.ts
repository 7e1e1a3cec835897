const SPACE: u32 = 32;
const QUOTE: u32 = 34;
const OPENING_BRACE: u32 = 123;
const CLOSING_BRACE: u32 = 125;
const OPENING_BRACKET: u32 = 91;
const CLOSING_BRACKET: u32 = 93;
const COMMA: u32 = 44;
const COLON: u32 = 58;
/** Tab, line feed, carriage return and space. */
const WHITE_SPACE: u64 = (1 << 9) | (1 << 10) | (1 << 13) | (1 << 32);
/** The first six bytes of `"ibans"`. */
const KEY_HEAD: u64 = 0x736e_6162_6922;

/** Address of the first byte from `at` on that is not a JSON white space. */
function skipWhiteSpace(at: usize, end: usize): usize {
  while (at < end && isWhiteSpace(load<u8>(at))) at++;
  return at;
}

function isWhiteSpace(byte: u32): bool {
  return byte <= SPACE && ((WHITE_SPACE >> <u64>byte) & 1) !== 0;
}

/** Whether a byte is at `at`, which may be the end. */
function sees(byte: u32, at: usize, end: usize): bool {
  return at < end && load<u8>(at) === byte;
}

/**
 * How many strings the body's array must have: two quotes each, and two for the key.
 *
 * Only true where there is no escape and nothing else in the body, which the reader of the entries finds out.
 */
export function countStrings(at: usize, end: usize): i32 {
  const quote = i8x16.splat(<i8>QUOTE);
  let quotes: i32 = 0;
  while (at + 16 <= end) {
    quotes += popcnt<i32>(i8x16.bitmask(i8x16.eq(v128.load(at), quote)));
    at += 16;
  }
  while (at < end) quotes += i32(load<u8>(at++) === QUOTE);
  return (quotes >> 1) - 1;
}

/** Address behind the bracket that opens the array, 0 where the body does not begin as `{"ibans":[` does. */
export function openArray(at: usize, end: usize): usize {
  at = skipWhiteSpace(at, end);
  if (!sees(OPENING_BRACE, at, end)) return 0;
  at = skipWhiteSpace(at + 1, end);
  if (at + 8 > end || (load<u64>(at) & 0x00ff_ffff_ffff_ffff) !== (KEY_HEAD | ((<u64>QUOTE) << 48))) return 0;
  at = skipWhiteSpace(at + 7, end);
  if (!sees(COLON, at, end)) return 0;
  at = skipWhiteSpace(at + 1, end);
  return sees(OPENING_BRACKET, at, end) ? at + 1 : 0;
}

/** Address behind the quote that opens the next string, behind a comma where one is due; 0 where there is none. */
export function openString(at: usize, end: usize, isCommaDue: bool): usize {
  at = skipWhiteSpace(at, end);
  if (isCommaDue) {
    if (!sees(COMMA, at, end)) return 0;
    at = skipWhiteSpace(at + 1, end);
  }
  return sees(QUOTE, at, end) ? at + 1 : 0;
}

/** Whether nothing but the brackets' and braces' counterparts stand from `at` to the end of the body. */
export function closesBody(at: usize, end: usize): bool {
  at = skipWhiteSpace(at, end);
  if (!sees(CLOSING_BRACKET, at, end)) return false;
  at = skipWhiteSpace(at + 1, end);
  if (!sees(CLOSING_BRACE, at, end)) return false;
  return skipWhiteSpace(at + 1, end) === end;
}
