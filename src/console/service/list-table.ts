import type { BankList } from "../../client/api-types.ts";
import { element } from "../element.ts";
import { dateOf, type Language, locales } from "../words.ts";
import type { ServiceWords } from "./words.ts";

/** The lists of bank data by the name of their country. */
export function listTable(lists: readonly BankList[], words: ServiceWords, language: Language): HTMLElement {
  const names = new Intl.DisplayNames(language, { type: "region" });
  const nameOf = (code: string) => names.of(code) ?? code;
  const number = (value: number) => value.toLocaleString(language);
  const date = (day: string | null) => (day === null ? "–" : dateOf(day, language));
  const percent = new Intl.NumberFormat(locales[language], { style: "percent", roundingMode: "floor" });
  const hasEnd = lists.some(({ valid_until }) => valid_until !== null);
  const hasNext = lists.some(({ next_edition }) => next_edition !== null);
  const heads: [name: string, isAmount: boolean][] = [
    [words.country, false],
    [words.completeness, false],
    [words.rows, true],
    [words.withBic, true],
    [words.editionOf, false],
    [words.age, true],
    ...(hasEnd ? [[words.validUntil, false] as [string, boolean]] : []),
    ...(hasNext ? [[words.next, false] as [string, boolean]] : []),
  ];
  const head = element(
    "tr",
    "",
    ...heads.map(([name, isAmount]) => element("th", isAmount ? "amount" : "", name)),
  );
  const rows = lists
    .toSorted((one, other) => nameOf(one.country).localeCompare(nameOf(other.country), language))
    .map((list) => {
      const { country, completeness, rows, with_bic, edition, age_days, is_old } = list;
      const coverage = element(
        "span",
        `coverage ${completeness ?? "stub"}`,
        completeness === null ? words.unknown : words[completeness],
      );
      const age = element(
        "td",
        is_old ? "amount old" : "amount",
        age_days === null ? words.unknown : number(age_days),
      );
      if (is_old && age_days !== null) age.append(element("span", "offscreen", ` ${words.old}`));
      return element(
        "tr",
        "",
        element("td", "", nameOf(country), " ", element("span", "hint", country)),
        element("td", "", coverage),
        element("td", "amount", number(rows)),
        element("td", "amount", `${number(with_bic)} (${percent.format(with_bic / Math.max(1, rows))})`),
        element("td", "", date(edition)),
        age,
        ...(hasEnd ? [element("td", "", date(list.valid_until))] : []),
        ...(hasNext ? [element("td", "", date(list.next_edition))] : []),
      );
    });
  const table = element("table", "", element("thead", "", head), element("tbody", "", ...rows));
  const scrolled = element("div", "scrolled", table);
  scrolled.tabIndex = 0;
  scrolled.role = "group";
  scrolled.ariaLabel = words.lists;
  return element("div", "", element("p", "hint", words.listsHint), scrolled);
}
