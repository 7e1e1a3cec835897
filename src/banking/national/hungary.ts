import { DIGIT_0 } from "../ascii.ts";
import type { CheckDigitBlock } from "./check-digit-block.ts";
import { completesTen, weighted } from "./weighted.ts";

const bankAndBranch = { from: 0, weights: [9, 7, 3, 1, 9, 7, 3], at: 7, digits: completesTen };
const longAccount = weighted([
  bankAndBranch,
  { from: 8, weights: [9, 7, 3, 1, 9, 7, 3, 1, 9, 7, 3, 1, 9, 7, 3], at: 23, digits: completesTen },
]);
const shortAccount = weighted([
  bankAndBranch,
  { from: 8, weights: [9, 7, 3, 1, 9, 7, 3], at: 15, digits: completesTen },
]);

function hasShortAccount(bytes: Uint8Array, bbanStart: number): boolean {
  for (let at = 16; at < 24; at++) if (bytes[bbanStart + at] !== DIGIT_0) return false;
  return true;
}

/**
 * Hungary's rule: one check digit over bank and branch, one over the account.
 *
 * The account's stands in the 24th place, or in the 16th where eight zeros fill up a short account. The weights
 * repeat every four digits, so one sum tests both forms; `expected` repairs the form it finds and gives the digits of
 * the 8th, 16th and 24th place, the 16th as it is in a long account.
 */
export const hungarian: CheckDigitBlock = {
  matches: longAccount.matches,
  expected(bytes, bbanStart) {
    if (hasShortAccount(bytes, bbanStart)) return `${shortAccount.expected(bytes, bbanStart)}0`;
    const digits = longAccount.expected(bytes, bbanStart)!;
    return digits[0]! + String.fromCharCode(bytes[bbanStart + 15]!) + digits[1]!;
  },
  spans: [
    { start: 7, length: 1 },
    { start: 15, length: 1 },
    { start: 23, length: 1 },
  ],
};
