import { BLZ_LENGTH, germanAccount, KONTONUMMER_LENGTH } from "../account.ts";
import { checkByMethod, checkMethodVariant } from "../methods.ts";
import {
  assignedMethodIndex,
  compileConditions,
  type Draft,
  padNumber,
  successorOf,
  withAppended,
} from "./draft.ts";
import type { Refusal, RuleTable, Step, StepOf } from "./rule-table.ts";

/** Per kind of step, its compiler. Throws for a step whose numbers, methods or tables are not right. */
const stepCompilers: {
  readonly [Kind in Step["do"]]: (step: StepOf<Kind>, table: RuleTable) => RunStep;
} = {
  refuse:
    ({ reason }) =>
    () => ({ error: reason }),
  accept: () => () => "accept",
  check: ({ method: named }) => {
    if (named !== undefined) assignedMethodIndex(named);
    return (draft) => {
      const verdict = checkByMethod(named ?? draft.bank?.method ?? "", draft.kontonummer, draft.blz);
      if (verdict === "invalid") {
        if (!draft.observes) return { error: "check_digit" };
        draft.failed = true;
      }
      if (verdict === "unknown_method") draft.untested = true;
      return "next";
    };
  },
  fitSubAccount: ({ method, variant, try: candidates }) => {
    const index = assignedMethodIndex(method);
    return (draft) => {
      const possible = candidates.flatMap(
        (candidate) =>
          (candidate === "asGiven" ? draft.kontonummer : withAppended(draft.kontonummer, "00")) ?? [],
      );
      let found = possible.find((kontonummer) => fits(index, variant, kontonummer));
      if (found === undefined && draft.observes && possible.length === 1) {
        // Of two possible accounts only the check digit says which is meant.
        found = possible[0];
        draft.failed = true;
      }
      if (found === undefined) return { error: "check_digit" };
      draft.kontonummer = found;
      return "fits";
    };
  },
  setBic:
    ({ bic }) =>
    (draft) => {
      draft.bic = bic;
      return "next";
    },
  moveBlz: (step) => {
    const from = step.from && new Set(step.from.map(fullBlz));
    const to = fullBlz(step.to);
    return (draft) => {
      if (draft.blz !== to && from?.has(draft.blz) === false) return "next";
      draft.blz = to;
      draft.bic = step.bic ?? draft.bic;
      return step.then ?? "next";
    };
  },
  moveBlzByLeadingDigits: (step, table) => {
    const { length, blzOf } = compileLeadingDigits(step, table);
    return (draft) => {
      const blz = blzOf.get(draft.kontonummer.slice(0, length));
      if (blz === undefined) return { error: step.otherwise };
      draft.blz = blz;
      return "next";
    };
  },
  moveToSuccessor: () => (draft) => {
    const bank = draft.bank;
    draft.blz = (bank && successorOf(bank)) ?? draft.blz;
    return "next";
  },
  replaceKontonummer: (step) => {
    const everywhere = compileReplacements(step.table ?? {});
    const byBlz = new Map(
      Object.entries(step.tableByBlz ?? {}).map(([blz, table]) => [fullBlz(blz), compileReplacements(table)]),
    );
    const blz = step.blz && fullBlz(step.blz);
    return (draft) => {
      const replacement = everywhere.get(draft.kontonummer) ?? byBlz.get(draft.blz)?.get(draft.kontonummer);
      if (replacement === undefined) return "next";
      draft.kontonummer = replacement;
      draft.blz = blz ?? draft.blz;
      draft.bic = step.bic ?? draft.bic;
      return step.then ?? "next";
    };
  },
  replaceBlzAndKontonummer: (step) => {
    const replacements = new Map(
      Object.entries(step.table).map(([from, [blz, to]]) => [
        fullKontonummer(from),
        { blz: fullBlz(blz), kontonummer: fullKontonummer(to) },
      ]),
    );
    return (draft) => {
      const replacement = replacements.get(draft.kontonummer);
      if (replacement === undefined) return "next";
      draft.blz = replacement.blz;
      draft.kontonummer = replacement.kontonummer;
      return step.then ?? "next";
    };
  },
  setKontonummer: (step) => {
    const kontonummer = fullKontonummer(step.kontonummer);
    return (draft) => {
      draft.kontonummer = kontonummer;
      return "next";
    };
  },
  replaceLeadingDigits: ({ from, to }) => {
    if (from.length !== to.length) throw new Error(`"${from}" and "${to}" differ in length`);
    return (draft) => {
      if (draft.kontonummer.startsWith(from)) draft.kontonummer = to + draft.kontonummer.slice(to.length);
      return "next";
    };
  },
  moveLeadingDigits:
    ({ count, then }) =>
    (draft) => {
      draft.kontonummer = draft.kontonummer.slice(count) + draft.kontonummer.slice(0, count);
      return then ?? "next";
    },
  removeDigit:
    ({ position }) =>
    (draft) => {
      draft.kontonummer = `0${draft.kontonummer.slice(0, position - 1)}${draft.kontonummer.slice(position)}`;
      return "next";
    },
  append:
    ({ digits }) =>
    (draft) => {
      const kontonummer = withAppended(draft.kontonummer, digits);
      if (kontonummer === undefined) return { error: "invalid_account" };
      draft.kontonummer = kontonummer;
      return "next";
    },
};

