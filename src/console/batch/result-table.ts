import { inFours } from "../../banking/iban/normalise.ts";
import { type VerdictWord, verdictWords } from "../../contract/verdict.ts";
import type { Verdict } from "../../rows/verdict.ts";
import { verdictIcons } from "../check/result.ts";
import { button, element, icon } from "../element.ts";
import { batchTexts, filled, language } from "../words.ts";
import type { CheckedNumbers } from "./columns.ts";
import { type Filter, type Results, wordOf } from "./results.ts";
import { arrangedRows, type TableRows, textIn } from "./table-rows.ts";
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

/** The rows of a file with their results, and the choice of those that are shown. */
export class ResultTable {
  readonly element: HTMLElement;
  readonly filters: HTMLElement;
  readonly #buttons: ReadonlyMap<(typeof filters)[number], HTMLElement>;
  readonly #reason = element("select", "");
  readonly #search = element("input", { type: "search", spellcheck: false });
  readonly #none = element("p", "notice none");
  /** Says which rows are printed where that is not all of them. */
  readonly #printed = element("p", "print-only");
  readonly #virtual: VirtualRows;
  #table: TableRows | undefined;
  #filter: Filter = "all";
  #sortedBy: string | undefined;
  #isDescending = false;
  /** Whether rows are being arranged, and whether anything has changed since that began. */
  #isArranging = false;
  #isStale = false;
  /** The shown rows in order; undefined if all are shown in their own order. */
  #rows: readonly number[] | undefined;
  /** The place of the row that was opened last, among those shown then. */
  #openedAt = 0;

