import type { GermanAccount } from "../account.ts";
import type { AccountVerdict } from "../verdict.ts";
import { type DigitSumCheck, EQUALS_LEFT } from "./digit-sum.ts";

/**
 * Turns the tables of a check-digit calculation into a function: ten look-ups, a sum, one comparison.
 *
 * The function answers 0 (invalid) or 1 (valid) and allocates nothing.
 */
export function compileDigitSum(tables: DigitSumCheck): (account: GermanAccount) => AccountVerdict {
  const { contributions, allowed } = tables;
  // Where the sum alone decides, every digit is allowed or none, so any position will do.
  const index = (tables.checkPosition ?? 10) - 1;
  if (allowed.some((mask) => (mask & EQUALS_LEFT) !== 0)) {
    return ({ digits }) => {
      const mask = allowed[sumOf(contributions, digits)]!;
      const digit = digits[index]!;
      if (mask === EQUALS_LEFT) return Number(digit === digits[index - 1]) as AccountVerdict;
      return ((mask >> digit) & 1) as AccountVerdict;
    };
  }
  return ({ digits }) => ((allowed[sumOf(contributions, digits)]! >> digits[index]!) & 1) as AccountVerdict;
}

// Written out: a loop over ten digits costs about twice as much.
function sumOf(contributions: Uint16Array, d: Uint8Array): number {
  return (
    contributions[d[0]!]! +
    contributions[10 + d[1]!]! +
    contributions[20 + d[2]!]! +
    contributions[30 + d[3]!]! +
    contributions[40 + d[4]!]! +
    contributions[50 + d[5]!]! +
    contributions[60 + d[6]!]! +
    contributions[70 + d[7]!]! +
    contributions[80 + d[8]!]! +
    contributions[90 + d[9]!]!
  );
}