function fits(methodIndex: number, variant: number, kontonummer: string): boolean {
  return checkMethodVariant(methodIndex, variant, germanAccount(kontonummer)) === "valid";
}

function fullKontonummer(digits: string): string {
  return padNumber(digits, KONTONUMMER_LENGTH);
}

function fullBlz(digits: string): string {
  if (digits.length !== BLZ_LENGTH)
    throw new Error(`bank code "${digits}" does not have ${BLZ_LENGTH} digits`);
  return padNumber(digits, BLZ_LENGTH);
}

function compileReplacements(table: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(table).map(([from, to]) => [fullKontonummer(from), fullKontonummer(to)]));
}

function compileLeadingDigits(
  step: StepOf<"moveBlzByLeadingDigits">,
  { blzByLeadingDigits }: RuleTable,
): { length: number; blzOf: Map<string, string> } {
  const blzOf = new Map<string, string>();
  for (const [blz, leading] of Object.entries(blzByLeadingDigits[step.table] ?? {})) {
    for (const digits of leading) {
      if (blzOf.has(digits)) throw new Error(`leading digits ${digits} are in table "${step.table}" twice`);
      blzOf.set(digits, fullBlz(blz));
    }
  }
  const [length, ...others] = new Set([...blzOf.keys()].map((digits) => digits.length));
  if (length === undefined) throw new Error(`table "${step.table}" is empty or absent`);
  if (others.length > 0) throw new Error(`leading digits of table "${step.table}" differ in length`);
  return { length, blzOf };
}

/**
 * Outcome of a step: the `next` step; the end of the rule with the usual test of the check digit
 * (`check`), with none (`accept`) or after a test of the rule's own (`fits`); or no IBAN.
 */
export type StepOutcome = "next" | "check" | "accept" | "fits" | Refusal;

/** A compiled step: works on the draft and says how the rule continues. */
export type RunStep = (draft: Draft) => StepOutcome;

/**
 * Compiles one step, its conditions around it.
 *
 * Throws for a kind of step, a condition, a method or a table that does not exist, and for malformed numbers.
 */
export function compileStep(step: Step, table: RuleTable): RunStep {
  if (!Object.hasOwn(stepCompilers, step.do)) throw new Error(`unknown step "${step.do}"`);
  const compile = stepCompilers[step.do] as (step: Step, table: RuleTable) => RunStep;
  const run = compile(step, table);
  const when = compileConditions(step.when ?? {});
  const unless = compileConditions(step.unless ?? []);
  return (draft) => (when(draft) && !unless(draft) ? run(draft) : "next");
}
