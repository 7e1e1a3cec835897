import { BLZ_LENGTH, germanAccount, KONTONUMMER_LENGTH } from "../account.ts";
import { checkByMethod, checkMethodVariant } from "../methods.ts";
import { assignedMethodIndex, compileConditions, methodOf, type StepCondition } from "./conditions.ts";
import { type Draft, padNumber, rewritten, successorOf } from "./draft.ts";

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

/** Works on the draft and says how the rule continues. */
type RunStep = (draft: Draft) => StepOutcome;

/**
 * Where the step changed something, the rule ends here: `accept` without a test of the check digit,
 * `check` with the usual one. Without `then` the next step follows.
 */
type Then = "accept" | "check";

/** Numbers → what each becomes: an account number, or a bank code and an account number there. */
type Replacements = Readonly<Record<string, string | readonly [blz: string, kontonummer: string]>>;

/** Per kind of step, its compiler. Throws for a step whose numbers, methods or tables are not right. */
const stepCompilers = {
  /** No IBAN. */
  refuse:
    ({ reason }: { reason: "not_convertible" | "invalid_account" }): RunStep =>
    () => ({ error: reason }),
  /** The rule ends here; the check digit is not tested. */
  accept:
    (_step: object): RunStep =>
    () =>
      "accept",
  /** The number as it is must pass the given method, or else that of the bank code reached so far. */
  check: ({ method }: { method?: string }): RunStep => {
    if (method !== undefined) assignedMethodIndex(method);
    return (draft) => {
      const verdict = checkByMethod(method ?? methodOf(draft), draft.kontonummer, draft.blz);
      if (verdict === "invalid") {
        if (!draft.observes) return { error: "check_digit" };
        draft.found = verdict;
      }
      if (verdict === "unknown_method") draft.found ??= verdict;
      return "next";
    };
  },
  /**
   * Finds the sub-account: takes the first candidate (the number as given, or with `00` appended where two
   * leading zeros make room) that passes one variant of a method, and ends the rule; none passes: `check_digit`.
   */
  fitSubAccount: (step: {
    method: string;
    variant: number;
    try: readonly ("asGiven" | "appended")[];
  }): RunStep => {
    const method = assignedMethodIndex(step.method);
    const fits = (kontonummer: string) =>
      checkMethodVariant(method, step.variant, germanAccount(kontonummer)) === "valid";
    return (draft) => {
      const { kontonummer } = draft;
      const appended = kontonummer.startsWith("00") ? [`${kontonummer.slice(2)}00`] : [];
      const possible = step.try.flatMap((candidate) => (candidate === "asGiven" ? kontonummer : appended));
      let found = possible.find(fits);
      if (found === undefined && draft.observes && possible.length === 1) {
        // Of two possible accounts only the check digit says which is meant.
        found = possible[0];
        draft.found = "invalid";
      }
      if (found === undefined) return { error: "check_digit" };
      draft.kontonummer = found;
      return "fits";
    };
  },
  /** The BIC, where the bank code is not moved later to one with its own BIC. */
  setBic:
    ({ bic }: { bic: string }): RunStep =>
    (draft) =>
      changed(draft, { bic }),
  /** Moves to `to`, from any bank code or only from those in `from`; sets `bic` where the bank code is then `to`. */
  moveBlz: (step: { from?: readonly string[]; to: string; bic?: string; then?: Then }): RunStep => {
    const from = step.from && new Set(step.from.map(fullBlz));
    const to = fullBlz(step.to);
    return (draft) =>
      draft.blz !== to && from?.has(draft.blz) === false
        ? "next"
        : changed(draft, { blz: to, bic: step.bic }, step.then);
  },
  /** Moves to the bank code whose entry in the named table lists the number's leading digits; refuses others. */
  moveBlzByLeadingDigits: (
    step: { table: string; otherwise: "not_convertible" | "invalid_account" },
    table: RuleTable,
  ): RunStep => {
    const { length, blzOf } = compileLeadingDigits(step.table, table);
    return (draft) => {
      const blz = blzOf.get(draft.kontonummer.slice(0, length));
      return blz === undefined ? { error: step.otherwise } : changed(draft, { blz });
    };
  },
  /** Moves to the successor the bank code file names, if any. */
  moveToSuccessor:
    (_step: object): RunStep =>
    (draft) => {
      const bank = draft.bankOf(draft.blz);
      return changed(draft, { blz: bank && successorOf(bank) });
    },
  /** Replaces exactly these numbers, everywhere (`table`) or per bank code (`tableByBlz`), and moves to `blz`. */
  replace: (step: {
    table?: Replacements;
    tableByBlz?: Readonly<Record<string, Replacements>>;
    blz?: string;
    bic?: string;
    then?: Then;
  }): RunStep => {
    const everywhere = compileReplacements(step.table ?? {});
    const byBlz = new Map(
      Object.entries(step.tableByBlz ?? {}).map(([blz, table]) => [fullBlz(blz), compileReplacements(table)]),
    );
    const blz = step.blz && fullBlz(step.blz);
    return (draft) => {
      const found = everywhere.get(draft.kontonummer) ?? byBlz.get(draft.blz)?.get(draft.kontonummer);
      return found === undefined ? "next" : changed(draft, { blz, bic: step.bic, ...found }, step.then);
    };
  },
  /** Writes a ten-digit number that fits the pattern `from` as `to` has it; see {@link rewritten}. */
  rewrite: ({ from, to, then }: { from: string; to: string; then?: Then }): RunStep => {
    for (const pattern of [from, to]) {
      if (!/^[a-z\d]{10}$/.test(pattern)) throw new Error(`"${pattern}" is not a pattern of ten digits`);
    }
    if ([...to].some((sign) => /[a-z]/.test(sign) && !from.includes(sign)))
      throw new Error(`"${to}" has a letter that "${from}" lacks`);
    return (draft) => {
      const kontonummer = rewritten(draft.kontonummer, from, to);
      return kontonummer === undefined ? "next" : changed(draft, { kontonummer }, then);
    };
  },
};

