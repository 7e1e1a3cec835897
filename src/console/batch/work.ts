import type { Suggestion } from "../check/result.ts";
import { button, copyButton, element, iconButton, labelled, Notice, translate, worded } from "../element.ts";
import { save } from "../save.ts";
import type { Session } from "../session.ts";
import { batchTexts, filled, language } from "../words.ts";
import { CheckedNumbers, type Sheet } from "./columns.ts";
import { csvOf, maxSheetRows, workbookOf } from "./download.ts";
import { Progress } from "./progress.ts";
import { ResultTable } from "./result-table.ts";
import { Results } from "./results.ts";
import { RowDetails } from "./row-details.ts";
import { Run, rowChecks } from "./run.ts";

/** How often the figures change, in milliseconds. */
const showIntervalMs = 100;
/** States in which the run waits or was stopped by the service. */
const faultStates = ["busy", "away", "key"] as const;
/** How long a correction waits for a service that is busy or away, in milliseconds. */
const maxCorrectionMs = 10_000;

/** The numbers that are checked, and what is known of them. */
interface CheckedSheet {
  readonly numbers: CheckedNumbers;
  readonly results: Results;
  readonly check: ReturnType<typeof rowChecks>;
  readonly run: Run;
  isSaved: boolean;
}

/** Where the rows come from. */
interface WorkSource {
  /** The name of the file; undefined for rows that were pasted. */
  readonly name: string | undefined;
  readonly sheets: readonly Sheet[];
  readonly chosen: Sheet;
}

/** The rows of one file: their check, its progress and its results. */
export class Work {
  readonly #session: Session;
  readonly #name: string | undefined;
  readonly #sheet: Sheet;
  readonly #title = element("h2", "");
  readonly #column = element("select", "");
  readonly #go = button("", "", () => this.#startOrStop());
  readonly #save = iconButton("drop", "", () => void this.#download("csv"), "CSV");
  readonly #saveSheet = iconButton("drop", "", () => void this.#download("xlsx"), "XLSX");
  readonly #head: HTMLElement;
  readonly #notice = new Notice();
  /** The end of the run in one sentence. */
  readonly #summary = new Notice("");
  #copy = element("span", "");
  readonly #progress = new Progress();
  readonly #shown: ResultTable;
  readonly #details: RowDetails;
  /** By choice: what was found of each choice of numbers is kept, since each check counts. */
  readonly #all = new Map<number, CheckedSheet>();
  #now: CheckedSheet;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSaving = false;
  #fault: "libraryMissing" | "sheetTooLong" | undefined;