  constructor(open: (row: number) => void) {
    this.#virtual = new VirtualRows({
      sort: (column) => this.#sort(column),
      open: (index) => {
        this.#openedAt = index;
        open(this.#rows?.[index] ?? index);
      },
    });
    this.#buttons = new Map(
      filters.map((filter) => [filter, button(`quiet ${filter}`, "", () => this.#choose(filter))]),
    );
    this.#search.oninput = () => this.#rearrange();
    this.#reason.onchange = () =>
      this.#choose(this.#reason.value === "" ? "all" : `reason:${this.#reason.value}`);
    const choices = [...this.#buttons.values(), this.#reason, this.#search];
    this.filters = element("div", { className: "bar filters", role: "group" }, ...choices);
    const table = [this.#printed, this.#virtual.element, this.#none];
    this.element = element("div", "stack results", ...table);
  }

  /** The rows that are shown; undefined if it is all of them. */
  get rows(): readonly number[] | undefined {
    return this.#rows;
  }

  /** Shows what fits a printer, until the next `refresh`. */
  print(): void {
    const all = this.#rows?.length ?? this.#table!.results.size;
    const numbers = {
      count: maxPrinted.toLocaleString(language),
      all: all.toLocaleString(language),
    };
    this.#printed.textContent = all > maxPrinted ? filled(batchTexts.printedRows, numbers) : "";
    this.#virtual.print();
  }

  /** The row that is shown `by` places after another one; undefined if there is none. */
  after(row: number, by: number): number | undefined {
    const at = this.#rows?.indexOf(row) ?? row;
    // A row that its correction took out of those shown left its place to the next one.
    const index = at < 0 ? this.#openedAt + Math.min(by, 0) : at + by;
    const isAny = index >= 0 && index < (this.#rows?.length ?? this.#table!.results.size);
    if (!isAny) return undefined;
    this.#openedAt = index;
    return this.#rows?.[index] ?? index;
  }

  /** Says how many rows need attention, and why; empty as long as some are not checked. */
  get summary(): string {
    const { counts, size } = this.#table!.results;
    const { attention, allRight } = batchTexts;
    const number = (value: number) => value.toLocaleString(language);
    if (counts.unchecked > 0) return "";
    const reasons = [...counts.reasons].map(
      ([reason, count]) => `${this.#reasonOf(reason) ?? reason} (${number(count)})`,
    );
    const count = counts.doubtful + counts.invalid;
    const values = { count: number(count), all: number(size), reasons: reasons.join(", ") };
    return filled(count === 0 ? allRight : attention, values);
  }

  /** Puts the focus on a row, or on the one in its place where it is not shown any more. */
  focus(row: number): void {
    const at = this.#rows?.indexOf(row) ?? row;
    const last = (this.#rows?.length ?? 0) - 1;
    this.#virtual.focus(at < 0 ? Math.min(this.#openedAt, last) : at);
  }

  show(numbers: CheckedNumbers, results: Results): void {
    const isOther = numbers !== this.#table?.numbers;
    const own = numbers.others();
    this.#table = { numbers, results, own, verdictOf: (verdict) => this.verdictOf(verdict) };
    const words = batchTexts;
    this.filters.ariaLabel = words.filter;
    this.#search.placeholder = this.#search.ariaLabel = words.searchRows;
    this.#reason.ariaLabel = words.reason;
    this.#none.textContent = words.noRows;
    const isGenerating = numbers.areAccounts;
    const isCrowded = own.length > maxRoomyColumns || isGenerating;
    const sample = Array.from({ length: Math.min(sampleRows, results.size) }, (_, row) => row);
    const characters = Math.max(12, ...sample.map((row) => grouped(numbers.written(row)).length));
    const both = isGenerating ? characters + generatedCharacters : characters;
    const [ownMin, ownMax] = isCrowded ? [4.5, "1fr"] : [7, "14rem"];
    this.#virtual.name(
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
    this.#virtual.element.classList.toggle("generating", isGenerating);
    // Until they are arranged, no row is sought among those of other numbers.
    if (isOther) this.#showRows();
    this.#rearrange();
  }

  /** Shows what has been checked since the last call. */
  refresh(): void {
    this.#showCounts();
    if (this.#rows === undefined && !this.#isArranged) this.#virtual.refresh();
    else this.#rearrange();
  }

  /** The result in a few words, or in the service's own sentence. */
  verdictOf(verdict: Verdict): string {
    const { valid, reason, message } = verdict;
    return this.#reasonOf(reason) ?? (valid ? verdictWords[wordOf(verdict)][language] : message);
  }

  #reasonOf(reason: string): string | undefined {
    return (batchTexts.reasons as Readonly<Record<string, string>>)[reason];
  }

  get #isArranged(): boolean {
    return this.#filter !== "all" || this.#sortedBy !== undefined || this.#search.value.trim() !== "";
  }

  #showCounts(): void {
    const { counts, size } = this.#table!.results;
    const words = batchTexts;
    for (const [filter, button] of this.#buttons) {
      const count = filter === "all" ? size : counts[filter];
      const name =
        filter in verdictWords ? verdictWords[filter as VerdictWord][language] : words[filter as "all"];
      button.replaceChildren(`${name} `, element("strong", "", count.toLocaleString(language)));
      button.ariaPressed = String(filter === this.#filter);
      const isIdle = counts.checked === 0 && filter !== "all";
      const isEmpty = count === 0 && filter !== this.#filter;
      button.hidden = isIdle || (isEmpty && (filter === "unchecked" || filter === "doubtful"));
    }
    this.#reason.hidden = counts.reasons.size < 2;
    const chosen = this.#filter.startsWith("reason:") ? this.#filter.slice("reason:".length) : "";
    // A list that is open stays as it is.
    if (document.activeElement === this.#reason) return;
    const options = [...counts.reasons].map(([reason, count]) => {
      const text = `${this.#reasonOf(reason) ?? reason} (${count.toLocaleString(language)})`;
      return new Option(text, reason, false, reason === chosen);
    });
    this.#reason.replaceChildren(new Option(words.anyReason, ""), ...options);
    if (chosen === "") this.#reason.value = "";
  }

  #choose(filter: Filter): void {
    this.#filter = filter;
    this.#virtual.element.scrollTop = 0;
    this.#rearrange();
  }

  #sort(column: string): void {
    this.#isDescending = (this.#sortedBy ?? "number") === column && !this.#isDescending;
    this.#sortedBy = column === "number" && !this.#isDescending ? undefined : column;
    this.#rearrange();
  }

  /** Shows the rows that are wanted in the order that is wanted; what has changed meanwhile is shown after that. */
  #rearrange(): void {
    this.#showCounts();
    this.#isStale = true;
    if (!this.#isArranged) this.#showRows();
    else if (!this.#isArranging) void this.#arrange();
  }

  async #arrange(): Promise<void> {
    this.#isArranging = true;
    while (this.#isStale && this.#isArranged) {
      this.#isStale = false;
      // Meanwhile another order may be wanted, or that of other numbers.
      const [sortedBy, isDescending, table] = [this.#sortedBy, this.#isDescending, this.#table!];
      const arrangement = { filter: this.#filter, search: this.#search.value, sortedBy, isDescending };
      const rows = await arrangedRows(table, arrangement);
      if (this.#isArranged && table === this.#table) this.#showRows(rows, sortedBy, isDescending);
      if (this.#isStale) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    this.#isArranging = false;
  }

  #showRows(rows?: readonly number[], sortedBy?: string, isDescending = false): void {
    const { results, numbers } = this.#table!;
    this.#rows = rows;
    const count = rows?.length ?? results.size;
    this.#none.hidden = count > 0;
    this.#virtual.element.hidden = count === 0;
    const rowOf = (index: number) => rows?.[index] ?? index;
    this.#virtual.markSorted(sortedBy, isDescending);
    this.#virtual.show({
      count,
      numberOf: rowOf,
      stateOf: (index) => [results.of(rowOf(index)), numbers.written(rowOf(index))],
      cells: (index) => this.#cells(rowOf(index)),
    });
  }

  #cells(row: number): HTMLElement[] {
    const table = this.#table!;
    const entry = table.results.of(row);
    const word = entry && wordOf(entry);
    const cell = (className: string, title: string) => element("span", { className, title }, title);
    const textCell = (column: string) => cell(column, textIn(table, row, column));
    const number = cell("checked", grouped(table.numbers.written(row)));
    if (entry?.iban) number.append(element("span", "generated", ` → ${grouped(entry.iban)}`));
    const shown = entry === undefined ? "" : this.verdictOf(entry);
    const verdict = cell(`verdict ${word ?? ""}`, shown);
    if (word !== undefined) {
      const meaning = verdictWords[word][language];
      // A screen reader hears the verdict once.
      verdict.prepend(icon(verdictIcons[word], meaning === shown ? undefined : meaning), " ");
    }
    const rowNumber = table.numbers.rowNumber(row).toLocaleString(language);
    const opening = {
      className: "link",
      tabIndex: -1,
      ariaLabel: filled(batchTexts.open, { row: rowNumber }),
    };
    return [
      element("span", "number", element("button", opening, rowNumber)),
      number,
      verdict,
      textCell("bank"),
      ...table.own.map(({ index }) =>
        cell(`own own-${index}`, table.numbers.field(row, index).slice(0, 200)),
      ),
      textCell("bic"),
      textCell("place"),
    ];
  }
}

/** The characters of an IBAN in fours; other text as it is, cut where no column is wide enough. */
function grouped(text: string): string {
  const compact = text.replace(/\s/g, "");
  return /^[a-z]{2}\d[a-z\d]{2,37}$/i.test(compact) ? inFours(compact) : text.slice(0, 60);
}
