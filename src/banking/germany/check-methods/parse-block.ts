import { KONTONUMMER_LENGTH } from "../account.ts";
import type { Cursor } from "./cursor.ts";
import type { RemainderOutcome, SumBlock, SumRuleName } from "./notation.ts";
import { luhnSum, sumRules } from "./sum-rules.ts";

/** Reads the arguments of a sum block, from its opening to its closing parenthesis. */
export function parseSumBlock(cursor: Cursor, rule: SumRuleName): SumBlock {
  const { weights: ruleWeights, fromLeft, checksSumOnly, digits } = sumRules[rule];
  cursor.expect("(");
  const positions = parsePositions(cursor);
  let checkPosition: number | null = null;
  if (!checksSumOnly) {
    cursor.expect(">");
    checkPosition = cursor.number(1, KONTONUMMER_LENGTH);
  }
  let weights = ruleWeights;
  let plus = 0;
  let remainders: SumBlock["remainders"] = [];
  if (weights === undefined || cursor.sees(";")) {
    cursor.expect(";");
    if (rule === "luhn" && cursor.takes("+")) plus = cursor.number(1, 9);
    else weights = parseWeights(cursor);
    if (cursor.takes(";")) remainders = parseRemainders(cursor, digits.length);
  }
  cursor.expect(")");
  return {
    kind: "sum",
    rule,
    positions,
    weights: assignWeights(positions.length, weights!, fromLeft === true),
    checkPosition,
    plus,
    remainders,
  };
}

/** Reads the argument of `pre(…)` and gives the Luhn block over d1 to d9 that counts the prefix in. */
export function parsePrefix(cursor: Cursor): SumBlock {
  cursor.expect("(");
  const prefix = cursor.digits();
  cursor.expect(")");
  const positions = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  return {
    kind: "sum",
    rule: "luhn",
    positions,
    weights: assignWeights(positions.length, [2, 1], false),
    checkPosition: KONTONUMMER_LENGTH,
    plus: luhnSum(prefix, positions.length),
    remainders: [],
  };
}

function parsePositions(cursor: Cursor): readonly number[] {
  const positions: number[] = [];
  do {
    const first = cursor.number((positions.at(-1) ?? 0) + 1, KONTONUMMER_LENGTH);
    const last = cursor.takes("-") ? cursor.number(first + 1, KONTONUMMER_LENGTH) : first;
    for (let position = first; position <= last; position++) positions.push(position);
  } while (cursor.takes(","));
  return positions;
}

function parseWeights(cursor: Cursor): readonly number[] {
  const weights = [cursor.number(0, 10)];
  while (cursor.seesNumber()) weights.push(cursor.number(0, 10));
  return weights;
}

function parseRemainders(cursor: Cursor, modulus: number): SumBlock["remainders"] {
  const remainders: { remainder: number; outcome: RemainderOutcome }[] = [];
  do {
    const remainder = Number(/^r(\d{1,2})$/.exec(cursor.word())?.[1] ?? modulus);
    if (remainder >= modulus) {
      cursor.back();
      cursor.fail(`expected a remainder, r0 to r${modulus - 1}`);
    }
    cursor.expect("=");
    remainders.push({ remainder, outcome: parseOutcome(cursor) });
  } while (cursor.takes(","));
  return remainders;
}

function parseOutcome(cursor: Cursor): RemainderOutcome {
  if (cursor.takes("no")) return "no";
  if (cursor.takes("eq")) return "eq";
  return cursor.number(0, 9);
}

function assignWeights(count: number, weights: readonly number[], fromLeft: boolean): readonly number[] {
  return Array.from({ length: count }, (_, index) => {
    const step = fromLeft ? index : count - 1 - index;
    return weights[step % weights.length]!;
  });
}
