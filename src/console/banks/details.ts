import type { BankList, BankLookupAnswer, SepaReach } from "../../contract/api-types.ts";
import { type Fact, factList } from "../element.ts";
import { dateOf, filled, schemeNames, sourceText, bankTexts as words } from "../words.ts";

/** Everything that is known of a bank, with the edition and the source of it. */
export function bankDetails(bank: BankLookupAnswer["data"], list: BankList | undefined): HTMLElement {
  const { iban_rule: rule, iban_rule_source: source, deletion_marked: isMarked, sepa_reach: reach } = bank;
  const ruleSource = source === "published" || source === "inferred" ? ` (${words[source]})` : "";
  const [ofName, ofBic] = [bank.sources.name, bank.sources.bic].map((source) => sourceText(source));
  const facts: readonly Fact[] = [
    [words.shortName, bank.short_name],
    [words.bics, bank.bics.length > 1 ? bank.bics.join(", ") : ""],
    [words.method, bank.check_digit_method],
    [words.rule, rule && rule + ruleSource],
    [words.deletion, isMarked === null ? "" : isMarked ? words.yes : words.no],
    [words.successor, bank.successor],
    [words.sepa, schemesOf(bank)],
    [words.instant, reachOf(reach?.sct_inst)],
    [words.payee, reachOf(reach?.vop)],
    [words.source, [ofName, ofBic !== ofName && ofBic && `BIC: ${ofBic}`].filter(Boolean).join(", ")],
    [words.completeness, list?.completeness && words[list.completeness]],
  ];
  return factList(facts);
}

function schemesOf({ sepa_methods, sepa_source, sources }: BankLookupAnswer["data"]): string | null {
  if (sepa_methods === null) return null;
  const names = schemeNames(sepa_methods);
  if (sepa_source === null) return names;
  const { edition } = sources.schemes ?? {};
  return `${names} (${words[sepa_source]}${edition ? `, ${dateOf(edition)}` : ""})`;
}

function reachOf(reach: SepaReach["vop"] | undefined): string | undefined {
  if (!reach) return undefined;
  if (reach.reachable === 0) return words.notReached;
  return reach.since === null ? words.yes : filled(words.reached, { date: dateOf(reach.since) });
}
