import { element } from "../element.ts";
import type { Language } from "../words.ts";
import type { BatchEntry } from "./answer.ts";
import type { Filter, Results } from "./results.ts";
import { VirtualRows } from "./virtual-rows.ts";
import { batchTexts, noIban, statusWords } from "./words.ts";

const filters = ["all", "invalid", "unknownBank"] as const satisfies readonly Filter[];

/** The rows of a table with what was found for them, and the choice of those that are shown. */
export class ResultTable {
  readonly element: HTMLElement;
  readonly #buttons: ReadonlyMap<Filter, HTMLElement>;
  readonly #group: HTMLElement;
  readonly #none = element("p", "notice none");
  readonly #virtual = new VirtualRows();
  readonly #ibanOf: (row: number) => string;
  #language: Language = "en";
  #results: Results | undefined;
  #filter: Filter = "all";
  /** The rows that are shown; undefined where it is all of them. */
  #rows: readonly number[] | undefined;
  #count = -1;

  constructor(ibanOf: (row: number) => string) {
    this.#ibanOf = ibanOf;
    this.#buttons = new Map(
      filters.map((filter) => {
        const button = element("button", "quiet");
        button.addEventListener("click", () => this.#choose(filter));
        return [filter, button];
      }),
    );
    this.#group = element("div", "filters", ...this.#buttons.values());
    this.#group.role = "group";
    this.element = element("div", "results", this.#group, this.#virtual.element, this.#none);
  }

  /** The rows that are shown; undefined where it is all of them. */
  get rows(): readonly number[] | undefined {
    return this.#rows;
  }

  /** Shows results in a language. */
  setLanguage(language: Language, results: Results): void {
    this.#language = language;
    this.#results = results;
    const words = batchTexts[language];
    this.#group.ariaLabel = words.filter;
    this.#none.textContent = words.noRows;
    const columns = ["number", "iban", "verdict", "bank", "bic", "place"] as const;
    this.#virtual.name(
      words.results,
      columns.map((name) => ({ name, text: words[name] })),
    );
    this.#count = -1;
    this.refresh();
  }

  refresh(): void {
    const { counts, size } = this.#results!;
    const words = batchTexts[this.#language];
    const numbers = { all: size, invalid: counts.invalid, unknownBank: counts.unknownBank };
    for (const [filter, button] of this.#buttons) {
      button.textContent = `${words[filter]} ${numbers[filter].toLocaleString(this.#language)}`;
      button.ariaPressed = String(filter === this.#filter);
    }
    this.#rows = this.#results!.filtered(this.#filter);
    const count = numbers[this.#filter];
    this.#none.hidden = count > 0;
    this.#virtual.element.hidden = count === 0;
    if (count === this.#count) this.#virtual.refresh();
    else this.#list(count);
  }

  /** What was found, in a few words. */
  verdictOf(entry: BatchEntry): string {
    if (entry.error !== undefined) return noIban[this.#language];
    return statusWords[this.#language][entry.status] ?? String(entry.status);
  }

  #choose(filter: Filter): void {
    this.#filter = filter;
    this.#virtual.toTop();
    this.refresh();
  }

  #list(count: number): void {
    this.#count = count;
    const rowOf = (index: number) => this.#rows?.[index] ?? index;
    this.#virtual.show({ count, numberOf: rowOf, cells: (index) => this.#cells(rowOf(index)) });
  }

  #cells(row: number): HTMLElement[] {
    const entry = this.#results!.of(row);
    const text = this.#ibanOf(row);
    const iban = element("span", "iban", grouped(text));
    iban.title = text;
    const { bank = "", bic, zip = "", location = "" } = entry?.data ?? {};
    const kind = entry === undefined ? "" : entry.valid ? " valid" : " invalid";
    const named = element("span", "bank", bank);
    named.title = bank;
    return [
      element("span", "number", (row + 1).toLocaleString(this.#language)),
      iban,
      element("span", `verdict${kind}`, entry === undefined ? "" : this.verdictOf(entry)),
      named,
      element("span", "bic", bic ?? ""),
      element("span", "place", `${zip} ${location}`.trim()),
    ];
  }
}

/** The characters of an IBAN in fours; other text as it is, cut where no column is wide enough. */
function grouped(text: string): string {
  const compact = text.replace(/\s/g, "");
  return /^[a-z]{2}[a-z\d]{2,38}$/i.test(compact)
    ? compact.replace(/(.{4})(?=.)/g, "$1 ")
    : text.slice(0, 60);
}
