import { KONTONUMMER_LENGTH } from "../account.ts";
import { luhnSum, type RemainderOutcome, type SumRuleName, sumRules } from "./digit-sum.ts";
import { type AlgorithmName, namedAlgorithms } from "./named-algorithms.ts";
import {
  type Clause,
  type Condition,
  Cursor,
  type MethodDefinition,
  type NumberRange,
  type Subject,
  type SumBlock,
  type Variant,
} from "./notation.ts";

function parseCondition(cursor: Cursor): Condition {
  return joined(cursor, "or", (inner) => joined(inner, "and", parseTest));
}

function joined(cursor: Cursor, kind: "and" | "or", operand: (cursor: Cursor) => Condition): Condition {
  const first = operand(cursor);
  const operands = [first];
  while (cursor.takes(kind)) operands.push(operand(cursor));
  return operands.length === 1 ? first : { kind, operands };
}

function parseTest(cursor: Cursor): Condition {
  if (cursor.takes("not")) return { kind: "not", operand: parseTest(cursor) };
  const subject = parseSubject(cursor);
  return { kind: "in", subject, ranges: parseComparison(cursor, subject) };
}

function parseSubject(cursor: Cursor): Subject {
  const word = cursor.word();
  if (word === "v") return { kind: "value" };
  if (word === "n") return { kind: "length" };
  const from = /^d(10|[1-9])$/.exec(word)?.[1];
  if (from === undefined) {
    cursor.reject("expected v, n or d1 to d10");
  }
  const to = cursor.takes("-") ? cursor.number(Number(from) + 1, KONTONUMMER_LENGTH) : Number(from);
  return { kind: "digits", from: Number(from), to };
}

function parseComparison(cursor: Cursor, subject: Subject): readonly NumberRange[] {
  if (cursor.takes("=")) {
    const number = parseNumber(cursor, subject);
    return [{ min: number, max: number }];
  }
  if (cursor.takes("<")) return [{ min: 0, max: parseNumber(cursor, subject) - 1 }];
  if (cursor.takes(">=")) return [{ min: parseNumber(cursor, subject), max: Number.POSITIVE_INFINITY }];
  cursor.expect("in");
  if (!cursor.takes("{")) return [parseRange(cursor, subject)];
  const ranges = [parseRange(cursor, subject)];
  while (cursor.takes(",")) ranges.push(parseRange(cursor, subject));
  cursor.expect("}");
  return ranges;
}

function parseRange(cursor: Cursor, subject: Subject): NumberRange {
  const min = parseNumber(cursor, subject);
  if (!cursor.takes("..")) return { min, max: min };
  const max = parseNumber(cursor, subject);
  if (max < min) {
    cursor.reject("the range runs backwards");
  }
  return { min, max };
}

function parseNumber(cursor: Cursor, subject: Subject): number {
  const text = cursor.digits();
  // Digits are compared as written, so `d1-2=0` would be a slip for `d1-2=00`.
  if (subject.kind === "digits" && text.length !== subject.to - subject.from + 1) {
    cursor.reject(`expected as many digits as d${subject.from}-${subject.to} has`);
  }
  return Number(text);
}

function parseSumBlock(cursor: Cursor, rule: SumRuleName): SumBlock {
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

/** Reads the argument of `pre(…)` and returns the Luhn block over d1 to d9 that counts the prefix in. */
function parsePrefix(cursor: Cursor): SumBlock {
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
      cursor.reject(`expected a remainder, r0 to r${modulus - 1}`);
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

/** Definitions a line may use by name, such as `X51`. */
type NamedDefinitions = ReadonlyMap<string, readonly Clause[]>;

const MAX_SHIFTED_PLACES = 9;

/**
 * Parses one line of the check-digit notation.
 *
 * Throws an Error that names the method where the line does not follow the notation. A named
 * definition without conditions is put in place of its name, so that its variants are counted among the method's.
 */
export function parseMethod(
  method: string,
  line: string,
  named: NamedDefinitions = new Map(),
): MethodDefinition {
  const cursor = new Cursor(method, line);
  const clauses = parseClauses(cursor, named);
  cursor.end();
  return { method, clauses };
}

function parseClauses(cursor: Cursor, named: NamedDefinitions): readonly Clause[] {
  const clauses: Clause[] = [];
  while (cursor.takes("when")) {
    const when = parseCondition(cursor);
    cursor.expect(":");
    clauses.push({ when, variants: parseVariants(cursor, named) });
    cursor.expect(";");
  }
  clauses.push({ when: null, variants: parseVariants(cursor, named) });
  return clauses;
}

function parseVariants(cursor: Cursor, named: NamedDefinitions): readonly Variant[] {
  const variants: Variant[] = [];
  do {
    const variant = parseVariant(cursor, named);
    if (variant.kind === "definition" && variant.clauses.length === 1)
      variants.push(...variant.clauses[0]!.variants);
    else variants.push(variant);
  } while (cursor.takes("else"));
  return variants;
}

function parseVariant(cursor: Cursor, named: NamedDefinitions): Variant {
  if (cursor.takes("@")) {
    return { kind: "method", method: cursor.seesNumber() ? cursor.digits() : cursor.word() };
  }
  const word = cursor.word();
  if (word === "ok" || word === "no") return { kind: word };
  if (word === "shl") return parseShift(cursor, named);
  if (word === "pre") return parsePrefix(cursor);
  if (isSumRule(word)) return parseSumBlock(cursor, word);
  if (isAlgorithm(word)) return { kind: "algorithm", name: word };
  const clauses = named.get(word);
  if (clauses !== undefined) return { kind: "definition", name: word, clauses };
  return cursor.reject(`unknown block "${word}"`);
}

function parseShift(cursor: Cursor, named: NamedDefinitions): Variant {
  cursor.expect("(");
  const by = cursor.number(1, MAX_SHIFTED_PLACES);
  cursor.expect(";");
  const clauses = parseClauses(cursor, named);
  cursor.expect(")");
  return { kind: "shift", by, clauses };
}

function isSumRule(word: string): word is SumRuleName {
  return Object.hasOwn(sumRules, word);
}

function isAlgorithm(word: string): word is AlgorithmName {
  return Object.hasOwn(namedAlgorithms, word);
}
