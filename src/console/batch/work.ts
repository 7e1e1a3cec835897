import { button, element, labelled, Notice } from "../element.ts";
import { save } from "../save.ts";
import type { Session } from "../session.ts";
import { batchTexts, filled } from "../words.ts";
import { CheckedNumbers, type Sheet } from "./columns.ts";
import { csvOf, workbookOf } from "./download.ts";
import { ResultTable } from "./result-table.ts";
import { Progress, Results } from "./results.ts";
import { RowDetails } from "./row-details.ts";
import { RowChecks, Run } from "./run.ts";

/** How often the figures change, in milliseconds. */
const showIntervalMs = 100;
/** States in which the run waits or was stopped by the service. */
const faultStates = ["busy", "away", "key"] as const;
/** Spreadsheets of more rows take a browser too long. */
const maxSheetRows = 100_000;

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
  readonly #other: HTMLElement;
  readonly #sheetName = new Text();
  readonly #columnName = new Text();
  readonly #column = element("select", "");
  readonly #go = button("", "", () => this.#startOrStop());
  readonly #save = button("quiet", "", () => void this.#download("csv"));
  readonly #saveSheet = button("quiet", "", () => void this.#download("xlsx"));
  readonly #notice = new Notice();
  /** The end of the run in one sentence, for a screen reader. */
  readonly #spoken = new Notice("offscreen");
  readonly #progress = new Progress();
  readonly #shown: ResultTable;
  readonly #details: RowDetails;
  #rowChecks = this.#newRowChecks();
  #results: Results;
  #run: Run;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #numbers: CheckedNumbers;
  #isSaving = false;
  #fault: "libraryMissing" | "sheetTooLong" | undefined;
  #isSaved = false;

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
    this.#numbers = new CheckedNumbers(chosen);
    this.#results = new Results(chosen.rows.length);
    this.#shown = new ResultTable((row) => void this.#details.open(row, this.#numbers));
    this.#details = new RowDetails(session, (row) => this.#shown.focus(row));
    this.#run = this.#newRun();
    const column = labelled(this.#columnName, this.#column, "bar column");
    column.hidden = chosen.width === 1;
    const choices = element("div", "bar choices", column);
    choices.hidden = column.hidden && sheets.length === 1;
    if (sheets.length > 1) {
      const names = sheets.map((one) => new Option(one.name, "", false, one === chosen));
      const sheet = element("select", "", ...names);
      sheet.addEventListener("change", () => {
        if (this.mayLeave()) leave(sheets[sheet.selectedIndex]);
        else sheet.selectedIndex = sheets.indexOf(chosen);
      });
      choices.prepend(labelled(this.#sheetName, sheet, "bar column"));
    }
    this.#other = button("quiet", "", () => {
      if (this.mayLeave()) leave();
    });
    into.replaceChildren(
      element("div", "bar title", this.#title, this.#other),
      choices,
      element("div", "bar actions", this.#go, this.#save, this.#saveSheet, this.#progress.text),
      this.#progress.bar,
      this.#notice.element,
      this.#spoken.element,
      this.#progress.figures,
      this.#details.element,
      this.#shown.element,
    );
    this.#column.addEventListener("change", () => {
      if (!this.mayLeave()) this.#column.selectedIndex = this.#numbers.choice;
      else this.#begin(this.#column.selectedIndex);
    });
    this.setLanguage();
  }

  /** Whether there are results that were paid for and not downloaded. */
  get hasUnsaved(): boolean {
    return this.#results.counts.checked > 0 && !this.#isSaved;
  }

  /** Asks before results that were paid for are discarded. */
  mayLeave(): boolean {
    if (!this.hasUnsaved) return true;
    const { language } = this.#session;
    const { checked } = this.#results.counts;
    const { leave, leaveOne } = batchTexts[language];
    return confirm(checked === 1 ? leaveOne : filled(leave, { count: checked.toLocaleString(language) }));
  }

  focus(): void {
    if (this.#go.disabled) this.#column.focus();
    else this.#go.focus();
  }

  /** Resumes a run that a refused key had ended, now that there is another key. */
  resume(): void {
    if (this.#run.state === "key") this.#run.start();
    this.#shown.refresh();
  }

  print(): void {
    this.#shown.print();
  }

  close(): void {
    this.#run.abandon();
    clearTimeout(this.#timer);
  }

  setLanguage(): void {
    const { language } = this.#session;
    const words = batchTexts[language];
    this.#column.replaceChildren(...this.#numbers.options(language).map((text) => new Option(text)));
    this.#column.selectedIndex = this.#numbers.choice;
    this.#sheetName.textContent = words.sheet;
    this.#columnName.textContent = words.column;
    this.#other.textContent = words.other;
    this.#shown.show(this.#numbers, this.#results, language);
    this.#details.setLanguage();
    this.#show();
  }

  #newRowChecks(): RowChecks {
    return new RowChecks((call) => this.#session.ask(call));
  }

  #newRun(): Run {
    const results = this.#results;
    return new Run({
      rows: this.#sheet.rows.length,
      check: (first, count, signal) => {
        const numbers = Array.from({ length: count }, (_, index) => this.#numbers.number(first + index));
        return this.#rowChecks.check(first, numbers, signal);
      },
      onBatch: (first, verdicts) => {
        results.add(first, verdicts);
        this.#isSaved = false;
        this.#progress.count(verdicts.length);
        this.#showSoon();
      },
      changed: () => this.#showSoon(),
    });
  }

  /** Forgets what was found, since other columns are to be checked. */
  #begin(choice: number): void {
    this.#numbers = new CheckedNumbers(this.#sheet, choice);
    this.#run.abandon();
    this.#rowChecks = this.#newRowChecks();
    this.#fault = undefined;
    this.#results = new Results(this.#sheet.rows.length);
    this.#run = this.#newRun();
    this.#details.close();
    this.#shown.show(this.#numbers, this.#results, this.#session.language);
    this.#show();
  }

  #startOrStop(): void {
    if (this.#run.isRunning) this.#run.stop();
    else {
      this.#progress.restart();
      this.#run.start();
    }
    this.#show();
  }

  #showSoon(): void {
    this.#timer ??= setTimeout(() => this.#show(), showIntervalMs);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { language } = this.#session;
    const words = batchTexts[language];
    const rows = this.#sheet.rows.length;
    const count = rows.toLocaleString(language);
    const { state, isRunning } = this.#run;
    this.#title.textContent = `${this.#name ?? words.pasted} · ${rows === 1 ? words.row : filled(words.rows, { count })}`;
    // The focus stays in the run's own row of buttons when its first one goes.
    const hadFocus = document.activeElement === this.#go;
    this.#go.hidden = state === "finished";
    this.#go.disabled = !this.#numbers.isChosen;
    this.#go.textContent = isRunning
      ? words.stop
      : state !== "ready"
        ? words.goOn
        : rows === 1
          ? words.startOne
          : filled(words.start, { count });
    this.#save.hidden = this.#saveSheet.hidden = state === "ready";
    this.#save.disabled = this.#isSaving;
    this.#saveSheet.disabled = this.#isSaving;
    this.#save.textContent = this.#isSaving ? words.saving : words.saveCsv;
    this.#saveSheet.textContent = words.saveXlsx;
    if (hadFocus && this.#go.hidden) this.#save.focus();
    if (state === "ready") this.#progress.hide();
    else this.#progress.show(language, this.#results.counts, isRunning);
    this.#announceEnd();
    const fault = faultStates.find((one) => one === state) ?? this.#fault;
    const asked = this.#numbers.isChosen ? "" : words.whichColumn;
    this.#notice.say(
      fault === undefined ? this.#run.reason || asked : words[fault],
      fault !== undefined || state === "failed",
    );
    this.#shown.element.hidden = !this.#numbers.isChosen;
    this.#shown.refresh();
  }

  #announceEnd(): void {
    const { language } = this.#session;
    const { valid, invalid } = this.#results.counts;
    const number = (value: number) => value.toLocaleString(language);
    const rows = this.#sheet.rows.length;
    const values = { count: number(rows), valid: number(valid), invalid: number(invalid) };
    const { done, doneOne } = batchTexts[language];
    this.#spoken.say(this.#run.state === "finished" ? filled(rows === 1 ? doneOne : done, values) : "");
  }

  async #download(form: "csv" | "xlsx"): Promise<void> {
    const count = this.#shown.rows?.length ?? this.#sheet.rows.length;
    this.#fault = form === "xlsx" && count > maxSheetRows ? "sheetTooLong" : undefined;
    this.#isSaving = this.#fault === undefined;
    this.#show();
    if (!this.#isSaving) return;
    const name = (this.#name ?? "iban").replace(/\.\w{1,4}$/, "");
    const isWhole = this.#shown.rows === undefined;
    try {
      const content = await (form === "csv" ? csvOf : workbookOf)({
        numbers: this.#numbers,
        results: this.#results,
        rows: this.#shown.rows,
        edition: this.#rowChecks.edition,
        language: this.#session.language,
        messageOf: (verdict) => this.#shown.verdictOf(verdict),
      });
      save(content, `${name}-checked.${form}`);
      this.#isSaved = isWhole;
    } catch {
      this.#fault = "libraryMissing";
    }
    this.#isSaving = false;
    this.#show();
  }
}