/** One step of an IBAN rule as `data/de-iban-rules.json` writes it. */
type Step = {
  [Kind in keyof typeof stepCompilers]: {
    readonly do: Kind;
    /** The step runs only where the condition, or one of several, holds. */
    readonly when?: StepCondition | readonly StepCondition[];
    /** The step does not run where the condition, or one of several, holds. */
    readonly unless?: StepCondition | readonly StepCondition[];
  } & Readonly<Parameters<(typeof stepCompilers)[Kind]>[0]>;
}[keyof typeof stepCompilers];

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

type Change = { readonly [Part in "blz" | "kontonummer" | "bic"]?: string | undefined };

/** Changes what is given of a draft. */
function changed(draft: Draft, { blz, kontonummer, bic }: Change, then?: Then): StepOutcome {
  draft.blz = blz ?? draft.blz;
  draft.kontonummer = kontonummer ?? draft.kontonummer;
  draft.bic = bic ?? draft.bic;
  return then ?? "next";
}

function fullKontonummer(digits: string): string {
  return padNumber(digits, KONTONUMMER_LENGTH);
}

function fullBlz(digits: string): string {
  if (digits.length !== BLZ_LENGTH)
    throw new Error(`bank code "${digits}" does not have ${BLZ_LENGTH} digits`);
  return padNumber(digits, BLZ_LENGTH);
}

function compileReplacements(table: Replacements) {
  return new Map(
    Object.entries(table).map(([from, to]) => {
      const found =
        typeof to === "string"
          ? { kontonummer: fullKontonummer(to) }
          : { blz: fullBlz(to[0]), kontonummer: fullKontonummer(to[1]) };
      return [fullKontonummer(from), found];
    }),
  );
}

function compileLeadingDigits(name: string, { blzByLeadingDigits }: RuleTable) {
  const blzOf = new Map<string, string>();
  for (const [blz, leading] of Object.entries(blzByLeadingDigits[name] ?? {})) {
    for (const digits of leading) {
      if (blzOf.has(digits)) throw new Error(`leading digits ${digits} are in table "${name}" twice`);
      blzOf.set(digits, fullBlz(blz));
    }
  }
  const [length, ...others] = new Set([...blzOf.keys()].map((digits) => digits.length));
  if (length === undefined) throw new Error(`table "${name}" is empty or absent`);
  if (others.length > 0) throw new Error(`leading digits of table "${name}" differ in length`);
  return { length, blzOf };
}

/** A step with its conditions. */
export interface CompiledStep {
  readonly kind: Step["do"];
  readonly run: RunStep;
  /** If the step can end a rule without a test of the check digit: which numbers it may have made a draft's number of. */
  readonly originsOf: ((draft: Draft) => readonly string[]) | undefined;
}

/**
 * Compiles one step, its conditions around it.
 *
 * Throws for a kind of step, a condition, a method or a table that does not exist, and for malformed numbers.
 */
export function compileStep(step: Step, table: RuleTable): CompiledStep {
  if (!Object.hasOwn(stepCompilers, step.do)) throw new Error(`unknown step "${step.do}"`);
  const compile = stepCompilers[step.do] as (step: Step, table: RuleTable) => RunStep;
  const run = compile(step, table);
  const when = compileConditions(step.when ?? {});
  const unless = compileConditions(step.unless ?? []);
  const applies = (draft: Draft) => when(draft) && !unless(draft);
  return {
    kind: step.do,
    run: (draft) => (applies(draft) ? run(draft) : "next"),
    originsOf: compileOrigins(step, applies),
  };
}

function compileOrigins(step: Step, applies: (draft: Draft) => boolean): CompiledStep["originsOf"] {
  // The number that is accepted as it is does not change any more.
  if (step.do === "accept") return (draft) => (applies(draft) ? [draft.kontonummer] : []);
  if (step.do === "rewrite" && step.then === "accept") {
    return ({ kontonummer }) => [rewritten(kontonummer, step.to, step.from) ?? []].flat();
  }
  if (step.do !== "replace" || step.then !== "accept") return undefined;
  const origins = new Map<string, string[]>();
  for (const table of [step.table ?? {}, ...Object.values(step.tableByBlz ?? {})]) {
    for (const [from, { kontonummer }] of compileReplacements(table))
      origins.set(kontonummer, [...(origins.get(kontonummer) ?? []), from]);
  }
  return ({ kontonummer }) => origins.get(kontonummer) ?? [];
}
