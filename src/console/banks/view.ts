import { ibanCountryCodes } from "../../banking/reader/iban-forms.ts";
import type {
  BankList,
  BankLookupAnswer,
  BankSearchAnswer,
  BankSearchItem,
  SepaReach,
} from "../../client/api-types.ts";
import type { Language } from "../../contract/language.ts";
import {
  button,
  type Column,
  copyButton,
  element,
  type Fact,
  factList,
  labelled,
  Notice,
  scrolledTable,
  tableRow,
  translate,
  worded,
} from "../element.ts";
import type { Session, View } from "../session.ts";
import { type BankWords, bankTexts, dateOf, filled, schemeNames, sourceText } from "../words.ts";

/** Fields of the form by the name that the search has for them. */
const fieldNames = {
  name: "name",
  location: "location",
  zip: "zip",
  bankleitzahl: "blz",
  bic: "bic",
} as const satisfies Readonly<Record<string, keyof BankWords>>;

/** Fields of codes, which people write in groups. */
const codeNames: ReadonlySet<string> = new Set(["bankleitzahl", "bic", "zip"]);
/** As British sort codes are written, and German bank codes are not. */
const sortCodeForm = /^\d\d([ -])\d\d\1\d\d$/;
const maxResults = 50;
const home = "DE";

/** Finds banks by name, town, postal code, bank code or BIC, in one country or in all. */
export class BanksView implements View {
  readonly needsKey = true;
  readonly content: readonly HTMLElement[];
  readonly #session: Session;
  readonly #form = element("form", "banks-form");
  readonly #country = element("select", { name: "country" });
  readonly #notice = new Notice();
  readonly #found = element("div", "");
  #results: BankSearchAnswer["results"] | undefined;
  /** The sort code that was searched for, as it was written. */
  #sortCode: string | undefined;
  /** The lists of bank data, asked for with the first details. */
  #lists: Promise<readonly BankList[]> | undefined;
  /** By country and bank code, since each look-up counts. */
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
      void this.#search();
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
    this.#form.querySelector<HTMLInputElement>("[name=bankleitzahl]")!.value = code;
    this.#country.value = country;
    void this.#search().then(() => this.#found.querySelector("button")?.click());
  }

  show(): void {
    const { language } = this.#session;
    if (this.#shownIn === language) return;
    this.#shownIn = language;
    const words = bankTexts[language];
    translate(this.#form, words);
    const names = new Intl.DisplayNames(language, { type: "region" });
    const countries = ibanCountryCodes.map((code) => new Option(names.of(code), code));
    countries.sort((one, other) => one.text.localeCompare(other.text, language));
    const chosen = this.#country.value || home;
    this.#country.replaceChildren(new Option(words.everywhere, "*"), ...countries);
    this.#country.value = chosen;
    if (this.#results === undefined) this.#notice.say(words.hint);
    else this.#list(this.#results);
  }

  /** Searches; with an offset, adds the hits after those that are shown. */
  async #search(offset = 0): Promise<void> {
    const words = bankTexts[this.#session.language];
    const query: Record<string, string | number> = {};
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
    const isSortCode = isBritish || (sortCodeForm.test(code) && /^(?:DE|\*)$/.test(String(query["country"])));
    this.#sortCode = isSortCode ? code : undefined;
    if (isSortCode) query["country"] = "GB";
    // Without a country the search is the specified one, of German banks.
    if (query["country"] === home) delete query["country"];
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#notice.say(words.loading);
    this.#found.ariaBusy = "true";
    try {
      const { results } = await this.#session.ask(({ client }) =>
        client.search({ ...query, max: maxResults, ...(offset > 0 && { offset }) }, { signal }),
      );
      const before = offset > 0 ? (this.#results?.items ?? []) : [];
      const items = [...before, ...results.items];
      this.#results = { ...results, items, count: items.length };
      this.#list(this.#results);
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

  #list({ count, total = count, items }: BankSearchAnswer["results"]): void {
    const { language } = this.#session;
    const words = bankTexts[language];
    const number = (value: number) => value.toLocaleString(language);
    const isSortCode = this.#sortCode !== undefined;
    const plain = [words.none, words.one][total] ?? (total > count ? words.some : words.count);
    const text = isSortCode ? words[total === 0 ? "sortCode" : "sortCodeRange"] : plain;
    this.#notice.say(
      filled(text, { count: number(count), total: number(total), code: this.#sortCode ?? "" }),
    );
    this.#found.replaceChildren();
    if (count === 0 && isSortCode) this.#found.append(element("a", { href: "#check" }, words.check));
    if (count === 0) return;
    const isWorld = this.#country.value === "*";
    const country = isWorld ? [words.country] : [];
    const columns = [words.bank, words.location, words.blz, words.bicName, ...country, ""];
    const rows = items.flatMap((bank) => this.#rows(bank, isWorld, words));
    const heads = columns.map((name): Column => [name]);
    this.#found.append(scrolledTable(heads, rows));
    if (total > count) this.#found.append(button("quiet", words.more, () => void this.#search(count)));
  }

  /** The row of a bank, and the hidden one of its details. */
  #rows(bank: BankSearchItem, isWorld: boolean, words: BankWords): HTMLElement[] {
    const code = bank.bank_code ?? bank.blz;
    const country = bank.country ?? home;
    const copying = (text: string, name: string) => copyButton(() => text, words, `${name} ${bank.bank}`);
    const place = element("td", { colSpan: 6 });
    const details = element("tr", { className: "more", hidden: true }, place);
    const toggle = button("link", bank.bank, () => {
      details.hidden = !details.hidden;
      this.#opened = details.hidden ? "" : `${country} ${code}`;
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

  /** Shows everything about a bank; a look-up counts as one check. */
  async #open(place: HTMLElement, country: string, code: string): Promise<void> {
    const { language } = this.#session;
    const words = bankTexts[language];
    const key = `${country} ${code}`;
    place.replaceChildren(element("p", "notice", words.loading));
    try {
      this.#lists ??= this.#session.ask(({ client }) => client.bankData()).then(({ lists }) => lists);
      const data =
        this.#lookedUp.get(key) ?? (await this.#session.ask(({ client }) => client.bank(country, code))).data;
      this.#lookedUp.set(key, data);
      const list = (await this.#lists).find((one) => one.country === country);
      place.replaceChildren(bankDetails(data, list, language));
    } catch (error) {
      this.#lists = undefined;
      const again = button("quiet", words.again, () => void this.#open(place, country, code));
      place.replaceChildren(element("p", "notice wrong", this.#session.sentenceOf(error)), again);
    }
  }
}

/** The list that states a fact. */
type Source = BankLookupAnswer["data"]["sources"]["name"];

/** Everything that is known of a bank, with the edition and the source of it. */
function bankDetails(
  bank: BankLookupAnswer["data"],
  list: BankList | undefined,
  language: Language,
): HTMLElement {
  const words = bankTexts[language];
  const date = (day: string) => dateOf(day, language);
  const { iban_rule: rule, iban_rule_source: source, deletion_marked: isMarked, sepa_reach: reach } = bank;
  const dated = (text: string, source: Source) =>
    source?.edition ? `${text}, ${date(source.edition)}` : text;
  const ruleSource = source === "published" || source === "inferred" ? ` (${words[source]})` : "";
  const [ofName, ofBic] = [bank.sources.name, bank.sources.bic].map((source) => sourceText(source, language));
  const facts: readonly Fact[] = [
    [words.shortName, bank.short_name],
    [words.bics, bank.bics.length > 1 ? bank.bics.join(", ") : ""],
    [words.method, bank.check_digit_method],
    [words.rule, rule && rule + ruleSource],
    [words.deletion, isMarked === null ? "" : isMarked ? words.yes : words.no],
    [words.successor, bank.successor],
    [words.sepa, schemesOf(bank, words, dated)],
    [words.instant, reachOf(reach?.sct_inst, words, date)],
    [words.payee, reachOf(reach?.vop, words, date)],
    [words.source, [ofName, ofBic !== ofName && ofBic && `BIC: ${ofBic}`].filter(Boolean).join(", ")],
    [words.completeness, list?.completeness && words[list.completeness]],
  ];
  return factList(facts);
}

function schemesOf(
  { sepa_methods, sepa_source, sources }: BankLookupAnswer["data"],
  words: BankWords,
  dated: (text: string, source: Source) => string,
): string | null {
  if (sepa_methods === null) return null;
  const names = schemeNames(sepa_methods, words);
  return sepa_source === null ? names : `${names} (${dated(words[sepa_source], sources.schemes)})`;
}

function reachOf(
  reach: SepaReach["vop"] | undefined,
  words: BankWords,
  date: (day: string) => string,
): string | undefined {
  if (!reach) return undefined;
  if (reach.reachable === 0) return words.notReached;
  return reach.since === null ? words.yes : filled(words.reached, { date: date(reach.since) });
}
