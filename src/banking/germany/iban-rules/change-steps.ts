import { BLZ_LENGTH, KONTONUMMER_LENGTH } from "../account.ts";
import { padNumber, withAppended } from "./digits.ts";
import { successorOf } from "./draft.ts";
import type { MoveBlzByLeadingDigits, RuleTable } from "./rule-table.ts";
import type { StepCompilers } from "./steps.ts";

/** The kinds of step that change bank code, account number or BIC, by name. */
export const changeSteps: StepCompilers<
  | "setBic"
  | "moveBlz"
  | "moveBlzByLeadingDigits"
  | "moveToSuccessor"
  | "replaceKontonummer"
  | "replaceBlzAndKontonummer"
  | "setKontonummer"
  | "replaceLeadingDigits"
  | "moveLeadingDigits"
  | "removeDigit"
  | "append"
> = {
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

function fullKontonummer(digits: string): string {
  return padNumber(digits, KONTONUMMER_LENGTH);
}

function fullBlz(digits: string): string {
  if (digits.length !== BLZ_LENGTH) throw new Error(`bank code "${digits}" has not ${BLZ_LENGTH} digits`);
  return padNumber(digits, BLZ_LENGTH);
}

function compileReplacements(table: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(table).map(([from, to]) => [fullKontonummer(from), fullKontonummer(to)]));
}

function compileLeadingDigits(
  step: MoveBlzByLeadingDigits,
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
