import { KONTONUMMER_LENGTH } from "../account.ts";

/** Outcome of a remainder: a check digit, no valid digit at all, any digit, or the digit left of the check digit. */
export type RemainderOutcome = number | "no" | "any" | "eq";

/** How a sum block builds its sum and takes the check digit from it. */
interface SumRule {
  /** Maps a digit times its weight, at most 90, to its term of the sum. */
  readonly term: (product: number) => number;
  /** Turns the sum into the number that is divided; a negative result makes the account invalid. */
  readonly reduce?: (sum: number) => number;
  /** The check digit for each remainder; the list's length is the modulus. */
  readonly digits: readonly RemainderOutcome[];
  /** Weights where a line has none. */
  readonly weights?: readonly number[];
  /** Weights run from left to right instead of right to left. */
  readonly fromLeft?: boolean;
  /** There is no check digit position: the sum itself must fit. */
  readonly checksSumOnly?: boolean;
}

/** Digit sum of a product of one digit and a weight (7 for 16). */
const digitSum = (product: number) => Math.floor(product / 10) + (product % 10);
const product = (value: number) => value;
const units = (value: number) => value % 10;
const repeatedDigitSum = (sum: number) => (sum === 0 ? 0 : 1 + ((sum - 1) % 9));
const lessOne = (sum: number) => sum - 1;

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
  ...Array.from({ length: 10 }, () => "no" as const),
];
const tensFromEleven = [0, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

const named = <Name extends string>(rules: Readonly<Record<Name, SumRule>>) => rules;

/** The sum rules of the notation, one line each. */
export const sumRules = named({
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
});

/** Name of a sum rule. */
export type SumRuleName = keyof typeof sumRules;

/** Returns the Luhn sum (weights 2 1 from the right) of decimal digits `places` places left of the check digit's neighbour. */
export function luhnSum(digits: string, places: number): number {
  let sum = 0;
  for (let step = 0; step < digits.length; step++) {
    const digit = Number(digits[digits.length - 1 - step]);
    sum += digitSum(digit * ((places + step) % 2 === 0 ? 2 : 1));
  }
  return sum;
}

/** Bit of {@link DigitSumCheck.allowed} that accepts a check digit equal to the digit left of it. */
export const EQUALS_LEFT = 1 << 10;

const ANY_DIGIT = EQUALS_LEFT - 1;

/**
 * A check-digit calculation as two tables: what each digit at each place adds, and which check digits
 * the sum then allows.
 *
 * Every sum block and most named algorithms come down to this form, so that checking one takes ten
 * look-ups, a sum and one comparison.
 */
export interface DigitSumCheck {
  /** 100 entries: `[10 × (position − 1) + digit]` is what the digit adds to the sum. */
  readonly contributions: Uint16Array;
  /** By sum: bit k allows check digit k, {@link EQUALS_LEFT} allows the digit left of it. */
  readonly allowed: Uint16Array;
  /** Position 1-10 of the check digit; null if the sum alone decides. */
  readonly checkPosition: number | null;
}

/**
 * Builds the tables from two functions, which are called once per entry.
 *
 * `contribution` takes a position 1-10 and a digit 0-9 and returns a whole number from 0; `allowed` takes a
 * sum and returns the bit mask of the check digits it allows.
 */
export function tabulate(
  checkPosition: number | null,
  contribution: (position: number, digit: number) => number,
  allowed: (sum: number) => number,
): DigitSumCheck {
  const contributions = new Uint16Array(KONTONUMMER_LENGTH * 10);
  let highest = 0;
  for (let position = 1; position <= KONTONUMMER_LENGTH; position++) {
    const row = (position - 1) * 10;
    for (let digit = 0; digit <= 9; digit++) contributions[row + digit] = contribution(position, digit);
    highest += Math.max(...contributions.subarray(row, row + 10));
  }
  return {
    contributions,
    allowed: Uint16Array.from({ length: highest + 1 }, (_, sum) => allowed(sum)),
    checkPosition,
  };
}

/** Returns the bit mask of the check digits that a remainder's outcome allows. */
export function allowedBy(outcome: RemainderOutcome): number {
  if (outcome === "no") return 0;
  if (outcome === "any") return ANY_DIGIT;
  if (outcome === "eq") return EQUALS_LEFT;
  return 1 << outcome;
}
