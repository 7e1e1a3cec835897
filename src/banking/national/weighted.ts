import { DIGIT_0 } from "../mod97.ts";

/** A run of characters inside the BBAN: zero-based offset of its first character and number of characters. */
export interface BbanSpan {
  readonly start: number;
  readonly length: number;
}

/**
 * A rule for check digits at fixed places of a BBAN, built once when the registry is read.
 *
 * The BBAN must fit its country's structure; for other bytes the answers mean nothing, but nothing is thrown.
 */
export interface CheckDigits {
  /** Whether the check digits are right. `bytes` is ASCII, the BBAN begins at `bbanStart`. No allocation. */
  matches(bytes: Uint8Array, bbanStart: number): boolean;
  /**
   * The check digits that would be right for the rest of the BBAN, those of all spans joined; null if none exist,
   * so that no bank can have issued the number. Allocates the text: for explanations, not for the hot path.
   */
  expected(bytes: Uint8Array, bbanStart: number): string | null;
}

/** One check digit over a run of digits, each multiplied by a weight. */
export interface WeightedDigit {
  /** Offset of the first weighted digit inside the BBAN. */
  readonly from: number;
  /** One weight per digit, from left to right. */
  readonly weights: readonly number[];
  /** Offset of the check digit inside the BBAN. */
  readonly at: number;
  /** The check digit for each remainder of the sum, "-" where none exists; the table's length is the modulus. */
  readonly digits: string;
}

/** Check digit by remainder that makes the sum a multiple of ten. */
export const completesTen = "0987654321";
/** Check digit by remainder that makes the sum a multiple of eleven; remainder 1 would need ten and is never issued. */
export const completesEleven = "0-987654321";
/** As `completesEleven`, with 1 in place of ten. */
export const completesElevenTenAsOne = "01987654321";

const noDigit = "-".charCodeAt(0);

/** Returns the ASCII code of the right check digit; `noDigit`, which no character of a BBAN equals, if none exists. */
function rightDigit({ from, weights, digits }: WeightedDigit, bytes: Uint8Array, bbanStart: number): number {
  let sum = 0;
  for (let index = 0; index < weights.length; index++) {
    sum += (bytes[bbanStart + from + index]! - DIGIT_0) * weights[index]!;
  }
  return digits.charCodeAt(sum % digits.length);
}

/**
 * Builds a rule of one or more weighted check digits, all of which must be right.
 *
 * The checks are given in the order of their places. Source of the weights: the callers' table.
 */
export function weighted(checks: readonly WeightedDigit[]): CheckDigits {
  return {
    matches: (bytes, bbanStart) =>
      checks.every((check) => rightDigit(check, bytes, bbanStart) === bytes[bbanStart + check.at]),
    expected(bytes, bbanStart) {
      const codes = checks.map((check) => rightDigit(check, bytes, bbanStart));
      return codes.includes(noDigit) ? null : String.fromCharCode(...codes);
    },
  };
}
