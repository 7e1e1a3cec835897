import { KONTONUMMER_LENGTH } from "../account.ts";
import type { Cursor } from "./cursor.ts";
import type { Condition, NumberRange, Subject } from "./notation.ts";

/** Reads a condition: tests joined by `and` (binds tighter) and `or`, each with an optional `not`. */
export function parseCondition(cursor: Cursor): Condition {
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
    cursor.back();
    cursor.fail("expected v, n or d1 to d10");
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
    cursor.back();
    cursor.fail("the range runs backwards");
  }
  return { min, max };
}

function parseNumber(cursor: Cursor, subject: Subject): number {
  const text = cursor.digits();
  // Digits are compared as written, so `d1-2=0` would be a slip for `d1-2=00`.
  if (subject.kind === "digits" && text.length !== subject.to - subject.from + 1) {
    cursor.back();
    cursor.fail(`expected as many digits as d${subject.from}-${subject.to} has`);
  }
  return Number(text);
}
