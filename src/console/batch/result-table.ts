import { inFours } from "../../banking/iban/normalise.ts";
import { type VerdictWord, verdictWords } from "../../contract/verdict.ts";
import { button, element, icon } from "../element.ts";
import { batchTexts, filled, language } from "../words.ts";
import type { CheckedNumbers } from "./columns.ts";
import { type Filter, reasonTexts, verdictText, wordOf } from "./results.ts";
import { type Arrangement, arrangedRows, textColumns, textIn } from "./table-rows.ts";
import { maxPrinted, VirtualRows } from "./virtual-rows.ts";

const filters = ["all", "valid", "doubtful", "invalid", "unchecked"] as const satisfies readonly Filter[];
/** The number of rows that decides how wide their numbers are. */
const sampleRows = 200;
/** An arrow, and a German IBAN in fours. */
const generatedCharacters = 30;
/** With more columns of the file all are narrower, so that five of them are in sight at 1,280 pixels. */
const maxRoomyColumns = 2;
/** Between two arrangements of rows that still come in. */
const restMs = 200;
const whole: Arrangement = { filter: "all", search: "", sortedBy: undefined, isDescending: false };

/** The rows of a file with their results, and the choice of those that are shown. */
export class ResultTable {
  readonly element: HTMLElement;
  readonly filters: HTMLElement;
  readonly shown = new VirtualRows(this);
  /** Called with a row that was chosen. */
  readonly open: (row: number) => void;
  readonly #buttons = filters.map(
    (filter) => [filter, button(`quiet ${filter}`, "", () => this.#choose(filter))] as const,
  );
  readonly #reason = element("select", "");
  readonly #search = element("input", { type: "search", spellcheck: false });
  readonly #none = element("p", "notice none");
  /** Says which rows are printed where that is not all of them. */
  readonly #printed = element("p", "print-only");
  #numbers: CheckedNumbers | undefined;
  #all: readonly number[] = [];
  #wanted = whole;
  /** Whether rows are being arranged, and whether anything has changed since that began. */
  #isArranging = false;
  #isStale = false;

  constructor(open: (row: number) => void) {
    this.open = open;
    this.#search.oninput = () => this.refresh({ search: this.#search.value.trim() });
    this.#reason.onchange = () =>
      this.#choose(this.#reason.value === "" ? "all" : `reason:${this.#reason.value}`);
    const choices = [...this.#buttons.map(([, button]) => button), this.#reason, this.#search];
    this.filters = element("div", { className: "bar filters", role: "group" }, ...choices);
    this.element = element("div", "stack results", this.#printed, this.shown.element, this.#none);
  }

  /** Shows what fits a printer, until the next `show`. */
  print(): void {
    const all = this.shown.rows.length;
    const numbers = { count: maxPrinted.toLocaleString(language), all: all.toLocaleString(language) };
    this.#printed.textContent = all > maxPrinted ? filled(batchTexts.printedRows, numbers) : "";
    this.shown.print();
  }

  /** Shows numbers in the language of the page. */
  show(numbers: CheckedNumbers): void {
    const words = batchTexts;
    const own = numbers.others();
    this.filters.ariaLabel = words.filter;
    this.#search.placeholder = this.#search.ariaLabel = words.searchRows;
    this.#reason.ariaLabel = words.reason;
    this.#none.textContent = words.noRows;
    const isGenerating = numbers.areAccounts;
    const isCrowded = own.length > maxRoomyColumns || isGenerating;
    const all = numbers === this.#numbers ? this.#all : [...Array(numbers.results.size).keys()];
    const sample = all.slice(0, sampleRows).map((row) => grouped(numbers.written(row)).length);
    const characters = Math.max(12, ...sample);
    const both = isGenerating ? characters + generatedCharacters : characters;
    const [ownMin, ownMax] = isCrowded ? [4.5, "1fr"] : [7, "14rem"];
    this.shown.name(
      words.results,
      [
        ["number", words.number, 3.5],
        ["checked", words.checked, both * 0.53 + 0.25],
        ["verdict", words.verdict, isCrowded && !isGenerating ? 12 : 14, "1.6fr"],
        ["bank", words.bank, isCrowded ? 4.75 : 9, "1fr"],
        ...own.map(({ index, name }) => [`own own-${index}`, name, ownMin, ownMax] as const),
        ["bic", words.bicName, 7],
        ["place", words.location, isCrowded ? 4 : 7, "1fr"],
      ],
      isGenerating ? Math.max(characters, generatedCharacters) : characters,
    );
    this.shown.element.classList.toggle("generating", isGenerating);
    const before = this.#numbers;
    [this.#numbers, this.#all] = [numbers, all];
    if (before?.sheet !== numbers.sheet) {
      this.#wanted = whole;
      this.#search.value = "";
    }
    // Until they are arranged, no row is sought among those of other numbers.
    if (before !== numbers) this.#showRows(all, whole);
    this.refresh();
  }

  #showCounts(): void {
    const { results } = this.#numbers!;
    const { counts, size } = results;
    const chosen = this.#wanted.filter;
    const words = batchTexts;
    for (const [filter, button] of this.#buttons) {
      const count = filter === "all" ? size : counts[filter];
      const name =
        filter in verdictWords ? verdictWords[filter as VerdictWord][language] : words[filter as "all"];
      button.replaceChildren(`${name} `, element("strong", "", count.toLocaleString(language)));
      button.ariaPressed = String(filter === chosen);
      const isIdle = counts.checked === 0 && filter !== "all";
      const isEmpty = count === 0 && filter !== chosen;
      button.hidden = isIdle || (isEmpty && (filter === "unchecked" || filter === "doubtful"));
    }
    this.#reason.hidden = counts.reasons.length < 2;
    // A list that is open stays as it is.
    if (document.activeElement === this.#reason) return;
    const options = reasonTexts(results).map(
      ([reason, text]) => new Option(text, reason, false, chosen === `reason:${reason}`),
    );
    this.#reason.replaceChildren(new Option(words.anyReason, ""), ...options);
  }

  #choose(filter: Filter): void {
    this.shown.element.scrollTop = 0;
    this.refresh({ filter });
  }

  /** Sorts by a column or, where the rows are sorted by it already, the other way round. */
  sort(column: string): void {
    const { sortedBy = "number", isDescending } = this.#wanted;
    const isTurned = sortedBy === column && !isDescending;
    this.refresh({
      sortedBy: column === "number" && !isTurned ? undefined : column,
      isDescending: isTurned,
    });
  }

  /** Shows the rows that are wanted in the order that is wanted, with what has been checked; what changes meanwhile is shown after that. */
  async refresh(change: Partial<Arrangement> = {}): Promise<void> {
    this.#wanted = { ...this.#wanted, ...change };
    this.#showCounts();
    this.#isStale = true;
    if (!this.#isArranged) this.#showRows(this.#all, whole);
    if (this.#isArranging) return;
    this.#isArranging = true;
    while (this.#isStale && this.#isArranged) {
      this.#isStale = false;
      // Meanwhile another order may be wanted, or that of other numbers.
      const [numbers, wanted] = [this.#numbers!, this.#wanted];
      const rows = await arrangedRows(numbers, wanted);
      if (this.#isArranged && numbers === this.#numbers) this.#showRows(rows, wanted);
      if (this.#isStale) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    this.#isArranging = false;
  }

  get #isArranged(): boolean {
    const { filter, search, sortedBy } = this.#wanted;
    return filter !== "all" || search !== "" || sortedBy !== undefined;
  }

  #showRows(rows: readonly number[], { sortedBy, isDescending }: Arrangement): void {
    this.#none.hidden = rows.length > 0;
    this.shown.element.hidden = rows.length === 0;
    this.shown.show(rows, sortedBy, isDescending);
  }

  stateOf(row: number): readonly unknown[] {
    const numbers = this.#numbers!;
    return [numbers, language, numbers.results.of(row), numbers.written(row)];
  }

  cells(row: number): HTMLElement[] {
    const numbers = this.#numbers!;
    const entry = numbers.results.of(row);
    const cell = (className: string, title: string) => element("span", { className, title }, title);
    const number = cell("checked", grouped(numbers.written(row)));
    if (entry?.iban) number.append(element("span", "generated", ` → ${grouped(entry.iban)}`));
    const word = entry && wordOf(entry);
    const shown = entry === undefined ? "" : verdictText(entry);
    const verdict = cell(`verdict ${word ?? ""}`, shown);
    if (word !== undefined) {
      const meaning = verdictWords[word][language];
      // A screen reader hears the verdict once.
      verdict.prepend(icon(word, meaning === shown ? undefined : meaning), " ");
    }
    const rowNumber = numbers.rowNumber(row).toLocaleString(language);
    const ariaLabel = filled(batchTexts.open, { row: rowNumber });
    return [
      element("span", "number", element("button", { className: "link", tabIndex: -1, ariaLabel }, rowNumber)),
      number,
      verdict,
      ...textColumns(numbers).map((column) => cell(column, textIn(numbers, row, column).slice(0, 200))),
    ];
  }
}

/** The characters of an IBAN in fours; other text as it is, cut where no column is wide enough. */
function grouped(text: string): string {
  const compact = text.replace(/\s/g, "");
  return /^[a-z]{2}\d[a-z\d]{2,37}$/i.test(compact) ? inFours(compact) : text.slice(0, 60);
}
