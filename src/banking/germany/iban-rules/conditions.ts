import { BLZ_LENGTH, KONTONUMMER_LENGTH } from "../account.ts";
import { checkByMethod, methodIndexOf } from "../methods.ts";
import { type Draft, digitCount, padNumber } from "./draft.ts";
import type { Condition, NumberRange } from "./rule-table.ts";

type Predicate = (draft: Draft) => boolean;

/**
 * Compiles a condition, or several of which one must hold, to a predicate.
 *
 * Throws for a property or a number it does not understand. No condition at all always holds.
 */
export function compileCondition(condition: Condition | readonly Condition[]): Predicate {
  if (isList(condition)) {
    const predicates = condition.map(compileCondition);
    return (draft) => predicates.some((holds) => holds(draft));
  }
  const predicates = Object.entries(condition).map(([property, value]) => {
    if (!Object.hasOwn(properties, property)) throw new Error(`unknown condition "${property}"`);
    return (properties[property as keyof Condition] as (value: unknown) => Predicate)(value);
  });
  return (draft) => predicates.every((holds) => holds(draft));
}

const properties: { readonly [P in keyof Condition]-?: (value: NonNullable<Condition[P]>) => Predicate } = {
  blz: (ranges) => {
    const contains = compileRanges(ranges, BLZ_LENGTH);
    return (draft) => contains(draft.blz);
  },
  blzDigits: (allowed) => {
    const matches = compileDigits(allowed, BLZ_LENGTH);
    return (draft) => matches(draft.blz);
  },
  kontonummer: (ranges) => {
    const contains = compileRanges(ranges, KONTONUMMER_LENGTH);
    return (draft) => contains(draft.kontonummer);
  },
  digitCount: (counts) => (draft) => counts.includes(digitCount(draft.kontonummer)),
  digits: (allowed) => {
    const matches = compileDigits(allowed, KONTONUMMER_LENGTH);
    return (draft) => matches(draft.kontonummer);
  },
  method: (methods) => (draft) => methods.includes(draft.bank?.method ?? ""),
  methodKnown: (known) => (draft) => methodIndexOf(draft.bank?.method ?? "") >= 0 === known,
  passes: (method) => {
    assignedMethodIndex(method);
    return (draft) => checkByMethod(method, draft.kontonummer, draft.blz) !== "invalid";
  },
};

/** The index of a check-digit method a rule names; throws where no such method is assigned. */
export function assignedMethodIndex(method: string): number {
  const index = methodIndexOf(method);
  if (index < 0) throw new Error(`unknown check-digit method "${method}"`);
  return index;
}

function isList(condition: Condition | readonly Condition[]): condition is readonly Condition[] {
  return Array.isArray(condition);
}

function compileRanges(ranges: readonly NumberRange[], width: number): (digits: string) => boolean {
  const single = new Set<string>();
  const spans: [from: string, to: string][] = [];
  for (const range of ranges) {
    if (typeof range === "string") single.add(padNumber(range, width));
    else spans.push([padNumber(range[0], width), padNumber(range[1], width)]);
  }
  // Digits of one width sort as text in the order of their values.
  return (digits) => single.has(digits) || spans.some(([from, to]) => digits >= from && digits <= to);
}

function compileDigits(
  allowed: Readonly<Record<string, string>>,
  width: number,
): (digits: string) => boolean {
  const places = Object.entries(allowed).map(([position, set]) => {
    const index = Number(position) - 1;
    if (!Number.isInteger(index) || index < 0 || index >= width)
      throw new Error(`position ${position} is not in 1 to ${width}`);
    return [index, set] as const;
  });
  return (digits) => places.every(([index, set]) => set.includes(digits[index]!));
}
