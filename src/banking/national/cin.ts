import { DIGIT_0, DIGIT_9, LETTER_A, LETTER_Z } from "../ascii.ts";
import type { CheckDigitBlock } from "./check-digit-block.ts";

/** What a character counts on an odd place (first, third, …): the digit n and the n-th letter count the same. */
const oddPlaceValues = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

const oddValues = new Uint8Array(LETTER_Z + 1);
const evenValues = new Uint8Array(LETTER_Z + 1);
for (const [order, value] of oddPlaceValues.entries()) {
  oddValues[LETTER_A + order] = value;
  evenValues[LETTER_A + order] = order;
  if (DIGIT_0 + order <= DIGIT_9) {
    oddValues[DIGIT_0 + order] = value;
    evenValues[DIGIT_0 + order] = order;
  }
}

function rightLetter(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at += 2) sum += oddValues[bytes[at]!]! + evenValues[bytes[at + 1]!]!;
  return LETTER_A + (sum % 26);
}

/**
 * Builds the rule of the Italian CIN: a letter at the beginning of the BBAN over all characters behind it.
 *
 * `bbanLength` is odd (23 in IT and SM: the letter, ABI, CAB and the account, which may hold letters).
 */
export function cin(bbanLength: number): CheckDigitBlock {
  return {
    matches: (bytes, bbanStart) =>
      rightLetter(bytes, bbanStart + 1, bbanStart + bbanLength) === bytes[bbanStart],
    expected: (bytes, bbanStart) =>
      String.fromCharCode(rightLetter(bytes, bbanStart + 1, bbanStart + bbanLength)),
    spans: [{ start: 0, length: 1 }],
  };
}
