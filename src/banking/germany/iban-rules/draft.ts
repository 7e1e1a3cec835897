import { BLZ_LENGTH, KONTONUMMER_LENGTH } from "../account.ts";
import { checkByMethod, methodIndexOf } from "../methods.ts";
import type { StepCondition, StepRange } from "./rule-table.ts";

/**
 * The facts of the bank code file that the IBAN rules read.
 *
 * Only `method`, `bic` and `rule` are needed; an absent, null or empty fact is one that is not known.
 */
export interface RuleBank {
  /** Check-digit method, two characters. */
  readonly method: string | null;
  readonly bic: string | null;
  /** IBAN rule with or without its version (`"000503"`, `"0005"`). */
  readonly rule: string | null;
  /** Eight-digit bank code that follows this one; `"00000000"` is none. */
  readonly successor?: string | null | undefined;
  /** Whether the bank code was removed from the bank code file: change code D (field 11), not a deletion mark (field 12). */
  readonly removed?: boolean | undefined;
}

/** Looks up a bank code's facts; undefined if the bank code file does not have it. */
export type BankOf = (blz: string) => RuleBank | undefined;

/** Bank code, account number and BIC while the steps of a rule change them. */
export class Draft {
  blz: string;
  /** Ten digits. */
  kontonummer: string;
  /** The BIC a step has given; undefined: that of the bank code. */
  bic: string | undefined = undefined;
  /** Whether a step could not test the number because the bank code's method is not known. */
  untested = false;
  /** Whether a wrong check digit is only noted, and whether there was one. */
  readonly observes: boolean;
  failed = false;
  readonly #inputBlz: string;
  readonly #inputBank: RuleBank;
  readonly #bankOf: BankOf;

  /** Takes a valid bank code with its facts and an account number padded to ten digits. */
  constructor(blz: string, kontonummer: string, bank: RuleBank, bankOf: BankOf, observes = false) {
    this.blz = blz;
    this.kontonummer = kontonummer;
    this.#inputBlz = blz;
    this.#inputBank = bank;
    this.#bankOf = bankOf;
    this.observes = observes;
  }

  /** The facts of the bank code reached so far; undefined if it is not in the bank code file. */
  get bank(): RuleBank | undefined {
    return this.blz === this.#inputBlz ? this.#inputBank : this.#bankOf(this.blz);
  }
}

/** Returns the successor a bank code file names, or undefined if it names none. */
export function successorOf(bank: RuleBank): string | undefined {
  const successor = bank.successor;
  return typeof successor === "string" && /^[1-9]\d{7}$/.test(successor) ? successor : undefined;
}

/** Pads a number of a table to the width it has in a bank code or account number; throws for anything else. */
export function padNumber(digits: string, width: number): string {
  if (!/^\d+$/.test(digits) || digits.length > width)
    throw new Error(`"${digits}" does not have 1 to ${width} digits`);
  return digits.padStart(width, "0");
}

/** How many digits an account number has without its leading zeros. */
function digitCount(kontonummer: string): number {
  return kontonummer.replace(/^0+/, "").length;
}

/** Returns the account number with digits appended and as many leading zeros dropped; undefined if they are too few. */
export function withAppended(kontonummer: string, digits: string): string | undefined {
  return digitCount(kontonummer) + digits.length > KONTONUMMER_LENGTH
    ? undefined
    : kontonummer.slice(digits.length) + digits;
}

type Predicate = (draft: Draft) => boolean;

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

const at =
  (part: "blz" | "kontonummer", matches: (digits: string) => boolean): Predicate =>
  (draft) =>
    matches(draft[part]);

const properties: {
  readonly [P in keyof StepCondition]-?: (value: NonNullable<StepCondition[P]>) => Predicate;
} = {
  blz: (ranges) => at("blz", compileRanges(ranges, BLZ_LENGTH)),
  blzDigits: (allowed) => at("blz", compileDigits(allowed, BLZ_LENGTH)),
  kontonummer: (ranges) => at("kontonummer", compileRanges(ranges, KONTONUMMER_LENGTH)),
  digitCount: (counts) => (draft) => counts.includes(digitCount(draft.kontonummer)),
  digits: (allowed) => at("kontonummer", compileDigits(allowed, KONTONUMMER_LENGTH)),
  method: (methods) => (draft) => methods.includes(draft.bank?.method ?? ""),
  methodKnown: (known) => (draft) => methodIndexOf(draft.bank?.method ?? "") >= 0 === known,
  passes: (method) => {
    assignedMethodIndex(method);
    return (draft) => checkByMethod(method, draft.kontonummer, draft.blz) !== "invalid";
  },
};

/** Returns the index of a check-digit method a rule names; throws if no such method is assigned. */
export function assignedMethodIndex(method: string): number {
  const index = methodIndexOf(method);
  if (index < 0) throw new Error(`unknown check-digit method "${method}"`);
  return index;
}

function compileRanges(ranges: readonly StepRange[], width: number): (digits: string) => boolean {
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
