import table from "../../../../data/de-check-methods.json" with { type: "json" };
import type { GermanAccount } from "../account.ts";
import { AccountVerdict } from "../account.ts";

const replacements = Uint8Array.from(table.algorithms.alg87.replacements);
const checkDigits = Uint8Array.from(table.algorithms.alg87.checkDigits.flat());

/**
 * Method 87, variant A: a table-driven sum over d4 to d9 with two states, taken modulo 5.
 *
 * The states are the definition's C2 (parity of the place) and D2 (which row of check digits counts).
 */
export function checkAlgorithm87(account: GermanAccount): AccountVerdict {
  const d = account.digits;
  let index = 3;
  while (index < 9 && d[index] === 0) index++;
  let c2 = (index + 1) % 2;
  let d2 = 0;
  let sum = 0;
  for (; index < 9; index++) {
    const digit = replacements[d[index]!]!;
    const sign = c2 === d2 ? 1 : -1;
    if (digit > 5) {
      sum += sign * (c2 === 0 ? 12 - digit : digit);
      d2 = sign === 1 ? 1 - c2 : c2;
    } else {
      sum += sign * digit;
    }
    c2 = 1 - c2;
  }
  const remainder = ((sum % 5) + 5) % 5;
  const expected = checkDigits[5 * d2 + remainder]!;
  if (d[9] === expected) return AccountVerdict.valid;
  return d[3] === 0 && d[9] === (expected + 5) % 10 ? AccountVerdict.valid : AccountVerdict.invalid;
}
