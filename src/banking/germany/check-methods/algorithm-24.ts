import table from "../../../../data/de-check-methods.json" with { type: "json" };
import type { GermanAccount } from "../account.ts";
import { AccountVerdict } from "../account.ts";

const weights = Uint8Array.from(table.algorithms.alg24.weights);

/**
 * Method 24: leading digits are dropped by account type, then weights 1 2 3 run from the first digit that is not zero.
 *
 * The definition also says d4 is not 0 where d1 is 9; no implementation agrees on it, so it is not enforced.
 * A number whose digits are all dropped has check digit 0.
 */
export function checkAlgorithm24(account: GermanAccount): AccountVerdict {
  const d = account.digits;
  const type = d[0]!;
  let index = type === 9 ? 3 : type >= 3 && type <= 6 ? 1 : 0;
  while (index < 9 && d[index] === 0) index++;
  let sum = 0;
  for (let step = 0; index < 9; index++) {
    const weight = weights[step]!;
    sum += (d[index]! * weight + weight) % 11;
    step = step === 2 ? 0 : step + 1;
  }
  return sum % 10 === d[9] ? AccountVerdict.valid : AccountVerdict.invalid;
}
