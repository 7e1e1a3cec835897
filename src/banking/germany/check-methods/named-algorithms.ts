import table from "../../../../data/de-check-methods.json" with { type: "json" };
import { type GermanAccount, KONTONUMMER_LENGTH } from "../account.ts";

const { alg24, alg87, eser } = table.algorithms;

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
  for (let step = 0; index < 9; index++, step++) {
    const weight = alg24.weights[step % alg24.weights.length]!;
    sum += (d[index]! * weight + weight) % 11;
  }
  return sum % 10 === d[9];
}

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
    const digit = alg87.replacements[d[index]!]!;
    const sign = c2 === d2 ? 1 : -1;
    if (digit > 5) {
      sum += sign * (c2 === 0 ? 12 - digit : digit);
      d2 = sign === 1 ? 1 - c2 : c2;
    } else {
      sum += sign * digit;
    }
    c2 = 1 - c2;
  }
  const expected = alg87.checkDigits[d2]![((sum % 5) + 5) % 5]!;
  return d[9] === expected || (d[3] === 0 && d[9] === (expected + 5) % 10);
}

const SAVINGS_BANK = 5;
const VALID_REMAINDER = 10;

/**
 * Old-system (ESER) check of an account of eight digits, methods 52 and C0: old number b5 b6 b7 b8 d3 d4 T; or of nine,
 * methods 53 and B6: old number b5 b6 d3 b8 d2 d4 T.
 *
 * Invalid for every other length and where the bank code is absent or its fourth digit is not 5. The check digit d4 lies
 * inside the sum with its own weight, so the whole sum is tested at once.
 */
function fitsOldNumber(account: GermanAccount, length: number, third: number, fifth: number): boolean {
  const { digits: d, blz: b } = account;
  if (account.significant !== length || b[3] !== SAVINGS_BANK) return false;
  let first = 4;
  while (first < 10 && d[first] === 0) first++;
  const tail = 10 - first;
  let sum = 0;
  for (let step = 0; step < tail; step++) sum += d[9 - step]! * eser.weights[step]!;
  sum += d[3]! * eser.weights[tail]! + fifth * eser.weights[tail + 1]! + b[7]! * eser.weights[tail + 2]!;
  sum += third * eser.weights[tail + 3]! + b[5]! * eser.weights[tail + 4]! + b[4]! * eser.weights[tail + 5]!;
  return sum % 11 === VALID_REMAINDER;
}

/** An algorithm that goes digit by digit, for which the notation has no form. */
interface StepwiseCheck {
  readonly check: (account: GermanAccount) => boolean;
  /** Position 1-10 of the check digit. */
  readonly checkPosition: number;
}

/** The algorithms that the notation can only name. */
export const namedAlgorithms = {
  alg24: { check: checkAlgorithm24, checkPosition: KONTONUMMER_LENGTH },
  eser8: {
    check: (account) => fitsOldNumber(account, 8, account.blz[6]!, account.digits[2]!),
    checkPosition: 4,
  },
  eser9: {
    check: (account) => fitsOldNumber(account, 9, account.digits[2]!, account.digits[1]!),
    checkPosition: 4,
  },
  alg87: { check: checkAlgorithm87, checkPosition: KONTONUMMER_LENGTH },
} satisfies Record<string, StepwiseCheck>;

export type AlgorithmName = keyof typeof namedAlgorithms;

/** The names in the order in which the kernel numbers them. */
export const algorithmNames = Object.keys(namedAlgorithms) as readonly AlgorithmName[];
