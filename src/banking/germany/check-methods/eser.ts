import table from "../../../../data/de-check-methods.json" with { type: "json" };
import type { GermanAccount } from "../account.ts";
import { AccountVerdict } from "../account.ts";

const weights = Uint8Array.from(table.algorithms.eser.weights);
const SAVINGS_BANK = 5;
const VALID_REMAINDER = 10;

/**
 * Old-system (ESER) check of an eight-digit account, methods 52 and C0: old number b5 b6 b7 b8 d3 d4 T.
 *
 * Invalid for every other length and where the bank code is absent or its fourth digit is not 5.
 */
export function checkEser8(account: GermanAccount): AccountVerdict {
  return account.significant === 8 && fits(account, account.blz[6]!, account.digits[2]!)
    ? AccountVerdict.valid
    : AccountVerdict.invalid;
}

/**
 * Old-system (ESER) check of a nine-digit account, methods 53 and B6: old number b5 b6 d3 b8 d2 d4 T.
 *
 * Invalid for every other length and where the bank code is absent or its fourth digit is not 5.
 */
export function checkEser9(account: GermanAccount): AccountVerdict {
  return account.significant === 9 && fits(account, account.digits[2]!, account.digits[1]!)
    ? AccountVerdict.valid
    : AccountVerdict.invalid;
}

// The check digit d4 lies inside the sum with its own weight, so the whole sum is tested at once.
function fits(account: GermanAccount, third: number, fifth: number): boolean {
  const { digits: d, blz: b } = account;
  if (b[3] !== SAVINGS_BANK) return false;
  let first = 4;
  while (first < 10 && d[first] === 0) first++;
  const tail = 10 - first;
  let sum = 0;
  for (let step = 0; step < tail; step++) sum += d[9 - step]! * weights[step]!;
  sum += d[3]! * weights[tail]! + fifth * weights[tail + 1]! + b[7]! * weights[tail + 2]!;
  sum += third * weights[tail + 3]! + b[5]! * weights[tail + 4]! + b[4]! * weights[tail + 5]!;
  return sum % 11 === VALID_REMAINDER;
}
