import type {
  BankList,
  BankLookupAnswer,
  BankSearchAnswer,
  BankSearchItem,
  SepaReach,
} from "../../client/api-types.ts";
import { button, copyButton, element } from "../element.ts";
import type { Session, View } from "../session.ts";
import { type BankWords, bankTexts, dateOf, filled, type Language, texts } from "../words.ts";

declare const ibanLengths: Readonly<Record<string, number>>;

/** Fields of the form by the name that the search has for them. */
const fieldNames = {
  name: "name",
  location: "location",
  zip: "zip",
  bankleitzahl: "code",
  bic: "bic",
} as const satisfies Readonly<Record<string, keyof BankWords>>;

const maxResults = 50;
const home = "DE";

/** Finds banks by name, town, postal code, bank code or BIC, in one country or in all. */
export class BanksView implements View {
  readonly needsKey = true;
  readonly #form = element("form", "banks-form") as HTMLFormElement;
  readonly #notice = element("p", "notice");
  readonly #found = element("div", "");
  #session!: Session;
  #results: BankSearchAnswer["results"] | undefined;
  /** The lists of bank data, asked for with the first details. */
  #lists: Promise<readonly BankList[]> | undefined;
  #asking = new AbortController();

  constructor() {
    this.#notice.role = "status";
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#search();
    });
  }

  open(into: HTMLElement, session: Session): void {
    this.#session = session;
    into.replaceChildren(element("div", "banks", this.#form, this.#notice, this.#found));
    this.setLanguage();
  }

  close(): void {
    this.#asking.abort();
  }

  setLanguage(): void {
    const words = bankTexts[this.#session.language];
    const given = new FormData(this.#form);
    this.#form.replaceChildren(
      ...Object.entries(fieldNames).map(([field, text]) => {
        const input = element("input", "") as HTMLInputElement;
        input.name = field;
        input.spellcheck = false;
        input.value = String(given.get(field) ?? "");
        return element("label", "", element("span", "", words[text]), input);
      }),
      element(
        "label",
        "",
        element("span", "", words.country),
        this.#countryField(String(given.get("country") ?? home)),
      ),
      element("button", "", words.search),
    );
    if (this.#results === undefined) this.#say(words.hint);
    else this.#show(this.#results);
  }

  #countryField(chosen: string): HTMLSelectElement {
    const { language } = this.#session;
    const names = new Intl.DisplayNames(language, { type: "region" });
    const field = element("select", "") as HTMLSelectElement;
    field.name = "country";
    field.append(new Option(bankTexts[language].everywhere, "*"));
    const countries = Object.keys(ibanLengths).map((code) => ({ code, name: names.of(code) ?? code }));
    countries.sort((one, other) => one.name.localeCompare(other.name, language));
    for (const { code, name } of countries) field.append(new Option(name, code));
    field.value = chosen;
    return field;
  }

  async #search(): Promise<void> {
    const words = bankTexts[this.#session.language];
    const query: Record<string, string | number> = {};
    for (const [name, value] of new FormData(this.#form))
      if (String(value).trim() !== "") query[name] = String(value).trim();
    if (Object.keys(query).length < 2) {
      this.#say(words.hint, true);
      return;
    }
    // Without a country the search is the specified one, of German banks.
    if (query["country"] === home) delete query["country"];
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#say(words.searching);
    this.#found.ariaBusy = "true";
    try {
      const { results } = await this.#session.ask((client) =>
        client.search({ ...query, max: maxResults }, { signal }),
      );
      this.#results = results;
      this.#show(results);
    } catch (error) {
      if (!signal.aborted) this.#say(this.#session.sentenceOf(error), true);
    }
    this.#found.ariaBusy = "false";
  }

  #show({ count, total = count, items }: BankSearchAnswer["results"]): void {
    const words = bankTexts[this.#session.language];
    const { language } = this.#session;
    const numbers = { count: count.toLocaleString(language), total: total.toLocaleString(language) };
    this.#say(
      count === 0
        ? words.none
        : total === 1
          ? words.one
          : filled(total > count ? words.some : words.count, numbers),
    );
    if (count === 0) {
      this.#found.replaceChildren();
      return;
    }
    const headers = [words.bank, words.location, words.code, words.bicName, words.country, ""];
    const body = element("tbody", "", ...items.flatMap((bank) => this.#rows(bank, words)));
    const head = element("tr", "", ...headers.map((name) => element(name === "" ? "td" : "th", "", name)));
    const table = element("table", "", element("thead", "", head), body);
    this.#found.replaceChildren(element("div", "scrolled", table));
  }

  /** The row of a bank, and the hidden one of its details. */
  #rows(bank: BankSearchItem, words: BankWords): HTMLElement[] {
    const { copy, copied } = texts[this.#session.language];
    const code = bank.bank_code ?? bank.blz;
    const country = bank.country ?? home;
    const copying = (text: string, name: string) =>
      copyButton(() => text, copy, copied, `${copy}: ${name} ${bank.bank}`);
    const place = element("td", "") as HTMLTableCellElement;
    place.colSpan = 6;
    const details = element("tr", "more", place);
    details.hidden = true;
    const toggle = button("link", bank.bank, () => {
      details.hidden = !details.hidden;
      toggle.ariaExpanded = String(!details.hidden);
      if (place.childElementCount === 0) void this.#open(place, country, code);
    });
    toggle.ariaExpanded = "false";
    const bic = bank.bic === null ? ["–"] : [bank.bic, " ", copying(bank.bic, words.bicName)];
    return [
      element(
        "tr",
        "",
        element("td", "", toggle),
        element("td", "", `${bank.zip} ${bank.location}`.trim()),
        element("td", "number", code, " ", copying(code, words.code)),
        element("td", "number", ...bic),
        element("td", "", country),
        element("td", "", ...(country === home ? [checkLink(code, words)] : [])),
      ),
      details,
    ];
  }

  /** Shows everything about a bank; a look-up counts as one check. */
  async #open(place: HTMLElement, country: string, code: string): Promise<void> {
    const { language } = this.#session;
    place.replaceChildren(element("p", "notice", texts[language].loading));
    try {
      this.#lists ??= this.#session.ask((client) => client.bankData()).then(({ lists }) => lists);
      const { data } = await this.#session.ask((client) => client.bank(country, code));
      const list = (await this.#lists).find((one) => one.country === country);
      place.replaceChildren(bankDetails(data, list, language));
    } catch (error) {
      this.#lists = undefined;
      const again = button("quiet", bankTexts[language].again, () => void this.#open(place, country, code));
      place.replaceChildren(element("p", "notice wrong", this.#session.sentenceOf(error)), again);
    }
  }

  #say(text: string, isWrong = false): void {
    this.#notice.textContent = text;
    this.#notice.classList.toggle("wrong", isWrong);
  }
}

/** Everything that is known of a bank, with the edition and the source of it. */
function bankDetails(
  bank: BankLookupAnswer["data"],
  list: BankList | undefined,
  language: Language,
): HTMLElement {
  const words = bankTexts[language];
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
function checkLink(code: string, words: BankWords): HTMLElement {
  const link = element("a", "", words.check) as HTMLAnchorElement;
  link.href = `#check/${code}`;
  return link;
}

function schemesOf({ sepa_methods, sepa_source }: BankLookupAnswer["data"], words: BankWords): string | null {
  if (sepa_methods === null) return null;
  const offered = (["sct", "sdd", "b2b", "scc"] as const).filter((scheme) => sepa_methods[scheme] === 1);
  const names = offered.map((scheme) => words[scheme]).join(", ") || words.sepaNone;
  return sepa_source === null ? names : `${names} (${words[sepa_source]})`;
}

function reachOf(
  { reachable, since }: NonNullable<SepaReach["vop"]>,
  words: BankWords,
  date: (day: string) => string,
): string {
  if (reachable === 0) return words.notReached;
  return since === null ? words.yes : filled(words.reached, { date: date(since) });
}
