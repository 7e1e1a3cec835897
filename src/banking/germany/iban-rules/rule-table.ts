/** Why no German IBAN is generated; `deleted_blz`: the bank code was removed and no successor is named. */
export type RuleRefusalReason =
  | "check_digit"
  | "not_convertible"
  | "invalid_account"
  | "deleted_blz"
  | "unknown_bank"
  | "unknown_rule";

/** No IBAN, and why. */
export interface Refusal {
  readonly error: RuleRefusalReason;
}

/** One number, or an inclusive range; leading zeros may be left out. */
export type StepRange = string | readonly [from: string, to: string];

/** Condition of a step: all given properties must hold. Bank code and number are the current ones of the rule. */
export interface StepCondition {
  /** The bank code is one of these. */
  readonly blz?: readonly StepRange[];
  /** Position in the bank code (1-8) → the digits allowed there. */
  readonly blzDigits?: Readonly<Record<string, string>>;
  /** The account number is one of these. */
  readonly kontonummer?: readonly StepRange[];
  /** How many digits the account number has without leading zeros is one of these. */
  readonly digitCount?: readonly number[];
  /** Position in the ten-digit account number (1-10) → the digits allowed there. */
  readonly digits?: Readonly<Record<string, string>>;
  /** The bank code's check-digit method is one of these; an unknown method never matches. */
  readonly method?: readonly string[];
  /** Whether the bank code's check-digit method is known. */
  readonly methodKnown?: boolean;
  /** The account number passes this check-digit method, in place of the bank code's own. */
  readonly passes?: string;
}

interface Conditional {
  /** The step runs only where the condition, or one of several, holds. */
  readonly when?: StepCondition | readonly StepCondition[];
  /** The step does not run where the condition, or one of several, holds. */
  readonly unless?: StepCondition | readonly StepCondition[];
}

interface Closing {
  /**
   * Where the step changed something, the rule ends here: `accept` without a test of the check digit,
   * `check` with the usual one. Without `then` the next step follows.
   */
  readonly then?: "accept" | "check";
}

/** The fields of each kind of step. */
interface StepFields {
  /** No IBAN. */
  refuse: { reason: "not_convertible" | "invalid_account" };
  /** The rule ends here; the check digit is not tested. */
  accept: object;
  /** The number as it is must pass the given method, or else that of the bank code reached so far. */
  check: { method?: string };
  /** The BIC, where the bank code is not moved later to one with its own BIC. */
  setBic: { bic: string };
  /** Moves to `to`, from any bank code or only from those in `from`; sets `bic` where the bank code is then `to`. */
  moveBlz: Closing & { from?: readonly string[]; to: string; bic?: string };
  /** Moves to the bank code whose entry in the named table lists the number's leading digits; refuses others. */
  moveBlzByLeadingDigits: { table: string; otherwise: "not_convertible" | "invalid_account" };
  /** Moves to the successor the bank code file names, if any. */
  moveToSuccessor: object;
  /** Replaces exactly these numbers, everywhere (`table`) or per bank code (`tableByBlz`), and moves to `blz`. */
  replaceKontonummer: Closing & {
    table?: Readonly<Record<string, string>>;
    tableByBlz?: Readonly<Record<string, Readonly<Record<string, string>>>>;
    blz?: string;
    bic?: string;
  };
  /** Replaces exactly these numbers by a bank code and a number there. */
  replaceBlzAndKontonummer: Closing & {
    table: Readonly<Record<string, readonly [blz: string, kontonummer: string]>>;
  };
  /** Every number becomes this one. */
  setKontonummer: { kontonummer: string };
  /** In the ten-digit form, leading digits equal to `from` become `to`, of the same length. */
  replaceLeadingDigits: { from: string; to: string };
  /** Moves that many leading digits of the ten-digit form after its last one. */
  moveLeadingDigits: Closing & { count: number };
  /** Removes one digit of the ten-digit form; a zero moves in on the left. */
  removeDigit: { position: number };
  /** Appends digits, where as many leading zeros make room for them; refuses the number otherwise. */
  append: { digits: string };
  /**
   * Finds the sub-account: takes the first candidate (the number as given, or with `00` appended where two
   * leading zeros make room) that passes one variant of a method, and ends the rule; none passes: `check_digit`.
   */
  fitSubAccount: { method: string; variant: number; try: readonly ("asGiven" | "appended")[] };
}

/** A step of one kind. */
export type StepOf<Kind extends keyof StepFields> = Conditional & Readonly<{ do: Kind } & StepFields[Kind]>;

/** One step of an IBAN rule as `data/de-iban-rules.json` writes it. */
export type Step = { [Kind in keyof StepFields]: StepOf<Kind> }[keyof StepFields];

/**
 * The shape of `data/de-iban-rules.json`: per rule number its steps, run from top to bottom.
 *
 * After the last step (or a `then: "check"`) the number must pass the check-digit method of the bank code
 * reached, and the BIC is the one set by a step, else that of the bank code reached. Further fields (`carriedBy`: bank
 * codes known to carry the rule) are for the reader.
 */
export interface RuleTable {
  /** Table name → bank code → the leading digits that select it, all of one length. */
  readonly blzByLeadingDigits: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly rules: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}
