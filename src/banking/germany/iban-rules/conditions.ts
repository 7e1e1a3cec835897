import { checkByMethod, methodIndexOf } from "../methods.ts";
import { type Draft, significant } from "./draft.ts";

/** One number, or an inclusive range. */
type NumberRange = string | readonly [from: string, to: string];

/** Positions, from 1 on the left, and the digits allowed there. */
type AllowedDigits = readonly (readonly [position: number, digits: string])[];

/** Properties of a condition, and whether a draft has them. */
const properties = {
  /** The bank code is one of these. */
  blz: (ranges: readonly NumberRange[], { blz }: Draft) => isIn(ranges, blz),
  /** The bank code has digits that are allowed. */
  blzDigits: (allowed: AllowedDigits, { blz }: Draft) => hasDigits(allowed, blz),
  /** The account number is one of these. */
  kontonummer: (ranges: readonly NumberRange[], { kontonummer }: Draft) => isIn(ranges, kontonummer),
  /** How many digits the account number has without leading zeros is one of these. */
  digitCount: (counts: readonly number[], { kontonummer }: Draft) =>
    counts.includes(significant(kontonummer).length),
  /** The ten-digit account number has digits that are allowed. */
  digits: (allowed: AllowedDigits, { kontonummer }: Draft) => hasDigits(allowed, kontonummer),
  /** The bank code's check-digit method is one of these; an unknown method never matches. */
  method: (methods: readonly string[], draft: Draft) => methods.includes(methodOf(draft)),
  /** Whether the bank code's check-digit method is known. */
  methodKnown: (known: boolean, draft: Draft) => methodIndexOf(methodOf(draft)) >= 0 === known,
  /** The account number passes this check-digit method, in place of the bank code's own. */
  passes: (method: string, draft: Draft) => checkByMethod(method, draft.kontonummer, draft.blz) !== "invalid",
};

/** Condition of a step: all given properties must hold. */
export type StepCondition = {
  readonly [P in keyof typeof properties]?: Parameters<(typeof properties)[P]>[0];
};

/** Whether a condition, or one of several, holds; one without properties always does, an empty list never. */
export function holds(conditions: StepCondition | readonly StepCondition[], draft: Draft): boolean {
  if (Array.isArray(conditions)) return conditions.some((condition) => holds(condition, draft));
  for (const property in conditions) {
    const has = properties[property as keyof StepCondition] as (value: unknown, draft: Draft) => boolean;
    if (!has((conditions as Readonly<Record<string, unknown>>)[property], draft)) return false;
  }
  return true;
}

/** Returns the check-digit method of the bank code reached so far; empty if it is not known. */
export function methodOf({ blz, bankOf }: Draft): string {
  return bankOf(blz)?.method ?? "";
}

function isIn(ranges: readonly NumberRange[], digits: string): boolean {
  const number = Number(digits);
  const text = significant(digits);
  return ranges.some((range) =>
    typeof range === "string" ? range === text : number >= Number(range[0]) && number <= Number(range[1]),
  );
}

function hasDigits(allowed: AllowedDigits, digits: string): boolean {
  return allowed.every(([position, set]) => set.includes(digits[position - 1]!));
}
