import type { BankDataAnswer, BankList, HealthAnswer, UsageAnswer } from "../../contract/api-types.ts";
import { regionName } from "../../contract/language.ts";
import {
  amount,
  button,
  type Column,
  card,
  copyButton,
  drawn,
  element,
  factList,
  figure,
  Notice,
  scrolledTable,
  tableRow,
} from "../element.ts";
import type { Session, View } from "../session.ts";
import { dateOf, editionText, filled, language, locale, momentOf, serviceTexts as words } from "../words.ts";

const shownDays = 31;

/** Shows the facts that the service has about the key, its bank data and itself. */
export function serviceView(session: Session): View {
  const page = element("div", "service");
  let facts: readonly [UsageAnswer, HealthAnswer, BankDataAnswer] | undefined;
  let fault: unknown;
  let asking = new AbortController();

  async function load(): Promise<void> {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    fault = undefined;
    show();
    try {
      facts = await session.ask(({ client }) =>
        Promise.all([
          client.usage({ days: shownDays, signal }),
          client.health({ signal }),
          client.bankData({ signal }),
        ]),
      );
    } catch (error) {
      if (signal.aborted) return;
      fault = error;
    }
    show();
  }

  /** Shows what is known, and above it why it may be out of date. */
  function show(): void {
    const shown: Node[] = [];
    if (fault !== undefined) {
      const again = button("quiet", words.again, () => void load());
      shown.push(element("div", "bar", new Notice().say(session.sentenceOf(fault), true), again));
    } else if (facts === undefined) shown.push(new Notice().say(words.loading));
    if (facts !== undefined) {
      const [usage, health, { lists }] = facts;
      const beside = element("div", "stack beside", editionCard(health), aboutCard(health));
      shown.push(usageCard(usage), beside, card(words.lists, ...updateHint(lists), listTable(lists)));
    }
    page.replaceChildren(...shown);
  }

  return { content: [page], show, open: () => void load(), close: () => asking.abort() };
}

function usageCard(usage: UsageAnswer): HTMLElement {
  const figures = (given: UsageAnswer["all_keys"]) => {
    const names = ["today", "month", "total"] as const;
    const shown = names.map((name) => figure(words[name], given[name].toLocaleString(language)));
    return element("dl", "figures", ...shown);
  };
  const holder = element("p", "bar", `${words.holder} `, element("strong", "", usage.name));
  const days = dayChart(usage.key.days!, words.byDay);
  const used = card(words.usage, holder, figures(usage.key), days);
  if (usage.all_keys.total !== usage.key.total)
    used.append(element("h3", "", words.allKeys), figures(usage.all_keys));
  return used;
}

function aboutCard({ version, status }: HealthAnswer): HTMLElement {
  const list = factList([
    [words.state, element("dd", status === "up" ? "" : "wrong", words[status])],
    [words.version, version],
    [words.metrics, element("dd", "", element("a", { href: "#reference/metrics" }, words.metricsForms))],
  ]);
  return card(words.service, list);
}

const updateCommand = "npm run bankcheck -- data update";

function updateHint(lists: readonly BankList[]): readonly HTMLElement[] {
  if (!lists.some(({ is_old }) => is_old)) return [];
  const copying = copyButton(() => updateCommand);
  return [element("p", "bar", words.update, element("code", "", updateCommand), copying)];
}

function editionCard({ data }: HealthAnswer): HTMLElement {
  const { valid_until: end, next_edition: next, sepa_edition: sepa, loaded_at: loaded } = data;
  const date = (day: string | null) => (day === null ? "" : dateOf(day));
  const wrong = (text: string) => element("dd", "wrong", text);
  const list = factList([
    [words.germany, data.edition === "" ? wrong(words.noEdition) : editionText(data)],
    [words.validUntil, data.expired ? wrong(filled(words.expired, { date: date(end) })) : date(end)],
    [words.next, next === null ? words.noNext : date(next)],
    [words.others, date(data.other_countries) || "–"],
    [words.sepa, sepa === null ? words.sepaAssumed : filled(words.sepaKnown, { edition: date(sepa) })],
    [words.loaded, loaded && momentOf(loaded, "medium")],
    [words.refused, data.last_refusal && wrong(data.last_refusal.reason)],
  ]);
  return card(words.data, list);
}

const size = { width: 620, height: 140, gap: 3 } as const;

/** A bar for each day, the last one being today; a screen reader gets the figures as a table. */
function dayChart(days: NonNullable<UsageAnswer["key"]["days"]>, title: string): HTMLElement {
  const max = Math.max(1, ...days.map(({ checks }) => checks));
  const step = size.width / days.length;
  const bars = days.map(({ day, checks }, index) => {
    // A day with any check can be seen, however busy the others were.
    const height = checks === 0 ? 0 : Math.max(2, (checks / max) * size.height);
    const place = { x: index * step, y: size.height - height, width: step - size.gap, height };
    return drawn("rect", place, drawn("title", {}, `${dateOf(day)}: ${checks.toLocaleString(language)}`));
  });
  const viewBox = `0 0 ${size.width} ${size.height}`;
  const drawing = drawn("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars);
  const rows = days.map(({ day, checks }) => tableRow([dateOf(day), checks.toLocaleString(language)]));
  const table = element("table", "", element("caption", "", title), element("tbody", "", ...rows));
  const ends = [days[0]!, days.at(-1)!].map(({ day }) => element("span", "", dateOf(day)));
  const figure = element("figure", "days", element("figcaption", "hint", title));
  figure.append(drawing, element("p", "hint ends", ...ends), element("div", "offscreen", table));
  return figure;
}

function listTable(lists: readonly BankList[]): HTMLElement {
  const nameOf = (code: string) => regionName(language, code);
  const number = (value: number) => value.toLocaleString(language);
  const date = (day: string | null) => (day === null ? "–" : dateOf(day));
  const percent = new Intl.NumberFormat(locale, { style: "percent", roundingMode: "floor" });
  const columns: (readonly [column: Column, cell: (list: BankList) => string | HTMLElement])[] = [
    [
      [words.country],
      ({ country: code }) => element("td", "", nameOf(code), " ", element("span", "hint", code)),
    ],
    [
      [words.completeness],
      ({ completeness: found }) =>
        element("span", `coverage ${found ?? "stub"}`, found === null ? words.unknown : words[found]),
    ],
    [[words.rows, true], ({ rows }) => amount(number(rows))],
    [
      [words.withBic, true],
      ({ rows, with_bic }) => amount(`${number(with_bic)} (${percent.format(with_bic / Math.max(1, rows))})`),
    ],
    [[words.editionOf], ({ edition }) => date(edition)],
    [[words.age, true], ageOf],
  ];
  if (lists.some(({ valid_until }) => valid_until !== null))
    columns.push([[words.validUntil], ({ valid_until }) => date(valid_until)]);
  if (lists.some(({ next_edition }) => next_edition !== null))
    columns.push([[words.next], ({ next_edition }) => date(next_edition)]);
  const rows = lists
    .toSorted((one, other) => nameOf(one.country).localeCompare(nameOf(other.country), language))
    .map((list) => tableRow(columns.map(([, cell]) => cell(list))));
  const heads = columns.map(([column]) => column);
  const table = scrolledTable(heads, rows, words.lists);
  return element("div", "lists", element("p", "hint", words.listsHint), table);
}

function ageOf({ age_days, is_old }: BankList): HTMLElement {
  const age = amount(age_days === null ? words.unknown : age_days.toLocaleString(language));
  age.classList.toggle("old", is_old);
  if (is_old && age_days !== null) age.append(element("span", "offscreen", ` ${words.old}`));
  return age;
}
