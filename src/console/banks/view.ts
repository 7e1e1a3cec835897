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

type Bank = BankLookupAnswer["data"];

interface FoundBanks {
  /** How many there are; more may be asked for. */
  readonly total: number;
  readonly items: readonly Pick<Bank, "country" | "bank_code" | "bank" | "zip" | "location" | "bic">[];
  /** Whether they are of all countries. */
  readonly isWorld?: boolean;
  /** The sort code that was searched for, as it was written. */
  readonly sortCode?: string | undefined;
  /** Loads the hits that follow. */
  readonly more?: () => void;
}

/** Finds banks by name, town, postal code, bank code or BIC, in one country or in all. */
export function banksView(session: Session): View {
  const fields = Object.entries(fieldNames).map(([name, text]) =>
    labelled(worded(text), element("input", { name, spellcheck: false })),
  );
  const chosenCountry = element("select", { name: "country" });
  const country = labelled(worded("country"), chosenCountry);
  const form = element("form", "banks-form", ...fields, country, element("button", "", worded("search")));
  const notice = new Notice();
  const shown = element("div", "");
  let results: FoundBanks | undefined;
  /** The lists of bank data, asked for with the first details. */
  let lists: Promise<readonly BankList[]> | undefined;
  /** By country and bank code. */
  const lookedUp = new Map<string, Bank>();
  let asking = new AbortController();
  let shownIn: Language | undefined;
  /** Country and bank code of the bank whose details are open. */
  let opened = "";

  /** Opens the bank that the address names: `#banks/DE/37040044`. */
  function open(): void {
    const [, country, code] = /^#banks\/(..)\/(\w+)$/.exec(location.hash) ?? [];
    if (country === undefined || code === undefined || `${country} ${code}` === opened) return;
    opened = `${country} ${code}`;
    show();
    form.reset();
    // Only codes of digits can be searched for.
    form.querySelector<HTMLInputElement>("[name=bankleitzahl]")!.value = /\D/.test(code) ? "" : code;
    chosenCountry.value = country;
    void find(async () => {
      const bank = await lookUp(country, code);
      const items = bank.bank === "" ? [] : [bank];
      return { total: items.length, items };
    });
  }

  function show(): void {
    if (shownIn === language) return;
    shownIn = language;
    translate(form, words);
    const countries = ibanCountryCodes.map((code) => new Option(regionName(language, code), code));
    countries.sort((one, other) => one.text.localeCompare(other.text, language));
    const chosen = chosenCountry.value || home;
    chosenCountry.replaceChildren(new Option(words.everywhere, "*"), ...countries);
    chosenCountry.value = chosen;
    if (results === undefined) notice.say(words.hint);
    else list(results);
  }

  function search(): void {
    const query: Record<string, string> = {};
    const fields = new FormData(form);
    for (const [name, value] of fields) {
      const given = codeNames.has(name) ? String(value).replace(/[\s.-]/g, "") : String(value).trim();
      if (given !== "") query[name] = given;
    }
    if (Object.keys(query).length < 2) {
      notice.say(words.needsField, true);
      return;
    }
    const code = String(fields.get("bankleitzahl")).trim();
    const isBritish = query["country"] === "GB" && /^\d/.test(code);
    const isSortCode = isBritish || (sortCodeForm.test(code) && /^(?:DE|\*)$/.test(query["country"]!));
    if (isSortCode) query["country"] = "GB";
    // Without a country the search is the specified one, of German banks.
    if (query["country"] === home) delete query["country"];
    const findFrom = (before: FoundBanks["items"]): Promise<void> =>
      find(async (signal) => {
        const page = { ...query, max: maxResults, offset: before.length };
        const { results: hits } = await session.ask(({ client }) => client.search(page, { signal }));
        const found = hits.items.map(({ country = home, blz, ...bank }) => ({
          bank_code: blz,
          ...bank,
          country,
        }));
        const items = [...before, ...found];
        return {
          total: hits.total,
          items,
          isWorld: query["country"] === "*",
          sortCode: isSortCode ? code : undefined,
          more: () => void findFrom(items),
        };
      });
    void findFrom([]);
  }

  async function find(ask: (signal: AbortSignal) => Promise<FoundBanks>): Promise<void> {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    notice.say(words.loading);
    shown.ariaBusy = "true";
    try {
      const found = await ask(signal);
      if (signal.aborted) return;
      results = found;
      list(found);
    } catch (error) {
      // A newer search shows its own answer.
      if (signal.aborted) return;
      opened = "";
      results = undefined;
      shown.replaceChildren();
      notice.say(session.sentenceOf(error), true);
    }
    shown.ariaBusy = "false";
  }

  function list({ total, items, isWorld = false, sortCode, more }: FoundBanks): void {
    const count = items.length;
    const number = (value: number) => value.toLocaleString(language);
    const isSortCode = sortCode !== undefined;
    const plain = [words.none, words.one][total] ?? (total > count ? words.some : words.count);
    const text = isSortCode ? words[total === 0 ? "sortCode" : "sortCodeRange"] : plain;
    notice.say(filled(text, { count: number(count), total: number(total), code: sortCode ?? "" }));
    shown.replaceChildren();
    if (count === 0 && isSortCode) shown.append(element("a", { href: "#check" }, words.check));
    if (count === 0) return;
    const country = isWorld ? [words.country] : [];
    const columns = [words.bank, words.location, words.blz, words.bicName, ...country, ""];
    const rows = items.flatMap((bank) => rowsOf(bank, isWorld));
    const heads = columns.map((name): Column => [name]);
    shown.append(scrolledTable(heads, rows));
    if (more !== undefined && total > count) shown.append(button("quiet", words.more, more));
    const place = items.findIndex((bank) => keyOf(bank) === opened);
    shown.querySelectorAll<HTMLElement>("button.link")[place]?.click();
  }

  function rowsOf(bank: FoundBanks["items"][number], isWorld: boolean): HTMLElement[] {
    const { country, bank_code: code } = bank;
    const copying = (text: string, name: string) => copyButton(() => text, `${name} ${bank.bank}`);
    const place = element("td", { colSpan: 6 });
    const details = element("tr", { className: "more", hidden: true }, place);
    const toggle = button("link", bank.bank, () => {
      details.hidden = !details.hidden;
      opened = details.hidden ? "" : keyOf(bank);
      if (!details.hidden) history.replaceState(null, "", `#banks/${country}/${code}`);
      toggle.ariaExpanded = String(!details.hidden);
      if (place.childElementCount === 0) void showDetails(place, country, code);
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
  async function lookUp(country: string, code: string): Promise<Bank> {
    const key = keyOf({ country, bank_code: code });
    const known = lookedUp.get(key);
    if (known !== undefined) return known;
    const { data } = await session.ask(({ client }) => client.bank(country, code));
    lookedUp.set(key, data);
    return data;
  }

  async function showDetails(place: HTMLElement, country: string, code: string): Promise<void> {
    place.replaceChildren(element("p", "notice", words.loading));
    try {
      lists ??= session.ask(({ client }) => client.bankData()).then((data) => data.lists);
      const [bank, all] = await Promise.all([lookUp(country, code), lists]);
      const listOfCountry = all.find((one) => one.country === country);
      place.replaceChildren(bankDetails(bank, listOfCountry));
    } catch (error) {
      lists = undefined;
      const again = button("quiet", words.again, () => void showDetails(place, country, code));
      place.replaceChildren(element("p", "notice wrong", session.sentenceOf(error)), again);
    }
  }

  form.onsubmit = (event) => {
    event.preventDefault();
    opened = "";
    search();
  };
  addEventListener("hashchange", open);
  return { content: [element("div", "stack banks", form, notice.element, shown)], open, show };
}

function keyOf({ country, bank_code }: Pick<Bank, "country" | "bank_code">): string {
  return `${country} ${bank_code}`;
}