  /** `leave` is called with another sheet, or without one where other rows are wanted. */
  constructor(
    into: HTMLElement,
    session: Session,
    { name, sheets, chosen }: WorkSource,
    leave: (sheet?: Sheet) => void,
  ) {
    this.#session = session;
    this.#name = name;
    this.#sheet = chosen;
    this.#now = this.#checkedOf(0);
    this.#shown = new ResultTable((place) => this.#open(place));
    this.#details = new RowDetails(session, {
      closed: (place) => this.#shown.focus(place),
      step: (place, by) => this.#open(this.#shown.after(place, by)),
      correct: (place, suggestion) => this.#correct(place, suggestion),
    });
    const column = labelled(worded("column"), this.#column, "bar column");
    column.hidden = chosen.width === 1;
    const choices = element("div", "bar choices", column);
    choices.hidden = column.hidden && sheets.length === 1;
    if (sheets.length > 1) {
      const names = sheets.map((one) => new Option(one.name, "", false, one === chosen));
      const sheet = element("select", "", ...names);
      sheet.onchange = () => {
        if (this.mayLeave()) leave(sheets[sheet.selectedIndex]);
        else sheet.selectedIndex = sheets.indexOf(chosen);
      };
      choices.prepend(labelled(worded("sheet"), sheet, "bar column"));
    }
    const other = button("quiet", worded("other"), () => {
      if (this.mayLeave()) leave();
    });
    this.#head = element("div", "bar title", this.#title, choices, other);
    into.replaceChildren(
      this.#head,
      element("div", "bar actions", this.#go, this.#save, this.#saveSheet, this.#shown.filters),
      this.#progress.element,
      this.#notice.element,
      element("div", "bar summary", this.#summary.element, this.#copy),
      this.#details.element,
      this.#shown.element,
    );
    session.onRetry = (notice) => this.#now.run.onRetry(notice);
    this.#column.onchange = () => this.#choose(this.#column.selectedIndex);
    this.setLanguage();
  }

  /** How many results were paid for and not downloaded. */
  get #unsaved(): number {
    return [...this.#all.values()].reduce(
      (sum, { isSaved, results }) => sum + (isSaved ? 0 : results.counts.checked),
      0,
    );
  }

  get hasUnsaved(): boolean {
    return this.#unsaved > 0;
  }

  /** Asks before results that were paid for are discarded. */
  mayLeave(): boolean {
    if (!this.hasUnsaved) return true;
    const count = this.#unsaved.toLocaleString(language);
    return confirm(filled(batchTexts.leave, { count }));
  }

  focus(): void {
    if (this.#go.disabled) this.#column.focus();
    else this.#go.focus();
  }

  /** Resumes a run that a refused key had ended, now that there is another key. */
  resume(): void {
    if (this.#now.run.state === "key") this.#now.run.start();
    this.#shown.refresh();
  }

  print(): void {
    this.#shown.print();
  }

  close(): void {
    for (const { run } of this.#all.values()) run.abandon();
    clearTimeout(this.#timer);
  }

  setLanguage(): void {
    const words = batchTexts;
    this.#column.replaceChildren(...this.#now.numbers.options().map((text) => new Option(text)));
    this.#column.selectedIndex = this.#now.numbers.choice;
    translate(this.#head, words);
    const copy = copyButton(() => this.#shown.summary);
    this.#copy.replaceWith(copy);
    this.#copy = copy;
    this.#shown.show(this.#now.numbers, this.#now.results);
    this.#details.setLanguage();
    this.#show();
  }

  /** What is known of a choice of numbers. */
  #checkedOf(choice: number): CheckedSheet {
    const known = this.#all.get(choice);
    if (known !== undefined) return known;
    const numbers = new CheckedNumbers(this.#sheet, choice);
    const results = new Results(numbers.size);
    const check = rowChecks(this.#session);
    const run = new Run({
      rows: numbers.size,
      check: (first, count, signal) => {
        const asked = Array.from({ length: count }, (_, index) => numbers.number(first + index));
        return check(first, asked, signal);
      },
      onBatch: (first, verdicts) => {
        results.add(first, verdicts);
        checked.isSaved = false;
        this.#showSoon();
      },
      changed: () => this.#showSoon(),
    });
    const checked: CheckedSheet = { numbers, results, check, run, isSaved: false };
    this.#all.set(choice, checked);
    return checked;
  }

  /** Shows what is known of other numbers; a run stops, and can be resumed. */
  #choose(choice: number): void {
    this.#now.run.stop();
    this.#now = this.#checkedOf(choice);
    this.#fault = undefined;
    this.#progress.restart(this.#now.results.counts);
    this.#details.close();
    this.#shown.show(this.#now.numbers, this.#now.results);
    this.#show();
  }

  #startOrStop(): void {
    if (this.#now.run.isRunning) this.#now.run.stop();
    else {
      this.#progress.restart(this.#now.results.counts);
      this.#now.run.start();
    }
    this.#show();
  }

  #showSoon(): void {
    this.#timer ??= setTimeout(() => this.#show(), showIntervalMs);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const words = batchTexts;
    const rows = this.#sheet.rows.length;
    const count = this.#now.numbers.size.toLocaleString(language);
    const { state, isRunning } = this.#now.run;
    this.#title.textContent = `${this.#name ?? words.pasted} · ${rows === 1 ? words.row : filled(words.rows, { count: rows.toLocaleString(language) })}`;
    // The focus stays in the run's own row of buttons when its first one goes.
    const hadFocus = document.activeElement === this.#go;
    this.#go.hidden = state === "finished";
    this.#go.disabled = !this.#now.numbers.isChosen;
    this.#go.textContent = isRunning
      ? words.stop
      : state !== "ready"
        ? words.goOn
        : rows === 1
          ? words.startOne
          : filled(this.#now.numbers.perRow === 1 ? words.start : words.startEvery, { count });
    this.#save.hidden = this.#saveSheet.hidden = state === "ready";
    this.#save.disabled = this.#saveSheet.disabled = this.#isSaving;
    this.#save.title = this.#save.ariaLabel = this.#isSaving ? words.saving : words.saveCsv;
    this.#saveSheet.title = this.#saveSheet.ariaLabel = this.#isSaving ? words.saving : words.saveXlsx;
    if (hadFocus && this.#go.hidden) this.#save.focus();
    this.#progress.show(this.#now.results.counts, isRunning);
    const summary = state === "finished" ? this.#shown.summary : "";
    this.#summary.say(summary);
    this.#copy.hidden = summary === "";
    const fault = faultStates.find((one) => one === state) ?? this.#fault;
    const asked = this.#now.numbers.isChosen ? "" : words.whichColumn;
    this.#notice.say(
      fault === undefined ? this.#now.run.reason || asked : words[fault],
      fault !== undefined || state === "failed",
    );
    this.#shown.element.hidden = this.#shown.filters.hidden = !this.#now.numbers.isChosen;
    this.#shown.refresh();
  }

  #open(place: number | undefined): void {
    if (place === undefined) return;
    const { numbers, results } = this.#now;
    this.#details.open({ place, numbers, verdict: results.of(place) });
  }

  /** Puts a suggestion in the place of a number and checks it, which counts as one more check. */
  async #correct(place: number, suggestion: Suggestion): Promise<void> {
    const now = this.#now;
    const { numbers, results, check } = now;
    const corrected =
      "iban" in suggestion
        ? { iban: suggestion.iban }
        : { kontonummer: suggestion.kontonummer, bankleitzahl: suggestion.bankleitzahl };
    // The places of numbers are those of batches.
    const key = -1 - place;
    const signal = AbortSignal.timeout(maxCorrectionMs);
    results.add(place, await check(key, [{ ...numbers.number(place), ...corrected }], signal));
    numbers.correct(place, Object.values(corrected));
    now.isSaved = false;
    this.#show();
    if (now === this.#now && this.#details.place === place) this.#open(place);
  }

  async #download(form: "csv" | "xlsx"): Promise<void> {
    const count = this.#shown.rows?.length ?? this.#now.numbers.size;
    this.#fault = form === "xlsx" && count > maxSheetRows ? "sheetTooLong" : undefined;
    this.#isSaving = this.#fault === undefined;
    this.#show();
    if (!this.#isSaving) return;
    const name = (this.#name ?? "iban").replace(/\.\w{1,6}$/, "");
    const now = this.#now;
    const { numbers, results } = now;
    const { rows } = this.#shown;
    // What is found while the file is written may not be in it.
    if (count === numbers.size) now.isSaved = true;
    try {
      const content = await (form === "csv" ? csvOf : workbookOf)({ numbers, results, rows, language });
      save(content, `${name}-checked.${form}`);
    } catch {
      now.isSaved = false;
      this.#fault = "libraryMissing";
    }
    this.#isSaving = false;
    this.#show();
  }
}
