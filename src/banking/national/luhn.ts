import { DIGIT_0 } from "../ascii.ts";
import type { CheckDigitBlock } from "./check-digit-block.ts";

function rightDigit(bytes: Uint8Array, start: number, length: number): number {
  let sum = 0;
  let doubled = true;
  for (let at = start + length - 1; at >= start; at--) {
    const digit = bytes[at]! - DIGIT_0;
    sum += doubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
    doubled = !doubled;
  }
  return DIGIT_0 + ((10 - (sum % 10)) % 10);
}

/**
 * Builds a rule whose check digit is the last digit of an all-digit BBAN, by Luhn's formula over all of it.
 *
 * Source: ISO/IEC 7812-1, annex B; used by FI.
 */
export function luhn(bbanLength: number): CheckDigitBlock {
  const at = bbanLength - 1;
  return {
    matches: (bytes, bbanStart) => rightDigit(bytes, bbanStart, at) === bytes[bbanStart + at],
    expected: (bytes, bbanStart) => String.fromCharCode(rightDigit(bytes, bbanStart, at)),
    spans: [{ start: at, length: 1 }],
  };
}
