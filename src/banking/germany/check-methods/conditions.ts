import { KONTONUMMER_LENGTH } from "../account.ts";
import { ANY_DIGIT, tabulate } from "./digit-sum.ts";
import type { Condition, GraphBuilder, NodeTest } from "./graph.ts";
import type { Cursor } from "./notation.ts";

/** The value `v`, the length `n` or digits `d`, and where they are in the number. */
interface Subject {
  readonly name: "v" | "n" | "d";
  readonly from: number;
  readonly to: number;
}

/** Both ends included; `max` may be Infinity. */
interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** Reads what is between `when` and the colon; `and` binds tighter than `or`. */
export function parseCondition(cursor: Cursor): Condition {
  const alternatives = cursor.list("or", () => cursor.list("and", () => parseTest(cursor)));
  return (graph, shift, holds, fails) =>
    alternatives.reduceRight(
      (otherwise, terms) => terms.reduceRight((next, term) => term(graph, shift, next, otherwise), holds),
      fails,
    );
}

function parseTest(cursor: Cursor): Condition {
  if (cursor.takes("not")) {
    const operand = parseTest(cursor);
    return (graph, shift, holds, fails) => operand(graph, shift, fails, holds);
  }
  const subject = parseSubject(cursor);
  const compared = parseComparison(cursor, subject);
  const ranges = subject.name === "n" ? compared.map(numbersOfLength) : compared;
  return (graph, shift, holds, fails) =>
    testsOf(subject, ranges, shift, graph).reduceRight((next, test) => graph.node(test, holds, next), fails);
}

function parseSubject(cursor: Cursor): Subject {
  const name = cursor.word();
  if (name === "v" || name === "n") return { name, from: 1, to: KONTONUMMER_LENGTH };
  const from = Number(/^d(10|[1-9])$/.exec(name)?.[1] ?? cursor.reject("expected v, n or d1 to d10"));
  const to = cursor.takes("-") ? cursor.number(from + 1, KONTONUMMER_LENGTH) : from;
  return { name: "d", from, to };
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
  const ranges = cursor.list(",", () => parseRange(cursor, subject));
  cursor.expect("}");
  return ranges;
}

function parseRange(cursor: Cursor, subject: Subject): NumberRange {
  const min = parseNumber(cursor, subject);
  const max = cursor.takes("..") ? parseNumber(cursor, subject) : min;
  if (max < min) cursor.reject("the range runs backwards");
  return { min, max };
}

/** The numbers that have one of these lengths without leading zeros. */
function numbersOfLength({ min, max }: NumberRange): NumberRange {
  return { min: min === 0 ? 0 : 10 ** (min - 1), max: 10 ** max - 1 };
}

function parseNumber(cursor: Cursor, { name, from, to }: Subject): number {
  const text = cursor.digits();
  // Digits are compared as written, so `d1-2=0` would be a slip for `d1-2=00`.
  if (name === "d" && text.length !== to - from + 1) {
    cursor.reject(`expected as many digits as d${from}-${to} has`);
  }
  return Number(text);
}

/** The tests of which at least one must hold. */
function testsOf(
  { name, from, to }: Subject,
  ranges: readonly NumberRange[],
  shift: number,
  graph: GraphBuilder,
): readonly NodeTest[] {
  if (shift > 0 && name !== "d") throw new RangeError(`a shifted number has no ${name} to test`);
  const place = { from: from + shift, to: to + shift };
  if (place.to > KONTONUMMER_LENGTH)
    throw new RangeError(`a shift by ${shift} leaves no digit ${to} to test`);
  if (to - from > 1) {
    const highest = 10 ** (to - from + 1) - 1;
    return ranges.map(({ min, max }) => ({ kind: "range", ...place, min, max: Math.min(max, highest) }));
  }
  const members = tabulate(
    (position, digit) => (position === place.to ? digit : position === place.from ? 10 * digit : 0),
    (number) => (ranges.some(({ min, max }) => number >= min && number <= max) ? ANY_DIGIT : 0),
  );
  return [{ kind: "sum", sum: graph.sum(members), checkPosition: null }];
}
