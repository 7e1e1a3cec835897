import table from "../../../../data/de-check-methods.json" with { type: "json" };
import { KONTONUMMER_LENGTH } from "../account.ts";

/** How a sum block builds its sum and takes the check digit from it. */
interface SumRule {
  /** Maps a digit and its weight to a term of the sum. */
  readonly term: (digit: number, weight: number) => number;
  /** Turns the sum into the number that is divided; a negative result makes the account invalid. */
  readonly reduce?: (sum: number) => number;
  /** The outcome for each remainder, see {@link allowedBy}; the number of characters is the modulus. */
  readonly outcomes: string;
  /** Weights where a line has none. */
  readonly weights?: readonly number[];
  /** Weights run from left to right instead of right to left. */
  readonly fromLeft?: boolean;
  /** There is no check digit position: the sum itself must fit. */
  readonly checksSumOnly?: boolean;
}

const product = (digit: number, weight: number) => digit * weight;
const units = (digit: number, weight: number) => (digit * weight) % 10;
/** Digit sum of the product (7 for 2 times 8). */
const digitSum = (digit: number, weight: number) => Math.floor((digit * weight) / 10) + units(digit, weight);
/** The iterated transformation: each digit goes through a row, whose number is in place of a weight. */
const transformed = (digit: number, row: number) => table.iteratedTransformation[row]![digit]!;
const productPlusWeight = (digit: number, weight: number) => (digit * weight + weight) % 11;
const asciiCode = (digit: number, weight: number) => String(digit).charCodeAt(0) * weight;
const repeatedDigitSum = (sum: number) => (sum === 0 ? 0 : 1 + ((sum - 1) % 9));
const lessOne = (sum: number) => sum - 1;

/** Each digit or five more. */
const halves = "abcde".repeat(2);

const named = <Name extends string>(rules: Readonly<Record<Name, SumRule>>) => rules;

/** The sum rules of the notation, one line each. */
export const sumRules = named({
  m10: { term: product, outcomes: "0987654321" },
  luhn: { term: digitSum, outcomes: "0987654321", weights: [2, 1] },
  luhn5: { term: digitSum, outcomes: "5432109876", weights: [2, 1] },
  m10u: { term: units, outcomes: "0987654321" },
  m10r: { term: digitSum, reduce: repeatedDigitSum, outcomes: "0987654321" },
  sum10: { term: digitSum, outcomes: "0123456789" },
  m11: { term: product, outcomes: "00987654321" },
  m11x: { term: product, outcomes: "0-987654321" },
  m11q: { term: digitSum, outcomes: "00987654321" },
  m7: { term: product, outcomes: "0654321" },
  m7q: { term: digitSum, outcomes: "0654321" },
  m9: { term: product, outcomes: "087654321" },
  rem11: { term: product, outcomes: "0123456789-" },
  zero11: { term: product, outcomes: "*----------", checksSumOnly: true },
  s17: { term: digitSum, reduce: lessOne, outcomes: "09876543210", weights: [1, 2], fromLeft: true },
  iterated10: { term: transformed, outcomes: "0987654321" },
  half10: { term: productPlusWeight, outcomes: halves },
  half11: { term: product, outcomes: `${halves}5` },
  ascii11: { term: asciiCode, outcomes: "0123456789-" },
});

export type SumRuleName = keyof typeof sumRules;

/** Bit of {@link DigitSumCheck.allowed} that accepts a check digit equal to the digit left of it. */
export const EQUALS_LEFT = 1 << 10;

/** Bits that accept every check digit. */
const ANY_DIGIT = EQUALS_LEFT - 1;

/**
 * Returns the bit mask of the check digits of an outcome: one digit, `-` none, `*` any, `=` the digit left of it, `a` 0 or 5,
 * `b` 1 or 6 and so on.
 */
export function allowedBy(outcome: string): number {
  if (outcome === "-") return 0;
  if (outcome === "*") return ANY_DIGIT;
  if (outcome === "=") return EQUALS_LEFT;
  const half = "abcde".indexOf(outcome);
  return half < 0 ? 1 << Number(outcome) : 0b100001 << half;
}

/**
 * A check-digit calculation as two tables: what each digit at each place adds, and which check digits
 * the sum then allows.
 *
 * Checking one takes ten look-ups, a sum and one comparison.
 */
export interface DigitSumCheck {
  /** 100 entries: `[10 × (position − 1) + digit]` is what the digit adds to the sum. */
  readonly contributions: Uint8Array;
  /** By sum: bit k allows check digit k, {@link EQUALS_LEFT} allows the digit left of it. */
  readonly allowed: Uint16Array;
}

/**
 * Builds the tables from two functions, which are called once per entry.
 *
 * `contribution` takes a position 1-10 and a digit 0-9 and returns a whole number from 0 to 255; `allowed` takes a
 * sum and returns the bit mask of the check digits it allows.
 */
export function tabulate(
  contribution: (position: number, digit: number) => number,
  allowed: (sum: number) => number,
): DigitSumCheck {
  const contributions = new Uint8Array(KONTONUMMER_LENGTH * 10);
  let highest = 0;
  for (let position = 1; position <= KONTONUMMER_LENGTH; position++) {
    const row = (position - 1) * 10;
    for (let digit = 0; digit <= 9; digit++) contributions[row + digit] = contribution(position, digit);
    highest += Math.max(...contributions.subarray(row, row + 10));
  }
  return { contributions, allowed: Uint16Array.from({ length: highest + 1 }, (_, sum) => allowed(sum)) };
}
