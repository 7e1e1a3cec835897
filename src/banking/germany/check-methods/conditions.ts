import { KONTONUMMER_LENGTH } from "../account.ts";
import type { Condition } from "./graph.ts";
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
  return (graph, shift, holds, fails) => {
    const [from, to] = [subject.from + shift, subject.to + shift];
    if (shift > 0 && subject.name !== "d")
      throw new RangeError(`a shifted number has no ${subject.name} to test`);
    if (to > KONTONUMMER_LENGTH)
      throw new RangeError(`a shift by ${shift} leaves no digit ${subject.to} to test`);
    if (from === to)
      return graph.node({ kind: "digit", position: from, allowed: digitsOf(ranges) }, holds, fails);
    const highest = 10 ** (to - from + 1) - 1;
    return ranges.reduceRight(
      (next, { min, max }) =>
        graph.node({ kind: "range", from, to, min, max: Math.min(max, highest) }, holds, next),
      fails,
    );
  };
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

/** The digits in any of the ranges, a bit each. */
function digitsOf(ranges: readonly NumberRange[]): number {
  const digits = Array.from({ length: 10 }, (_, digit) =>
    ranges.some(({ min, max }) => digit >= min && digit <= max) ? 1 << digit : 0,
  );
  return digits.reduce((bits, bit) => bits | bit);
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
