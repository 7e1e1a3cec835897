import type { BankList, BankSearchAnswer, BankSearchItem } from "../../client/api-types.ts";
import { button, copyButton, element } from "../element.ts";
import type { Session, View } from "../session.ts";
import { filled, texts } from "../words.ts";
import { bankDetails, checkLink } from "./details.ts";
import { type BanksWords, banksTexts } from "./words.ts";

declare const ibanLengths: Readonly<Record<string, number>>;

/** Fields of the form by the name that the search has for them. */
const fieldNames = {
  name: "name",
  location: "location",
  zip: "zip",
  bankleitzahl: "code",
  bic: "bic",
} as const satisfies Readonly<Record<string, keyof BanksWords>>;

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
    const words = banksTexts[this.#session.language];
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
    field.append(new Option(banksTexts[language].everywhere, "*"));
    const countries = Object.keys(ibanLengths).map((code) => ({ code, name: names.of(code) ?? code }));
    countries.sort((one, other) => one.name.localeCompare(other.name, language));
    for (const { code, name } of countries) field.append(new Option(name, code));
    field.value = chosen;
    return field;
  }

  async #search(): Promise<void> {
    const words = banksTexts[this.#session.language];
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
    const words = banksTexts[this.#session.language];
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
  #rows(bank: BankSearchItem, words: BanksWords): HTMLElement[] {
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
      const again = button("quiet", banksTexts[language].again, () => void this.#open(place, country, code));
      place.replaceChildren(element("p", "notice wrong", this.#session.sentenceOf(error)), again);
    }
  }

  #say(text: string, isWrong = false): void {
    this.#notice.textContent = text;
    this.#notice.classList.toggle("wrong", isWrong);
  }
}
