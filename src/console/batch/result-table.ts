import { inFours } from "../../banking/iban/normalise.ts";
import { type VerdictWord, verdictWords } from "../../contract/verdict.ts";
import { button, element, icon } from "../element.ts";
import { filled, language, batchTexts as words } from "../words.ts";
import type { CheckedNumbers } from "./columns.ts";
import { type Filter, reasonTexts, verdictText, wordOf } from "./results.ts";
import { type Arrangement, arrangedRows, textColumns, textIn } from "./table-rows.ts";
import { maxPrinted, virtualRows } from "./virtual-rows.ts";

const filterNames = ["all", "valid", "doubtful", "invalid", "unchecked"] as const satisfies readonly Filter[];
/** The number of rows that decides how wide their numbers are. */
const sampleRows = 200;
/** An arrow, and a German IBAN in fours. */
const generatedCharacters = 30;
/** With more columns of the file all are narrower, so that five of them are in sight at 1,280 pixels. */
const maxRoomyColumns = 2;
/** Between two arrangements of rows that still come in. */
const restMs = 200;
const whole: Arrangement = { filter: "all", search: "", sortedBy: undefined, isDescending: false };

/** The rows of a file with their results, and the choice of those that are shown; `open` is called with a row that was chosen. */
export function resultTable(open: (row: number) => void) {
  const shown = virtualRows({ stateOf, cells, sort, open });
  const buttons = filterNames.map(
    (filter) => [filter, button(`quiet ${filter}`, "", () => choose(filter))] as const,
  );
  const reason = element("select", "");
  const search = element("input", { type: "search", spellcheck: false });
  const choices = [...buttons.map(([, button]) => button), reason, search];
  const filters = element("div", { className: "bar filters", role: "group" }, ...choices);
  const none = element("p", "notice none");
  /** Says which rows are printed where that is not all of them. */
  const printed = element("p", "print-only");
  let numbers: CheckedNumbers;
  let all: readonly number[] = [];
  let wanted = whole;
  /** Whether rows are being arranged, and whether anything has changed since that began. */
  let isArranging = false;
  let isStale = false;
  const isArranged = () => wanted.filter !== "all" || wanted.search !== "" || wanted.sortedBy !== undefined;

  search.oninput = () => refresh({ search: search.value.trim() });
  reason.onchange = () => choose(reason.value === "" ? "all" : `reason:${reason.value}`);

  /** Shows what fits a printer, until the next `show`. */
  function print(): void {
    const count = shown.rows().length;
    const texts = { count: maxPrinted.toLocaleString(language), all: count.toLocaleString(language) };
    printed.textContent = count > maxPrinted ? filled(words.printedRows, texts) : "";
    shown.print();
  }

  function show(given: CheckedNumbers): void {
    filters.ariaLabel = words.filter;
    search.placeholder = search.ariaLabel = words.searchRows;
    reason.ariaLabel = words.reason;
    none.textContent = words.noRows;
    const isOther = given !== numbers;
    if (given.sheet !== numbers?.sheet) {
      wanted = whole;
      search.value = "";
    }
    numbers = given;
    if (isOther) all = [...Array(numbers.results.size).keys()];
    nameColumns();
    // Until they are arranged, no row is sought among those of other numbers.
    if (isOther) showRows(all, whole);
    void refresh();
  }

  function nameColumns(): void {
    const own = numbers.others();
    const isGenerating = numbers.areAccounts;
    const isCrowded = own.length > maxRoomyColumns || isGenerating;
    const sample = all.slice(0, sampleRows).map((row) => grouped(numbers.written(row)).length);
    const characters = Math.max(12, ...sample);
    const both = isGenerating ? characters + generatedCharacters : characters;
    const [ownMin, ownMax] = isCrowded ? [4.5, "1fr"] : [7, "14rem"];
    shown.name(
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
    shown.element.classList.toggle("generating", isGenerating);
  }

  function showCounts(): void {
    const { results } = numbers;
    const { counts, size } = results;
    const chosen = wanted.filter;
    for (const [filter, button] of buttons) {
      const count = filter === "all" ? size : counts[filter];
      const name =
        filter in verdictWords ? verdictWords[filter as VerdictWord][language] : words[filter as "all"];
      button.replaceChildren(`${name} `, element("strong", "", count.toLocaleString(language)));
      button.ariaPressed = String(filter === chosen);
      const isIdle = counts.checked === 0 && filter !== "all";
      const isEmpty = count === 0 && filter !== chosen;
      button.hidden = isIdle || (isEmpty && (filter === "unchecked" || filter === "doubtful"));
    }
    reason.hidden = counts.reasons.length < 2;
    // A list that is open stays as it is.
    if (document.activeElement === reason) return;
    const options = reasonTexts(results).map(
      ([name, text]) => new Option(text, name, false, chosen === `reason:${name}`),
    );
    reason.replaceChildren(new Option(words.anyReason, ""), ...options);
  }

  function choose(filter: Filter): void {
    shown.element.scrollTop = 0;
    void refresh({ filter });
  }

  /** Sorts by a column or, where the rows are sorted by it already, the other way round. */
  function sort(column: string): void {
    const isDescending = (wanted.sortedBy ?? "number") === column && !wanted.isDescending;
    void refresh({ sortedBy: column === "number" && !isDescending ? undefined : column, isDescending });
  }

  /** Shows the rows that are wanted in the order that is wanted, with what has been checked; what changes meanwhile is shown after that. */
  async function refresh(change: Partial<Arrangement> = {}): Promise<void> {
    wanted = { ...wanted, ...change };
    showCounts();
    isStale = true;
    if (!isArranged()) showRows(all, whole);
    if (isArranging) return;
    isArranging = true;
    while (isStale && isArranged()) {
      isStale = false;
      // Meanwhile another order may be wanted, or that of other numbers.
      const begun = { numbers, wanted };
      const rows = await arrangedRows(begun.numbers, begun.wanted);
      if (isArranged() && begun.numbers === numbers) showRows(rows, begun.wanted);
      if (isStale) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    isArranging = false;
  }

  function showRows(rows: readonly number[], { sortedBy, isDescending }: Arrangement): void {
    none.hidden = rows.length > 0;
    shown.element.hidden = rows.length === 0;
    shown.show(rows, sortedBy, isDescending);
  }

  function stateOf(row: number): readonly unknown[] {
    return [numbers, language, numbers.results.of(row), numbers.written(row)];
  }

  function cells(row: number): HTMLElement[] {
    const entry = numbers.results.of(row);
    const cell = (className: string, title: string) => element("span", { className, title }, title);
    const number = cell("checked", grouped(numbers.written(row)));
    if (entry?.iban) number.append(element("span", "generated", ` → ${grouped(entry.iban)}`));
    const word = entry && wordOf(entry);
    const text = entry === undefined ? "" : verdictText(entry);
    const verdict = cell(`verdict ${word ?? ""}`, text);
    if (word !== undefined) {
      const meaning = verdictWords[word][language];
      // A screen reader hears the verdict once.
      verdict.prepend(icon(word, meaning === text ? undefined : meaning), " ");
    }
    const rowNumber = numbers.rowNumber(row).toLocaleString(language);
    const ariaLabel = filled(words.open, { row: rowNumber });
    return [
      element("span", "number", element("button", { className: "link", tabIndex: -1, ariaLabel }, rowNumber)),
      number,
      verdict,
      ...textColumns(numbers).map((column) => cell(column, textIn(numbers, row, column).slice(0, 200))),
    ];
  }

  return {
    element: element("div", "stack results", printed, shown.element, none),
    filters,
    shown,
    print,
    show,
    refresh,
  };
}

/** The characters of an IBAN in fours; other text as it is, cut where no column is wide enough. */
function grouped(text: string): string {
  const compact = text.replace(/\s/g, "");
  return /^[a-z]{2}\d[a-z\d]{2,37}$/i.test(compact) ? inFours(compact) : text.slice(0, 60);
}
