import { copyButton } from "../copy.ts";
import { element } from "../element.ts";
import { filled } from "../filled.ts";
import { ServiceError } from "../service-error.ts";
import type { Session } from "../session.ts";
import type { View } from "../view.ts";
import { type BanksWords, banksTexts } from "./words.ts";

declare const ibanLengths: Readonly<Record<string, number>>;

interface FoundBank {
  readonly bank: string;
  readonly zip: string;
  readonly location: string;
  readonly blz: string;
  readonly bic: string | null;
  readonly country?: string;
  readonly bank_code?: string;
}

interface SearchAnswer {
  readonly results: { readonly count: number; readonly total?: number; readonly items: readonly FoundBank[] };
}

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
  #results: SearchAnswer["results"] | undefined;
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
      const { results } = await this.#session.ask<SearchAnswer>(
        "/v1/search",
        { ...query, max: maxResults },
        signal,
      );
      this.#results = results;
      this.#show(results);
    } catch (error) {
      if (!signal.aborted) this.#say(error instanceof ServiceError ? error.message : words.unreachable, true);
    }
    this.#found.ariaBusy = "false";
  }

  #show({ count, total = count, items }: SearchAnswer["results"]): void {
    const words = banksTexts[this.#session.language];
    this.#say(count === 0 ? words.none : filled(total > count ? words.some : words.count, { count, total }));
    if (count === 0) {
      this.#found.replaceChildren();
      return;
    }
    const headers = [words.bank, words.location, words.code, words.bicName, words.country, ""];
    const body = element("tbody", "", ...items.map((bank) => this.#row(bank, words)));
    const head = element("tr", "", ...headers.map((name) => element(name === "" ? "td" : "th", "", name)));
    const table = element("table", "", element("thead", "", head), body);
    this.#found.replaceChildren(element("div", "scrolled", table));
  }

  #row(bank: FoundBank, words: BanksWords): HTMLElement {
    const code = bank.bank_code ?? bank.blz;
    const copied = (text: string, name: string) =>
      copyButton(() => text, words.copy, words.copied, `${words.copy}: ${name} ${bank.bank}`);
    const check = element("a", "", words.check) as HTMLAnchorElement;
    check.href = `#check/${code}`;
    const isGerman = (bank.country ?? home) === home;
    return element(
      "tr",
      "",
      element("td", "", bank.bank),
      element("td", "", `${bank.zip} ${bank.location}`.trim()),
      element("td", "number", code, " ", copied(code, words.code)),
      element(
        "td",
        "number",
        bank.bic ?? words.unknown,
        ...(bank.bic === null ? [] : [" ", copied(bank.bic, words.bicName)]),
      ),
      element("td", "", bank.country ?? home),
      element("td", "", ...(isGerman ? [check] : [])),
    );
  }

  #say(text: string, isWrong = false): void {
    this.#notice.textContent = text;
    this.#notice.classList.toggle("wrong", isWrong);
  }
}
