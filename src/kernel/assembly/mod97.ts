/** Remainders modulo 97 of 10^0 to 10^7, one byte each from the lowest on. */
const POWERS: u64 = 0x4c1b_5a09_1e03_0a01;
/** Remainder modulo 97 of 10^8. */
const EIGHT_PLACES: u32 = 81;
/** Remainder modulo 97 of 10^6: the country code and the check digits behind the BBAN are six digits. */
const SIX_PLACES: u32 = 27;
const LETTER_OFFSET: u32 = 55;

/** The number that eight ASCII digits make, the first in the lowest byte; zero bytes count as digit 0. */
export function eightDigits(word: u64): u32 {
  const pairs = ((word & 0x0f0f_0f0f_0f0f_0f0f) * 2_561) >> 8;
  const fours = ((pairs & 0x00ff_00ff_00ff_00ff) * 6_553_601) >> 16;
  return <u32>(((fours & 0x0000_ffff_0000_ffff) * 42_949_672_960_001) >> 32);
}

/** The number that the `count` digits before `end` make, at most eight; the seven bytes before them are read too. */
export function digitsBefore(end: usize, count: i32): u32 {
  return eightDigits(load<u64>(end - 8) & ((<u64>-1) << (<u64>((8 - count) << 3))));
}

/**
 * Remainder modulo 97 of a whole IBAN; 1 means right.
 *
 * `letters` has bit n set where the n-th character is a letter, `prefix` is the remainder of the country code with 00,
 * `checkDigits` 2 to 98. Source: ISO 13616-1, ISO 7064 MOD 97-10.
 */
export function ibanRemainder(iban: usize, length: i32, letters: u64, prefix: u32, checkDigits: u32): u32 {
  const remainder = letters >> 4 === 0 ? ofDigits(iban + 4, length - 4) : ofMixed(iban, length, letters);
  return (remainder * SIX_PLACES + prefix + checkDigits) % 97;
}

/** Takes eleven digits or more. */
function ofDigits(at: usize, count: i32): u32 {
  let number = eightDigits(load<u64>(at));
  const end = at + count;
  at += 8;
  while (at + 8 <= end) {
    number = (number % 97) * EIGHT_PLACES + eightDigits(load<u64>(at));
    at += 8;
  }
  const rest = <u32>(end - at);
  const power = <u32>(POWERS >> <u64>(rest << 3)) & 0xff;
  if (rest > 0) number = (number % 97) * power + digitsBefore(end, rest);
  return number % 97;
}

/** Goes from letter to run of digits to letter. */
function ofMixed(iban: usize, length: i32, letters: u64): u32 {
  const stop = letters | ((<u64>1) << (<u64>length));
  let remainder: u32 = 0;
  let place = 4;
  while (place < length) {
    const run = <i32>ctz<u64>(stop >> <u64>place);
    if (run === 0) {
      remainder = (remainder * 100 + load<u8>(iban + place) - LETTER_OFFSET) % 97;
      place += 1;
    } else {
      const count = min<i32>(run, 7);
      place += count;
      const power = <u32>(POWERS >> <u64>(count << 3)) & 0xff;
      remainder = (remainder * power + digitsBefore(iban + place, count)) % 97;
    }
  }
  return remainder;
}
