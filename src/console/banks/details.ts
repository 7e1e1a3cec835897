import type { BankList, BankLookupAnswer, SepaReach } from "../../client/api-types.ts";
import { copyButton, element } from "../element.ts";
import { dateOf, filled, type Language, texts } from "../words.ts";
import { type BanksWords, banksTexts } from "./words.ts";

/** Everything that is known of a bank, with the edition and the source of it. */
export function bankDetails(
  bank: BankLookupAnswer["data"],
  list: BankList | undefined,
  language: Language,
): HTMLElement {
  const words = banksTexts[language];
  const { copy, copied } = texts[language];
  const facts = element("dl", "facts");
  const row = (name: string, value: string | null, ...more: Node[]) => {
    if (value !== null && value !== "")
      facts.append(element("dt", "", name), element("dd", "", value, ...more));
  };
  const date = (day: string) => dateOf(day, language);
  row(words.shortName, bank.short_name);
  if (bank.bics.length > 1) row(words.bics, bank.bics.join(", "));
  if (bank.lei !== null)
    row(
      "LEI",
      bank.lei,
      copyButton(() => bank.lei!, copy, copied, `${copy}: LEI ${bank.bank}`),
    );
  row(words.method, bank.check_digit_method);
  const source = bank.iban_rule_source === "published" || bank.iban_rule_source === "inferred";
  if (bank.iban_rule !== null)
    row(
      words.rule,
      source ? `${bank.iban_rule} (${words[bank.iban_rule_source as "published"]})` : bank.iban_rule,
    );
  if (bank.deletion_marked !== null) row(words.deletion, bank.deletion_marked ? words.yes : words.no);
  row(words.successor, bank.successor);
  row(words.sepa, schemesOf(bank, words));
  for (const [name, reach] of [
    [words.instant, bank.sepa_reach?.sct_inst],
    [words.payee, bank.sepa_reach?.vop],
  ] as const)
    if (reach) row(name, reachOf(reach, words, date));
  const completeness = list?.completeness ? words[list.completeness] : "";
  const origin =
    list === undefined
      ? ""
      : list.dataset === "blz"
        ? words.bundesbank
        : filled(words.dataset, { dataset: list.dataset });
  row(words.edition, date(bank.edition));
  row(words.source, [origin, completeness].filter((part) => part !== "").join(", "));
  return element("div", "", facts);
}

/** A link to the Check view, with the bank code filled in. */
export function checkLink(code: string, words: BanksWords): HTMLElement {
  const link = element("a", "", words.check) as HTMLAnchorElement;
  link.href = `#check/${code}`;
  return link;
}

function schemesOf(
  { sepa_methods, sepa_source }: BankLookupAnswer["data"],
  words: BanksWords,
): string | null {
  if (sepa_methods === null) return null;
  const offered = (["sct", "sdd", "b2b", "scc"] as const).filter((scheme) => sepa_methods[scheme] === 1);
  const names = offered.map((scheme) => words[scheme]).join(", ") || words.sepaNone;
  return sepa_source === null ? names : `${names} (${words[sepa_source]})`;
}

function reachOf(
  { reachable, since }: NonNullable<SepaReach["vop"]>,
  words: BanksWords,
  date: (day: string) => string,
): string {
  if (reachable === 0) return words.notReached;
  return since === null ? words.yes : filled(words.reached, { date: date(since) });
}
