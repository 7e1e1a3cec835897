import table from "../../../../data/de-check-methods.json" with { type: "json" };
import type { GermanAccount } from "../account.ts";

const algorithm24Weights = Uint8Array.from(table.algorithms.alg24.weights);

/**
 * Method 24: leading digits are dropped by account type, then weights 1 2 3 run from the first digit that is not zero.
 *
 * The definition also says d4 is not 0 if d1 is 9; no implementation agrees on it, so it is not enforced.
 * A number whose digits are all dropped has check digit 0.
 */
function checkAlgorithm24({ digits: d }: GermanAccount): boolean {
  const type = d[0]!;
  let index = type === 9 ? 3 : type >= 3 && type <= 6 ? 1 : 0;
  while (index < 9 && d[index] === 0) index++;
  let sum = 0;
  for (let step = 0; index < 9; index++) {
    const weight = algorithm24Weights[step]!;
    sum += (d[index]! * weight + weight) % 11;
    step = step === 2 ? 0 : step + 1;
  }
  return sum % 10 === d[9];
}

const replacements = Uint8Array.from(table.algorithms.alg87.replacements);
const checkDigits = Uint8Array.from(table.algorithms.alg87.checkDigits.flat());

/**
 * Method 87, variant A: a table-driven sum over d4 to d9 with two states, taken modulo 5.
 *
 * The states are the definition's C2 (parity of the place) and D2 (which row of check digits counts).
 */
function checkAlgorithm87({ digits: d }: GermanAccount): boolean {
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
  return d[9] === expected || (d[3] === 0 && d[9] === (expected + 5) % 10);
}

const eserWeights = Uint8Array.from(table.algorithms.eser.weights);
const SAVINGS_BANK = 5;
const VALID_REMAINDER = 10;

/**
 * Old-system (ESER) check of an eight-digit account, methods 52 and C0: old number b5 b6 b7 b8 d3 d4 T.
 *
 * Invalid for every other length and where the bank code is absent or its fourth digit is not 5.
 */
function checkEser8(account: GermanAccount): boolean {
  return account.significant === 8 && fits(account, account.blz[6]!, account.digits[2]!);
}

/**
 * Old-system (ESER) check of a nine-digit account, methods 53 and B6: old number b5 b6 d3 b8 d2 d4 T.
 *
 * Invalid for every other length and where the bank code is absent or its fourth digit is not 5.
 */
function checkEser9(account: GermanAccount): boolean {
  return account.significant === 9 && fits(account, account.digits[2]!, account.digits[1]!);
}

// The check digit d4 lies inside the sum with its own weight, so the whole sum is tested at once.
function fits(account: GermanAccount, third: number, fifth: number): boolean {
  const { digits: d, blz: b } = account;
  if (b[3] !== SAVINGS_BANK) return false;
  let first = 4;
  while (first < 10 && d[first] === 0) first++;
  const tail = 10 - first;
  let sum = 0;
  for (let step = 0; step < tail; step++) sum += d[9 - step]! * eserWeights[step]!;
  sum += d[3]! * eserWeights[tail]! + fifth * eserWeights[tail + 1]! + b[7]! * eserWeights[tail + 2]!;
  sum += third * eserWeights[tail + 3]! + b[5]! * eserWeights[tail + 4]! + b[4]! * eserWeights[tail + 5]!;
  return sum % 11 === VALID_REMAINDER;
}

/** An algorithm that goes digit by digit, for which the notation has no form. */
interface StepwiseCheck {
  readonly check: (account: GermanAccount) => boolean;
  /** Position 1-10 of the check digit. */
  readonly checkPosition: number;
}

const LAST = 10;

/** The algorithms that the notation can only name. */
export const namedAlgorithms = {
  alg24: { check: checkAlgorithm24, checkPosition: LAST },
  eser8: { check: checkEser8, checkPosition: 4 },
  eser9: { check: checkEser9, checkPosition: 4 },
  alg87: { check: checkAlgorithm87, checkPosition: LAST },
} satisfies Record<string, StepwiseCheck>;

export type AlgorithmName = keyof typeof namedAlgorithms;

/** The names in the order in which the kernel numbers them. */
export const algorithmNames = Object.keys(namedAlgorithms) as readonly AlgorithmName[];
