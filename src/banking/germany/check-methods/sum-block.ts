import { KONTONUMMER_LENGTH } from "../account.ts";
import { allowedBy, type DigitSumCheck, type SumRuleName, sumRules, tabulate } from "./digit-sum.ts";
import { End, type Variant } from "./graph.ts";
import type { Cursor } from "./notation.ts";

const maxWeight = 11;

/** A weighted sum over some digits and the check digit that follows from it. */
interface SumBlock {
  readonly rule: SumRuleName;
  /** Positions 1-10 that enter the sum, ascending. */
  readonly positions: readonly number[];
  /** From right to left unless the rule says otherwise; repeated. */
  readonly weights: readonly number[];
  /** Position 1-10 of the check digit; null if the rule only tests the sum. */
  readonly checkPosition: number | null;
  /** Added to the sum before the check digit is taken. */
  readonly plus: number;
  /** The rule's, with those that the line states for single remainders. */
  readonly outcomes: string;
}

/** Reads what follows the name of a sum rule. */
export function parseSumBlock(cursor: Cursor, rule: SumRuleName): Variant {
  const { checksSumOnly, ...defaults } = sumRules[rule];
  let { weights, outcomes } = defaults;
  let plus = 0;
  cursor.expect("(");
  const positions = parsePositions(cursor);
  if (!checksSumOnly) cursor.expect(">");
  const checkPosition = checksSumOnly ? null : cursor.number(1, KONTONUMMER_LENGTH);
  if (weights === undefined || cursor.sees(";")) {
    cursor.expect(";");
    if (rule === "luhn" && cursor.takes("+")) plus = cursor.number(1, 9);
    else weights = parseWeights(cursor);
    if (cursor.takes(";")) outcomes = parseOutcomes(cursor, outcomes);
  }
  cursor.expect(")");
  return sumVariant({ rule, positions, weights: weights!, checkPosition, plus, outcomes });
}

/** Reads what follows `pre`: a Luhn block over d1 to d9, or the positions given, that counts a prefix in. */
export function parsePrefix(cursor: Cursor): Variant {
  cursor.expect("(");
  const prefix = cursor.digits();
  const positions = cursor.takes(";") ? parsePositions(cursor) : [1, 2, 3, 4, 5, 6, 7, 8, 9];
  cursor.expect(")");
  const { term, weights = [], outcomes } = sumRules.luhn;
  const weightAt = (step: number) => weights[(positions.length + step) % weights.length]!;
  const plus = [...prefix]
    .reverse()
    .reduce((sum, digit, step) => sum + term(Number(digit), weightAt(step)), 0);
  const checkPosition = KONTONUMMER_LENGTH;
  return sumVariant({ rule: "luhn", positions, weights, checkPosition, plus, outcomes });
}

function parsePositions(cursor: Cursor): readonly number[] {
  const positions: number[] = [];
  cursor.list(",", () => {
    const first = cursor.number((positions.at(-1) ?? 0) + 1, KONTONUMMER_LENGTH);
    const last = cursor.takes("-") ? cursor.number(first + 1, KONTONUMMER_LENGTH) : first;
    for (let position = first; position <= last; position++) positions.push(position);
  });
  return positions;
}

function parseWeights(cursor: Cursor): readonly number[] {
  const weights = [cursor.number(0, maxWeight)];
  while (cursor.seesNumber()) weights.push(cursor.number(0, maxWeight));
  return weights;
}

/** Reads outcomes such as `r0=no, r1=eq` and puts them in place of the rule's own. */
function parseOutcomes(cursor: Cursor, outcomes: string): string {
  const stated = [...outcomes];
  cursor.list(",", () => {
    const remainder = Number(/^r(\d{1,2})$/.exec(cursor.word())?.[1] ?? Number.NaN);
    if (!(remainder < stated.length)) {
      cursor.reject(`expected a remainder, r0 to r${stated.length - 1}`);
    }
    cursor.expect("=");
    stated[remainder] = cursor.takes("no") ? "-" : cursor.takes("eq") ? "=" : String(cursor.number(0, 9));
  });
  return stated.join("");
}

function sumVariant(block: SumBlock): Variant {
  // Methods refer to each other: most blocks are met several times, and their tables take most of the building.
  const tables: DigitSumCheck[] = [];
  return (graph, shift, next) => {
    tables[shift] ??= tablesOf(block, shift);
    const checkPosition = block.checkPosition === null ? null : block.checkPosition + shift;
    return graph.node({ kind: "sum", sum: graph.sum(tables[shift]), checkPosition }, End.valid, next);
  };
}

/** The tables of a block applied to the number moved `shift` places to the left: each position is read further right. */
function tablesOf({ rule, positions, weights, checkPosition, plus, outcomes }: SumBlock, shift: number) {
  const { term, reduce, fromLeft } = sumRules[rule];
  if (Math.max(checkPosition ?? 0, ...positions) + shift > KONTONUMMER_LENGTH) {
    throw new RangeError(`${rule} shifted by ${shift} places reads beyond digit ${KONTONUMMER_LENGTH}`);
  }
  // Remainders keep the tables small, so that many of them share the cache.
  const modulus = reduce === undefined ? outcomes.length : Number.POSITIVE_INFINITY;
  return tabulate(
    (position, digit) => {
      const index = positions.indexOf(position - shift);
      const step = fromLeft ? index : positions.length - 1 - index;
      return index < 0 ? 0 : term(digit, weights[step % weights.length]!) % modulus;
    },
    (sum) => {
      const reduced = (reduce?.(sum) ?? sum) + plus;
      return reduced < 0 ? 0 : allowedBy(outcomes[reduced % outcomes.length]!);
    },
  );
}
