import type { BankDataAnswer, BankList, HealthAnswer, UsageAnswer } from "../../client/api-types.ts";
import { button, element } from "../element.ts";
import type { Session, View } from "../session.ts";
import {
  dateOf,
  filled,
  type Language,
  locales,
  Numbers,
  type ServiceWords,
  serviceTexts,
} from "../words.ts";

const shownDays = 31;

interface Facts {
  readonly usage: UsageAnswer;
  readonly health: HealthAnswer;
  readonly data: BankDataAnswer;
}

/** What the service knows of the key, of its bank data and of itself. */
export class ServiceView implements View {
  readonly needsKey = true;
  #session!: Session;
  #into!: HTMLElement;
  #facts: Facts | undefined;
  /** Why the last question failed. */
  #fault: unknown;
  #asking = new AbortController();

  open(into: HTMLElement, session: Session): void {
    this.#session = session;
    this.#into = into;
    void this.#load();
  }

  close(): void {
    this.#asking.abort();
  }

  setLanguage(): void {
    this.#show();
  }

  async #load(): Promise<void> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#fault = undefined;
    this.#show();
    try {
      const [usage, health, data] = await this.#session.ask((client) =>
        Promise.all([
          client.usage({ days: shownDays, signal }),
          client.health({ signal }),
          client.bankData({ signal }),
        ]),
      );
      this.#facts = { usage, health, data };
    } catch (error) {
      if (signal.aborted) return;
      this.#fault = error;
    }
    this.#show();
  }

  /** Shows what is known, and above it why it may be out of date. */
  #show(): void {
    const { language } = this.#session;
    const words = serviceTexts[language];
    const state: Node[] = [];
    if (this.#fault !== undefined) {
      const again = button("quiet", words.again, () => void this.#load());
      state.push(element("div", "bar", notice(this.#session.sentenceOf(this.#fault), true), again));
    } else if (this.#facts === undefined) state.push(notice(words.loading));
    if (this.#facts === undefined) {
      this.#into.replaceChildren(...state);
      return;
    }
    const { usage, health, data } = this.#facts;
    this.#into.replaceChildren(
      element(
        "div",
        "service",
        ...state,
        this.#usageCard(usage, words),
        element("div", "beside", editionCard(health, words, language), this.#aboutCard(health, words)),
        element(
          "section",
          "card lists",
          element("h2", "", words.lists),
          listTable(data.lists, words, language),
        ),
      ),
    );
  }

  #usageCard(usage: UsageAnswer, words: ServiceWords): HTMLElement {
    const { language } = this.#session;
    const figures = (given: UsageAnswer["key"] | UsageAnswer["all_keys"]) =>
      element(
        "dl",
        "figures",
        ...(["today", "month", "total"] as const).map((name) =>
          element(
            "div",
            "",
            element("dt", "", words[name]),
            element("dd", "", given[name].toLocaleString(language)),
          ),
        ),
      );
    const holder = element("p", "bar", `${words.holder} `, element("strong", "", usage.name));
    const used = element("section", "card", element("h2", "", words.usage), holder, figures(usage.key));
    used.append(dayChart(usage.key.days ?? [], words.byDay, language));
    if (usage.all_keys.total !== usage.key.total)
      used.append(element("h3", "", words.allKeys), figures(usage.all_keys));
    return used;
  }

  #aboutCard({ version, status }: HealthAnswer, words: ServiceWords): HTMLElement {
    const list = element("dl", "facts");
    list.append(
      element("dt", "", words.state),
      element("dd", status === "up" ? "" : "wrong", words[status]),
      element("dt", "", words.version),
      element("dd", "", version),
    );
    const card = element("section", "card", element("h2", "", words.service), list);
    const links = [
      ["#reference", words.reference],
      ["/service/console/openapi.json", words.openapi],
      ["#pool", words.metrics],
      ["#reference/metrics", words.metricsJson],
    ] as const;
    for (const [href, text] of links) {
      const link = element("a", "", text) as HTMLAnchorElement;
      link.href = href;
      card.append(element("p", "", link));
    }
    return card;
  }
}

function notice(text: string, isWrong = false): HTMLElement {
  const made = element("p", isWrong ? "notice wrong" : "notice", text);
  made.role = "status";
  return made;
}

function editionCard({ data }: HealthAnswer, words: ServiceWords, language: Language): HTMLElement {
  const card = element("section", "card", element("h2", "", words.data));
  const date = (day: string) => dateOf(day, language);
  const list = element("dl", "facts");
  const row = (name: string, text: string, isWrong = false) =>
    list.append(element("dt", "", name), element("dd", isWrong ? "wrong" : "", text));
  row(
    words.germany,
    data.edition === ""
      ? words.noEdition
      : data.age_days === null
        ? date(data.edition)
        : filled(words.edition, {
            edition: date(data.edition),
            age: new Numbers(language).days(data.age_days),
          }),
    data.edition === "",
  );
  if (data.valid_until !== null) {
    const until = date(data.valid_until);
    row(words.validUntil, data.expired ? filled(words.expired, { date: until }) : until, data.expired);
  }
  row(words.next, data.next_edition === null ? words.noNext : date(data.next_edition));
  row(words.others, data.other_countries ? date(data.other_countries) : "–");
  row(
    words.sepa,
    data.sepa_edition === null
      ? words.sepaAssumed
      : filled(words.sepaKnown, { edition: date(data.sepa_edition) }),
  );
  if (data.loaded_at !== null)
    row(
      words.loaded,
      new Date(data.loaded_at).toLocaleString(locales[language], { dateStyle: "medium", timeStyle: "short" }),
    );
  if (data.last_refusal !== null) row(words.refused, data.last_refusal.reason, true);
  card.append(list);
  return card;
}

const svg = "http://www.w3.org/2000/svg";
const size = { width: 620, height: 140, gap: 3 } as const;

/** A bar for each day, the last one being today; a screen reader gets the figures as a table. */
function dayChart(
  days: readonly { readonly day: string; readonly checks: number }[],
  title: string,
  language: Language,
): HTMLElement {
  const date = (day: string | undefined) => (day === undefined ? "" : dateOf(day, language));
  const max = Math.max(1, ...days.map(({ checks }) => checks));
  const drawing = document.createElementNS(svg, "svg");
  drawing.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  drawing.setAttribute("aria-hidden", "true");
  const step = size.width / Math.max(1, days.length);
  for (const [index, { day, checks }] of days.entries()) {
    const bar = document.createElementNS(svg, "rect");
    // A day with any check can be seen, however busy the others were.
    const height = checks === 0 ? 0 : Math.max(2, (checks / max) * size.height);
    bar.setAttribute("x", String(index * step));
    bar.setAttribute("y", String(size.height - height));
    bar.setAttribute("width", String(step - size.gap));
    bar.setAttribute("height", String(height));
    const label = document.createElementNS(svg, "title");
    label.textContent = `${date(day)}: ${checks.toLocaleString(language)}`;
    bar.append(label);
    drawing.append(bar);
  }
  const rows = days.map(({ day, checks }) =>
    element("tr", "", element("td", "", date(day)), element("td", "", checks.toLocaleString(language))),
  );
  const table = element("table", "", element("caption", "", title), element("tbody", "", ...rows));
  const ends = element(
    "p",
    "hint ends",
    element("span", "", date(days[0]?.day)),
    element("span", "", date(days.at(-1)?.day)),
  );
  const figure = element("figure", "days", element("figcaption", "hint", title));
  figure.append(drawing, ends, element("div", "offscreen", table));
  return figure;
}

/** The lists of bank data by the name of their country. */
function listTable(lists: readonly BankList[], words: ServiceWords, language: Language): HTMLElement {
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
