import ibanRules from "../../../../data/de-iban-rules.json" with { type: "json" };
import { KONTONUMMER_LENGTH } from "../account.ts";
import { type BankOf, padNumber } from "./draft.ts";
import { generateIban } from "./generate.ts";
import type { RuleTable, Step } from "./rule-table.ts";

/** From a ten-digit number in an IBAN, at a bank of this method, back to the numbers a step could have made it of. */
type Origins = (kontonummer: string, method: string) => readonly string[];

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
 *
 * @example
 * isCheckDigitWaived("37040044", "0532013000", () => ({ rule: "000503", method: "13", bic: null })) // → false
 */
export function isCheckDigitWaived(blz: string, kontonummer: string, bankOf: BankOf): boolean {
  const bank = bankOf(blz);
  const steps = originsByRule.get(bank?.rule?.slice(0, 4) ?? "");
  if (bank === undefined || bank === null || steps === undefined) return false;
  const originsOfStep = (origins: Origins) => origins(kontonummer, bank.method ?? "");
  const isGiven = (origin: string) => {
    const generated = generateIban(blz, origin, bankOf);
    const isSame = "iban" in generated && generated.blz === blz && generated.kontonummer === kontonummer;
    return isSame && generated.checkDigit === "waived";
  };
  return steps.some((origins) => originsOfStep(origins).some(isGiven));
}

function originsOf(step: Step): readonly Origins[] {
  if (step.do === "accept") {
    const { when } = step;
    const methods = when !== undefined && "method" in when ? when.method : undefined;
    return [(kontonummer, method) => (methods?.includes(method) === false ? [] : [kontonummer])];
  }
  if (step.do === "moveLeadingDigits" && step.then === "accept") {
    const kept = KONTONUMMER_LENGTH - step.count;
    return [(kontonummer) => [kontonummer.slice(kept) + kontonummer.slice(0, kept)]];
  }
  if (step.do === "replaceKontonummer" && step.then === "accept") {
    const replaced = replacedNumbers([step.table ?? {}, ...Object.values(step.tableByBlz ?? {})]);
    return [(kontonummer) => replaced.get(kontonummer) ?? []];
  }
  return [];
}

/** By ten-digit replacement: the numbers it stands for. */
function replacedNumbers(
  tables: readonly Readonly<Record<string, string>>[],
): ReadonlyMap<string, readonly string[]> {
  const numbers = new Map<string, string[]>();
  for (const [replaced, replacement] of tables.flatMap(Object.entries)) {
    const kontonummer = padNumber(replacement, KONTONUMMER_LENGTH);
    numbers.set(kontonummer, [...(numbers.get(kontonummer) ?? []), replaced]);
  }
  return numbers;
}
