import { BLZ_LENGTH, KONTONUMMER_LENGTH } from "../account.ts";
import { checkByMethod, methodIndexOf } from "../methods.ts";
import { type Draft, padNumber } from "./draft.ts";

type Predicate = (draft: Draft) => boolean;

/** One number, or an inclusive range; leading zeros may be left out. */
type NumberRange = string | readonly [from: string, to: string];

/** Position, from 1 on the left → the digits allowed there. */
type AllowedDigits = Readonly<Record<string, string>>;

/** Properties of a condition. Bank code and account number are the current ones of the rule. */
const properties = {
  /** The bank code is one of these. */
  blz: (ranges: readonly NumberRange[]) => isIn("blz", ranges),
  /** The bank code has digits that are allowed. */
  blzDigits: (allowed: AllowedDigits) => hasDigits("blz", allowed),
  /** The account number is one of these. */
  kontonummer: (ranges: readonly NumberRange[]) => isIn("kontonummer", ranges),
  /** How many digits the account number has without leading zeros is one of these. */
  digitCount:
    (counts: readonly number[]): Predicate =>
    ({ kontonummer }) =>
      counts.includes(kontonummer.replace(/^0+/, "").length),
  /** The ten-digit account number has digits that are allowed. */
  digits: (allowed: AllowedDigits) => hasDigits("kontonummer", allowed),
  /** The bank code's check-digit method is one of these; an unknown method never matches. */
  method:
    (methods: readonly string[]): Predicate =>
    (draft) =>
      methods.includes(methodOf(draft)),
  /** Whether the bank code's check-digit method is known. */
  methodKnown:
    (known: boolean): Predicate =>
    (draft) =>
      methodIndexOf(methodOf(draft)) >= 0 === known,
  /** The account number passes this check-digit method, in place of the bank code's own. */
  passes: (method: string): Predicate => {
    assignedMethodIndex(method);
    return (draft) => checkByMethod(method, draft.kontonummer, draft.blz) !== "invalid";
  },
};

/** Condition of a step: all given properties must hold. */
export type StepCondition = {
  readonly [P in keyof typeof properties]?: Parameters<(typeof properties)[P]>[0];
};

/**
 * Compiles a condition, or several of which one must hold, to a predicate.
 *
 * Throws for a property or a number it does not understand. A condition without properties always holds, an empty list never.
 */
export function compileConditions(conditions: StepCondition | readonly StepCondition[]): Predicate {
  const predicates = [conditions].flat().map(compileCondition);
  return (draft) => predicates.some((holds) => holds(draft));
}

function compileCondition(condition: StepCondition): Predicate {
  const predicates = Object.entries(condition).map(([property, value]) => {
    if (!Object.hasOwn(properties, property)) throw new Error(`unknown condition "${property}"`);
    return (properties[property as keyof StepCondition] as (value: unknown) => Predicate)(value);
  });
  return (draft) => predicates.every((holds) => holds(draft));
}

/** Returns the check-digit method of the bank code reached so far; empty if it is not known. */
export function methodOf({ blz, bankOf }: Draft): string {
  return bankOf(blz)?.method ?? "";
}

/** Returns the index of a check-digit method a rule names; throws if no such method is assigned. */
export function assignedMethodIndex(method: string): number {
  const index = methodIndexOf(method);
  if (index < 0) throw new Error(`unknown check-digit method "${method}"`);
  return index;
}

const widths = { blz: BLZ_LENGTH, kontonummer: KONTONUMMER_LENGTH };

function isIn(part: keyof typeof widths, ranges: readonly NumberRange[]): Predicate {
  const single = new Set<string>();
  const spans: [from: string, to: string][] = [];
  for (const range of ranges) {
    if (typeof range === "string") single.add(padNumber(range, widths[part]));
    else spans.push([padNumber(range[0], widths[part]), padNumber(range[1], widths[part])]);
  }
  // Digits of one width sort as text in the order of their values.
  return ({ [part]: digits }) =>
    single.has(digits) || spans.some(([from, to]) => digits >= from && digits <= to);
}

function hasDigits(part: keyof typeof widths, allowed: AllowedDigits): Predicate {
  const places = Object.entries(allowed).map(([position, set]) => {
    const index = Number(position) - 1;
    if (!Number.isInteger(index) || index < 0 || index >= widths[part])
      throw new Error(`position ${position} is not in 1 to ${widths[part]}`);
    return [index, set] as const;
  });
  return ({ [part]: digits }) => places.every(([index, set]) => set.includes(digits[index]!));
}
