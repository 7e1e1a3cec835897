import { DIGIT_0 } from "../ascii.ts";
import type { CheckDigitBlock } from "./check-digit-block.ts";
import { completesEleven, weighted } from "./weighted.ts";

const overAllDigits = weighted([
  { from: 0, weights: [5, 4, 3, 2, 7, 6, 5, 4, 3, 2], at: 10, digits: completesEleven },
]);
const overAccountOnly = weighted([{ from: 6, weights: [5, 4, 3, 2], at: 10, digits: completesEleven }]);

function hasShortAccount(bytes: Uint8Array, bbanStart: number): boolean {
  return bytes[bbanStart + 4] === DIGIT_0 && bytes[bbanStart + 5] === DIGIT_0;
}

/**
 * Norway's rule: a weighted check digit over all ten digits before it.
 *
 * Where the fifth and sixth digit are 00, the short rule over the four digits behind them is accepted as well (ECBS
 * TR 201 has it, most implementations do not; real numbers of this kind are not at hand to decide).
 */
export const norwegian: CheckDigitBlock = {
  matches: (bytes, bbanStart) =>
    overAllDigits.matches(bytes, bbanStart) ||
    (hasShortAccount(bytes, bbanStart) && overAccountOnly.matches(bytes, bbanStart)),
  expected: (bytes, bbanStart) =>
    overAllDigits.expected(bytes, bbanStart) ??
    (hasShortAccount(bytes, bbanStart) ? overAccountOnly.expected(bytes, bbanStart) : null),
  spans: overAllDigits.spans,
};
