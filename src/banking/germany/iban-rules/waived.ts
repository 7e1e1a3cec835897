import ibanRules from "../../../../data/de-iban-rules.json" with { type: "json" };
import { KONTONUMMER_LENGTH, padNumber } from "./digits.ts";
import type { BankOf } from "./draft.ts";
import { generateIban } from "./generate.ts";
import type { RuleTable, Step } from "./rule-table.ts";

/** From a ten-digit number in an IBAN back to the numbers a step could have made it of. */
type Origins = (kontonummer: string) => readonly string[];

/** Per rule: the origins of the numbers that it gives without a test. Rules that never do so are left out. */
const originsByRule: ReadonlyMap<string, readonly Origins[]> = new Map(
  Object.entries((ibanRules as unknown as RuleTable).rules)
    .map(([rule, { steps }]) => [rule, steps.flatMap(originsOf)] as const)
    .filter(([, origins]) => origins.length > 0),
);

/** The rules, by their first four digits, that give some accounts without their check digit; all others never do. */
export const rulesThatWaive: readonly string[] = [...originsByRule.keys()];

/**
 * Whether a bank's IBAN rule gives this account number without its check digit being right, so that an IBAN that holds
 * it is valid although the check-digit method says otherwise (donation accounts and the like).
 *
 * Takes the eight-digit bank code and ten-digit account number of an IBAN. True exactly where `generateIban` makes them
 * of some number with `checkDigit: "waived"`. Some microseconds; meant for the rare number that fails its method.
 */
export function isCheckDigitWaived(blz: string, kontonummer: string, bankOf: BankOf): boolean {
  const rule = bankOf(blz)?.rule?.slice(0, 4);
  const origins = rule === undefined ? undefined : originsByRule.get(rule);
  if (origins === undefined) return false;
  return origins
    .flatMap((originsOfNumber) => originsOfNumber(kontonummer))
    .some((origin) => {
      const generated = generateIban(blz, origin, bankOf);
      return (
        "iban" in generated &&
        generated.checkDigit === "waived" &&
        generated.blz === blz &&
        generated.kontonummer === kontonummer
      );
    });
}

function originsOf(step: Step): readonly Origins[] {
  if (step.do === "accept") return [(kontonummer) => [kontonummer]];
  if (step.do === "moveLeadingDigits" && step.then === "accept") {
    const kept = KONTONUMMER_LENGTH - step.count;
    return [(kontonummer) => [kontonummer.slice(kept) + kontonummer.slice(0, kept)]];
  }
  if (step.do === "replaceKontonummer" && step.then === "accept") {
    const tables = [step.table ?? {}, ...Object.values(step.tableByBlz ?? {})];
    return [(kontonummer) => tables.flatMap((table) => replacedBy(table, kontonummer))];
  }
  return [];
}

function replacedBy(table: Readonly<Record<string, string>>, kontonummer: string): readonly string[] {
  return Object.entries(table)
    .filter(([, replacement]) => padNumber(replacement, KONTONUMMER_LENGTH) === kontonummer)
    .map(([replaced]) => replaced);
}
