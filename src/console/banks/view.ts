import { ibanCountryCodes } from "../../banking/reader/iban-forms.ts";
import type { BankList, BankLookupAnswer } from "../../contract/api-types.ts";
import { type Language, regionName } from "../../contract/language.ts";
import {
  button,
  type Column,
  copyButton,
  element,
  labelled,
  Notice,
  scrolledTable,
  tableRow,
  translate,
  worded,
} from "../element.ts";
import type { Session, View } from "../session.ts";
import { filled, language, bankTexts as words } from "../words.ts";
import { bankDetails } from "./details.ts";

/** Fields of the form by the name that the search has for them. */
const fieldNames = {
  name: "name",
  location: "location",
  zip: "zip",
  bankleitzahl: "blz",
  bic: "bic",
} as const satisfies Readonly<Record<string, keyof typeof words>>;

/** Fields of codes, which people write in groups. */
const codeNames: ReadonlySet<string> = new Set(["bankleitzahl", "bic", "zip"]);
/** As British sort codes are written, and German bank codes are not. */
const sortCodeForm = /^\d\d([ -])\d\d\1\d\d$/;
const maxResults = 50;
const home = "DE";

interface FoundBanks {
  /** How many there are; more may be asked for. */
  readonly total: number;
  readonly items: readonly Pick<
    BankLookupAnswer["data"],
    "country" | "bank_code" | "bank" | "zip" | "location" | "bic"
  >[];
  /** Whether they are of all countries. */
  readonly isWorld?: boolean;
  /** The sort code that was searched for, as it was written. */
  readonly sortCode?: string | undefined;
  /** Loads the hits that follow. */
  readonly more?: () => void;
}

/** Finds banks by name, town, postal code, bank code or BIC, in one country or in all. */
export class BanksView implements View {
  readonly content: readonly HTMLElement[];
  readonly #session: Session;
  readonly #form = element("form", "banks-form");
  readonly #country = element("select", { name: "country" });
  readonly #notice = new Notice();
  readonly #found = element("div", "");
  #results: FoundBanks | undefined;
  /** The lists of bank data, asked for with the first details. */
  #lists: Promise<readonly BankList[]> | undefined;
  /** By country and bank code. */
  readonly #lookedUp = new Map<string, BankLookupAnswer["data"]>();
  #asking = new AbortController();
  #shownIn: Language | undefined;
  /** Country and bank code of the bank whose details are open. */
  #opened = "";

  constructor(session: Session) {
    this.#session = session;
    this.content = [element("div", "stack banks", this.#form, this.#notice.element, this.#found)];
    const fields = Object.entries(fieldNames).map(([name, text]) =>
      labelled(worded(text), element("input", { name, spellcheck: false })),
    );
    this.#form.append(
      ...fields,
      labelled(worded("country"), this.#country),
      element("button", "", worded("search")),
    );
    this.#form.onsubmit = (event) => {
      event.preventDefault();
      this.#opened = "";
      this.#search();
    };
    addEventListener("hashchange", () => this.open());
  }

  /** Opens the bank that the address names: `#banks/DE/37040044`. */
  open(): void {
    const [, country, code] = /^#banks\/(..)\/(\w+)$/.exec(location.hash) ?? [];
    if (country === undefined || code === undefined || `${country} ${code}` === this.#opened) return;
    this.#opened = `${country} ${code}`;
    this.show();
    this.#form.reset();
    // Only codes of digits can be searched for.
    this.#form.querySelector<HTMLInputElement>("[name=bankleitzahl]")!.value = /\D/.test(code) ? "" : code;
    this.#country.value = country;
    void this.#find(async () => {
      const bank = await this.#lookUp(country, code);
      const items = bank.bank === "" ? [] : [bank];
      return { total: items.length, items };
    });
  }

  show(): void {
    if (this.#shownIn === language) return;
    this.#shownIn = language;
    translate(this.#form, words);
    const countries = ibanCountryCodes.map((code) => new Option(regionName(language, code), code));
    countries.sort((one, other) => one.text.localeCompare(other.text, language));
    const chosen = this.#country.value || home;
    this.#country.replaceChildren(new Option(words.everywhere, "*"), ...countries);
    this.#country.value = chosen;
    if (this.#results === undefined) this.#notice.say(words.hint);
    else this.#list(this.#results);
  }

  #search(): void {
    const query: Record<string, string> = {};
    const fields = new FormData(this.#form);
    for (const [name, value] of fields) {
      const given = codeNames.has(name) ? String(value).replace(/[\s.-]/g, "") : String(value).trim();
      if (given !== "") query[name] = given;
    }
    if (Object.keys(query).length < 2) {
      this.#notice.say(words.needsField, true);
      return;
    }
    const code = String(fields.get("bankleitzahl")).trim();
    const isBritish = query["country"] === "GB" && /^\d/.test(code);
    const isSortCode = isBritish || (sortCodeForm.test(code) && /^(?:DE|\*)$/.test(query["country"]!));
    if (isSortCode) query["country"] = "GB";
    // Without a country the search is the specified one, of German banks.
    if (query["country"] === home) delete query["country"];
    const findFrom = (before: FoundBanks["items"]): Promise<void> =>
      this.#find(async (signal) => {
        const page = { ...query, max: maxResults, offset: before.length };
        const { results } = await this.#session.ask(({ client }) => client.search(page, { signal }));
        const found = results.items.map(({ country = home, blz, ...bank }) => ({
          bank_code: blz,
          ...bank,
          country,
        }));
        const items = [...before, ...found];
        return {
          total: results.total,
          items,
          isWorld: query["country"] === "*",
          sortCode: isSortCode ? code : undefined,
          more: () => void findFrom(items),
        };
      });
    void findFrom([]);
  }

  async #find(ask: (signal: AbortSignal) => Promise<FoundBanks>): Promise<void> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#notice.say(words.loading);
    this.#found.ariaBusy = "true";
    try {
      const found = await ask(signal);
      if (signal.aborted) return;
      this.#results = found;
      this.#list(found);
    } catch (error) {
      // A newer search shows its own answer.
      if (signal.aborted) return;
      this.#opened = "";
      this.#results = undefined;
      this.#found.replaceChildren();
      this.#notice.say(this.#session.sentenceOf(error), true);
    }
    this.#found.ariaBusy = "false";
  }

