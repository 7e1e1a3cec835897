import type { RemainderOutcome, SumRuleName } from "./notation.ts";

/** How a sum block builds its sum and takes the check digit from it. */
interface SumRule {
  /** What one digit times its weight adds to the sum; the product is at most 90. */
  readonly term: (product: number) => number;
  /** Turns the sum into the number that is divided; a negative result makes the account invalid. */
  readonly reduce?: (sum: number) => number;
  /** The check digit for each remainder; the list's length is the modulus. */
  readonly digits: readonly RemainderOutcome[];
  /** Weights where a line gives none. */
  readonly weights?: readonly number[];
  /** Weights run from left to right instead of right to left. */
  readonly fromLeft?: boolean;
  /** There is no check digit position: the sum itself must fit. */
  readonly checksSumOnly?: boolean;
}

/** Digit sum of a product of one digit and a weight (16 gives 7). */
function digitSum(product: number): number {
  return Math.floor(product / 10) + (product % 10);
}

function product(value: number): number {
  return value;
}

function units(value: number): number {
  return value % 10;
}

function repeatedDigitSum(sum: number): number {
  return sum === 0 ? 0 : 1 + ((sum - 1) % 9);
}

function lessOne(sum: number): number {
  return sum - 1;
}

const tens = [0, 9, 8, 7, 6, 5, 4, 3, 2, 1];
const nextHalfDecade = [5, 4, 3, 2, 1, 0, 9, 8, 7, 6];
const elevens = [0, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1];
const elevensExact: readonly RemainderOutcome[] = [0, "no", 9, 8, 7, 6, 5, 4, 3, 2, 1];
const sevens = [0, 6, 5, 4, 3, 2, 1];
const nines = [0, 8, 7, 6, 5, 4, 3, 2, 1];
const lastDigit = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const remainderItself: readonly RemainderOutcome[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "no"];
const onlyMultiples: readonly RemainderOutcome[] = [
  "any",
  "no",
  "no",
  "no",
  "no",
  "no",
  "no",
  "no",
  "no",
  "no",
  "no",
];
const tensFromEleven = [0, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/** The sum rules of the notation, one line each. */
export const sumRules: Readonly<Record<SumRuleName, SumRule>> = {
  m10: { term: product, digits: tens },
  luhn: { term: digitSum, digits: tens, weights: [2, 1] },
  luhn5: { term: digitSum, digits: nextHalfDecade, weights: [2, 1] },
  m10u: { term: units, digits: tens },
  m10r: { term: digitSum, reduce: repeatedDigitSum, digits: tens },
  sum10: { term: digitSum, digits: lastDigit },
  m11: { term: product, digits: elevens },
  m11x: { term: product, digits: elevensExact },
  m11q: { term: digitSum, digits: elevens },
  m7: { term: product, digits: sevens },
  m7q: { term: digitSum, digits: sevens },
  m9: { term: product, digits: nines },
  rem11: { term: product, digits: remainderItself },
  zero11: { term: product, digits: onlyMultiples, checksSumOnly: true },
  s17: { term: digitSum, reduce: lessOne, digits: tensFromEleven, weights: [1, 2], fromLeft: true },
};

/** Luhn sum (weights 2 1 from the right) of decimal digits that stand `places` places left of the check digit's neighbour. */
export function luhnSum(digits: string, places: number): number {
  let sum = 0;
  for (let step = 0; step < digits.length; step++) {
    const digit = Number(digits[digits.length - 1 - step]);
    sum += digitSum(digit * ((places + step) % 2 === 0 ? 2 : 1));
  }
  return sum;
}
