import { DIGIT_0 } from "../ascii.ts";
import type { BbanSpan } from "../iban/bban.ts";
import type { CheckDigitBlock } from "./check-digit-block.ts";

function rightDigit(bytes: Uint8Array, start: number, length: number): number {
  let product = 10;
  for (let at = start; at < start + length; at++) {
    const sum = (product + bytes[at]! - DIGIT_0) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return DIGIT_0 + ((11 - product) % 10);
}

/**
 * Builds a rule of one check digit at the end of each part of the BBAN, all of which must be right.
 *
 * Each part is digits only and includes its check digit. Source: ISO 7064, MOD 11,10 (hybrid system); used by HR for
 * the bank code and the account.
 */
export function mod11And10(parts: readonly BbanSpan[]): CheckDigitBlock {
  return {
    matches(bytes, bbanStart) {
      for (let index = 0; index < parts.length; index++) {
        const part = parts[index]!;
        const start = bbanStart + part.start;
        const before = part.length - 1;
        if (rightDigit(bytes, start, before) !== bytes[start + before]) return false;
      }
      return true;
    },
    expected: (bytes, bbanStart) =>
      String.fromCharCode(...parts.map((part) => rightDigit(bytes, bbanStart + part.start, part.length - 1))),
    spans: parts.map((part) => ({ start: part.start + part.length - 1, length: 1 })),
  };
}
