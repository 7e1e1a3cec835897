import ibanRules from "../../../../data/de-iban-rules.json" with { type: "json" };
import { germanAccount, KONTONUMMER_LENGTH } from "../account.ts";
import { checkByMethod, checkMethod, methodIndexOf } from "../methods.ts";
import { holds, methodOf, type StepCondition } from "./conditions.ts";
import { type Draft, rewritten, significant, successorOf } from "./draft.ts";

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

/**
 * Outcome of a step: the `next` step; the end of the rule with the usual test of the check digit
 * (`check`), with none (`accept`) or after a test of the rule's own (`fits`); or no IBAN.
 */
export type StepOutcome = "next" | "check" | "accept" | "fits" | Refusal;

/**
 * Where the step changed something, the rule ends here: `accept` without a test of the check digit,
 * `check` with the usual one. Without `then` the next step follows.
 */
type Then = "accept" | "check";

/** Numbers → what each becomes: an account number, or a bank code and an account number there. */
type Replacements = Readonly<Record<string, string | readonly [blz: string, kontonummer: string]>>;

const formerHypoBank: ReadonlyMap<string, string> = new Map(
  Object.entries(ibanRules.formerHypoBank).flatMap(([blz, branches]) =>
    branches.map((digits) => [digits, blz] as const),
  ),
);

/** The kinds of steps: each works on the draft and says how the rule continues. */
const steps = {
  /** No IBAN. */
  refuse: ({ reason }: { reason: "not_convertible" | "invalid_account" }): StepOutcome => ({ error: reason }),
  /** The rule ends here; the check digit is not tested. */
  accept: (_step: object): StepOutcome => "accept",
  /** The number as it is must pass the given method, or else that of the bank code reached so far. */
  check: ({ method }: { method?: string }, draft: Draft): StepOutcome => {
    const verdict = checkByMethod(method ?? methodOf(draft), draft.kontonummer, draft.blz);
    if (verdict === "invalid") {
      if (!draft.observes) return { error: "check_digit" };
      draft.found = verdict;
    }
    if (verdict === "unknown_method") draft.found ??= verdict;
    return "next";
  },
  /**
   * Finds the sub-account: takes the first candidate (the number as given, or with `00` appended where two
   * leading zeros make room) that passes the first variant of a method, and ends the rule; none passes: `check_digit`.
   */
  fitSubAccount: (
    step: { method: string; try: readonly ("asGiven" | "appended")[] },
    draft: Draft,
  ): StepOutcome => {
    const { kontonummer } = draft;
    const method = methodIndexOf(step.method);
    const appended = kontonummer.startsWith("00") ? [`${kontonummer.slice(2)}00`] : [];
    const possible = step.try.flatMap((candidate) => (candidate === "asGiven" ? kontonummer : appended));
    let found = possible.find((candidate) => checkMethod(method, germanAccount(candidate), 1) === "valid");
    if (found === undefined && draft.observes && possible.length === 1) {
      // Of two possible accounts only the check digit says which is meant.
      found = possible[0];
      draft.found = "invalid";
    }
    if (found === undefined) return { error: "check_digit" };
    draft.kontonummer = found;
    return "fits";
  },
  /** The BIC, where the bank code is not moved later to one with its own BIC. */
  setBic: ({ bic }: { bic: string }, draft: Draft): StepOutcome => changed(draft, { bic }),
  /** Moves to `to`, from any bank code or only from those in `from`; sets `bic` where the bank code is then `to`. */
  moveBlz: (
    { from, to, bic, then }: { from?: readonly string[]; to: string; bic?: string; then?: Then },
    draft: Draft,
  ): StepOutcome =>
    draft.blz !== to && from?.includes(draft.blz) === false ? "next" : changed(draft, { blz: to, bic }, then),
  /** Moves to the bank code of the branch of the former HypoBank whose number leads; refuses others. */
  moveToHypoBranch: (
    { otherwise }: { otherwise: "not_convertible" | "invalid_account" },
    draft: Draft,
  ): StepOutcome => {
    const blz = formerHypoBank.get(draft.kontonummer.slice(0, 3));
    return blz === undefined ? { error: otherwise } : changed(draft, { blz });
  },
  /** Moves to the successor the bank code file names, if any. */
  moveToSuccessor: (_step: object, draft: Draft): StepOutcome => {
    const bank = draft.bankOf(draft.blz);
    return changed(draft, { blz: bank && successorOf(bank) });
  },
  /** Replaces exactly these numbers, everywhere (`table`) or per bank code (`tableByBlz`), and moves to `blz`. */
  replace: (
    step: {
      table?: Replacements;
      tableByBlz?: Readonly<Record<string, Replacements>>;
      blz?: string;
      bic?: string;
      then?: Then;
    },
    draft: Draft,
  ): StepOutcome => {
    const number = significant(draft.kontonummer);
    const found = step.table?.[number] ?? step.tableByBlz?.[draft.blz]?.[number];
    if (found === undefined) return "next";
    const [blz, replacement] = typeof found === "string" ? [step.blz, found] : found;
    const kontonummer = replacement.padStart(KONTONUMMER_LENGTH, "0");
    return changed(draft, { blz, kontonummer, bic: step.bic }, step.then);
  },
  /** Writes a ten-digit number that fits the pattern `from` as `to` has it; see {@link rewritten}. */
  rewrite: ({ from, to, then }: { from: string; to: string; then?: Then }, draft: Draft): StepOutcome => {
    const kontonummer = rewritten(draft.kontonummer, from, to);
    return kontonummer === undefined ? "next" : changed(draft, { kontonummer }, then);
  },
};

