import type { GermanAccount } from "../account.ts";
import type { Condition, NumberRange } from "./notation.ts";

/** A test on an account that allocates nothing. */
export type AccountTest = (account: GermanAccount) => boolean;

/**
 * Turns a condition into a function, as it applies to the number moved `shift` places to the left.
 *
 * Throws a RangeError where the condition cannot be told from the unshifted number: value, length, or
 * digits that the shift moves in from beyond the tenth.
 */
export function compileCondition(condition: Condition, shift: number): AccountTest {
  if (condition.kind === "not") {
    const operand = compileCondition(condition.operand, shift);
    return (account) => !operand(account);
  }
  if (condition.kind === "in") return compileMembership(condition, shift);
  const operands = condition.operands.map((operand) => compileCondition(operand, shift));
  return condition.kind === "and"
    ? operands.reduce((left, right) => (account) => left(account) && right(account))
    : operands.reduce((left, right) => (account) => left(account) || right(account));
}

function compileMembership({ subject, ranges }: Condition & { kind: "in" }, shift: number): AccountTest {
  if (subject.kind !== "digits") {
    if (shift > 0) throw new RangeError(`a shifted number has no ${subject.kind} to test`);
    const bounds = boundsOf(ranges);
    return subject.kind === "value"
      ? (account) => isWithin(bounds, account.value)
      : (account) => isWithin(bounds, account.significant);
  }
  const first = subject.from - 1 + shift;
  const end = subject.to + shift;
  if (end > 10) throw new RangeError(`a shift by ${shift} leaves no digit ${subject.to} to test`);
  return subject.from === subject.to
    ? compileDigit(first, ranges)
    : subject.to === subject.from + 1
      ? compileDigitPair(first, ranges)
      : compileDigits(first, end, boundsOf(ranges));
}

function compileDigit(index: number, ranges: readonly NumberRange[]): AccountTest {
  const members = memberTable(10, ranges);
  return (account) => members[account.digits[index]!] === 1;
}

function compileDigitPair(index: number, ranges: readonly NumberRange[]): AccountTest {
  const members = memberTable(100, ranges);
  return ({ digits }) => members[digits[index]! * 10 + digits[index + 1]!] === 1;
}

function compileDigits(first: number, end: number, bounds: Float64Array): AccountTest {
  return ({ digits }) => {
    let number = 0;
    for (let index = first; index < end; index++) number = number * 10 + digits[index]!;
    return isWithin(bounds, number);
  };
}

function memberTable(size: number, ranges: readonly NumberRange[]): Uint8Array {
  const bounds = boundsOf(ranges);
  return Uint8Array.from({ length: size }, (_, number) => Number(isWithin(bounds, number)));
}

function boundsOf(ranges: readonly NumberRange[]): Float64Array {
  return Float64Array.from(ranges.flatMap(({ min, max }) => [min, max]));
}

function isWithin(bounds: Float64Array, number: number): boolean {
  for (let index = 0; index < bounds.length; index += 2) {
    if (number >= bounds[index]! && number <= bounds[index + 1]!) return true;
  }
  return false;
}