  #list({ total, items, isWorld = false, sortCode, more }: FoundBanks): void {
    const count = items.length;
    const number = (value: number) => value.toLocaleString(language);
    const isSortCode = sortCode !== undefined;
    const plain = [words.none, words.one][total] ?? (total > count ? words.some : words.count);
    const text = isSortCode ? words[total === 0 ? "sortCode" : "sortCodeRange"] : plain;
    this.#notice.say(filled(text, { count: number(count), total: number(total), code: sortCode ?? "" }));
    this.#found.replaceChildren();
    if (count === 0 && isSortCode) this.#found.append(element("a", { href: "#check" }, words.check));
    if (count === 0) return;
    const country = isWorld ? [words.country] : [];
    const columns = [words.bank, words.location, words.blz, words.bicName, ...country, ""];
    const rows = items.flatMap((bank) => this.#rows(bank, isWorld));
    const heads = columns.map((name): Column => [name]);
    this.#found.append(scrolledTable(heads, rows));
    if (more !== undefined && total > count) this.#found.append(button("quiet", words.more, more));
    const opened = items.findIndex((bank) => keyOf(bank) === this.#opened);
    this.#found.querySelectorAll<HTMLElement>("button.link")[opened]?.click();
  }

  #rows(bank: FoundBanks["items"][number], isWorld: boolean): HTMLElement[] {
    const { country, bank_code: code } = bank;
    const copying = (text: string, name: string) => copyButton(() => text, `${name} ${bank.bank}`);
    const place = element("td", { colSpan: 6 });
    const details = element("tr", { className: "more", hidden: true }, place);
    const toggle = button("link", bank.bank, () => {
      details.hidden = !details.hidden;
      this.#opened = details.hidden ? "" : keyOf(bank);
      if (!details.hidden) history.replaceState(null, "", `#banks/${country}/${code}`);
      toggle.ariaExpanded = String(!details.hidden);
      if (place.childElementCount === 0) void this.#open(place, country, code);
    });
    toggle.ariaExpanded = "false";
    const bic = bank.bic === null ? ["–"] : [bank.bic, " ", copying(bank.bic, words.bicName)];
    return [
      tableRow([
        toggle,
        `${bank.zip} ${bank.location}`.trim(),
        element("td", "number", code, " ", copying(code, words.blz)),
        element("td", "number", ...bic),
        ...(isWorld ? [element("td", "country", country)] : []),
        country === home ? element("a", { href: `#check/${code}` }, words.check) : "",
      ]),
      details,
    ];
  }

  /** Returns what is known of a bank; asks once, since each look-up counts as one check. */
  async #lookUp(country: string, code: string): Promise<BankLookupAnswer["data"]> {
    const key = keyOf({ country, bank_code: code });
    const known = this.#lookedUp.get(key);
    if (known !== undefined) return known;
    const { data } = await this.#session.ask(({ client }) => client.bank(country, code));
    this.#lookedUp.set(key, data);
    return data;
  }

  async #open(place: HTMLElement, country: string, code: string): Promise<void> {
    place.replaceChildren(element("p", "notice", words.loading));
    try {
      this.#lists ??= this.#session.ask(({ client }) => client.bankData()).then(({ lists }) => lists);
      const [data, lists] = await Promise.all([this.#lookUp(country, code), this.#lists]);
      const list = lists.find((one) => one.country === country);
      place.replaceChildren(bankDetails(data, list));
    } catch (error) {
      this.#lists = undefined;
      const again = button("quiet", words.again, () => void this.#open(place, country, code));
      place.replaceChildren(element("p", "notice wrong", this.#session.sentenceOf(error)), again);
    }
  }
}

function keyOf({ country, bank_code }: Pick<BankLookupAnswer["data"], "country" | "bank_code">): string {
  return `${country} ${bank_code}`;
}