/**
 * One step of an IBAN rule as `data/de-iban-rules.json` writes it.
 *
 * After the last step (or a `then: "check"`) the number must pass the check-digit method of the bank code
 * reached, and the BIC is the one set by a step, else that of the bank code reached.
 */
export type Step = {
  [Kind in keyof typeof steps]: {
    readonly do: Kind;
    /** The step runs only where the condition, or one of several, holds. */
    readonly when?: StepCondition | readonly StepCondition[];
    /** The step does not run where the condition, or one of several, holds. */
    readonly unless?: StepCondition | readonly StepCondition[];
  } & Readonly<Parameters<(typeof steps)[Kind]>[0]>;
}[keyof typeof steps];

type Change = { readonly [Part in "blz" | "kontonummer" | "bic"]?: string | undefined };

/** Changes what is given of a draft. */
function changed(draft: Draft, { blz, kontonummer, bic }: Change, then?: Then): StepOutcome {
  draft.blz = blz ?? draft.blz;
  draft.kontonummer = kontonummer ?? draft.kontonummer;
  draft.bic = bic ?? draft.bic;
  return then ?? "next";
}

/** Runs a step where its conditions hold. */
export function runStep(step: Step, draft: Draft): StepOutcome {
  const run = steps[step.do] as (step: Step, draft: Draft) => StepOutcome;
  return applies(step, draft) ? run(step, draft) : "next";
}

function applies({ when, unless }: Step, draft: Draft): boolean {
  return (when === undefined || holds(when, draft)) && (unless === undefined || !holds(unless, draft));
}

/** Whether a step can end a rule at an account of its own bank code without a test of the check digit. */
export function mayWaive(step: Step): boolean {
  return step.do === "accept" || (step.do !== "moveBlz" && "then" in step && step.then === "accept");
}

/** Returns the numbers of which a step that may waive the check digit may have made a draft's number. */
export function originsOf(step: Step, draft: Draft): readonly string[] {
  const { kontonummer } = draft;
  switch (step.do) {
    case "rewrite":
      return [rewritten(kontonummer, step.to, step.from) ?? []].flat();
    case "replace": {
      const number = significant(kontonummer);
      // A replacement with a bank code leads to another bank, and none before it moves the bank code.
      const table = step.table ?? step.tableByBlz?.[draft.blz] ?? {};
      return Object.keys(table).filter((from) => table[from] === number);
    }
    default:
      // The number that is accepted as it is does not change any more.
      return applies(step, draft) ? [kontonummer] : [];
  }
}
