import { DIGIT_0 } from "../ascii.ts";
import { remainder97 } from "../mod97.ts";
import type { CheckDigitBlock } from "./check-digit-block.ts";

/** Computes a two-digit check number from the `length` characters before it; `start` is an index into `bytes`. */
export type KeyOf = (bytes: Uint8Array, start: number, length: number) => number;

/**
 * Builds a rule whose check digits are the last two characters of the BBAN and depend on all before them.
 *
 * `keyOf` gives 0 to 99; the two digits must be exactly that number, so congruent but impossible pairs are wrong.
 */
export function trailingKey(keyOf: KeyOf, bbanLength: number): CheckDigitBlock {
  const at = bbanLength - 2;
  return {
    matches(bytes, bbanStart) {
      const tens = bytes[bbanStart + at]! - DIGIT_0;
      return tens * 10 + bytes[bbanStart + at + 1]! - DIGIT_0 === keyOf(bytes, bbanStart, at);
    },
    expected: (bytes, bbanStart) => String(keyOf(bytes, bbanStart, at)).padStart(2, "0"),
    spans: [{ start: at, length: 2 }],
  };
}

/**
 * Computes the key of ISO 7064 MOD 97-10, 02 to 98: with it, the number leaves 1 when divided by 97.
 *
 * Letters count 10 to 35, two digits each. Used by BA, ME, MK, PT, RS, SI, ST, TL and XK.
 */
export const iso7064Key: KeyOf = (bytes, start, length) =>
  98 - ((remainder97(bytes, start, length) * 100) % 97);

/** Computes Belgium's key, 01 to 97: the number modulo 97, with 97 standing for 0. */
export const belgianKey: KeyOf = (bytes, start, length) => remainder97(bytes, start, length) || 97;

/** Computes the RIB key of an all-digit number, 01 to 97: with it, the number is divisible by 97 (BI, DJ, MR, TN). */
export const ribKey: KeyOf = (bytes, start, length) => 97 - ((remainder97(bytes, start, length) * 100) % 97);
