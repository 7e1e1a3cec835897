import { KONTONUMMER_LENGTH } from "../account.ts";
import type { RemainderOutcome, SumBlock } from "./notation.ts";
import { sumRules } from "./sum-rules.ts";

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
  /** Position 1-10 of the check digit; null where the sum alone decides. */
  readonly checkPosition: number | null;
}

/**
 * Builds the tables from two functions, which are called once per entry.
 *
 * `contribution` takes a position 1-10 and a digit 0-9 and gives a whole number from 0; `allowed` takes a
 * sum and gives the bit mask of the check digits it allows.
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

/** Gives the bit mask of the check digits that a remainder's outcome allows. */
export function allowedBy(outcome: RemainderOutcome): number {
  if (outcome === "no") return 0;
  if (outcome === "any") return ANY_DIGIT;
  if (outcome === "eq") return EQUALS_LEFT;
  return 1 << outcome;
}

/**
 * Gives the tables of a sum block applied to the number moved `shift` places to the left.
 *
 * The shift is taken up by reading each position that many places further right; throws a RangeError
 * where that leaves the ten digits.
 */
export function digitSumOf(block: SumBlock, shift: number): DigitSumCheck {
  const { term, reduce, digits } = sumRules[block.rule];
  const checkPosition = block.checkPosition === null ? null : block.checkPosition + shift;
  if (
    Math.max(checkPosition ?? 0, ...block.positions.map((position) => position + shift)) > KONTONUMMER_LENGTH
  ) {
    throw new RangeError(`${block.rule} shifted by ${shift} places reads beyond digit ${KONTONUMMER_LENGTH}`);
  }
  const outcomes = digits.map(
    (digit, remainder) => block.remainders.find((stated) => stated.remainder === remainder)?.outcome ?? digit,
  );
  return tabulate(
    checkPosition,
    (position, digit) => {
      const index = block.positions.indexOf(position - shift);
      return index < 0 ? 0 : term(digit * block.weights[index]!);
    },
    (sum) => {
      const reduced = (reduce?.(sum) ?? sum) + block.plus;
      return reduced < 0 ? 0 : allowedBy(outcomes[reduced % outcomes.length]!);
    },
  );
}
