import { button, copyButton, element, iconButton, labelled, Notice, translate, worded } from "../element.ts";
import { save } from "../save.ts";
import type { Session } from "../session.ts";
import { batchTexts, filled, language } from "../words.ts";
import { CheckedNumbers, firstSheet, type Sheet } from "./columns.ts";
import { csvOf, maxSheetRows, workbookOf } from "./download.ts";
import { ResultTable } from "./result-table.ts";
import { summaryOf } from "./results.ts";
import { RowDetails } from "./row-details.ts";
import { Run } from "./run.ts";

/** How often the figures change, in milliseconds. */
const showIntervalMs = 100;
/** States in which the run waits or was stopped by the service. */
const faultStates = ["busy", "away", "key"] as const;

/** The rows of one file: their check, its progress and its results. */
export class Work {
  readonly table: ResultTable = new ResultTable((place) => this.#details.open(this.#run.numbers, place));
  readonly #session: Session;
  /** The name of the file; undefined for rows that were pasted. */
  readonly #name: string | undefined;
  readonly #title = element("h2", "");
  readonly #choices = element("div", "bar choices");
  readonly #column = element("select", "");
  readonly #go = button("", "", () => this.#startOrStop());
  readonly #save = iconButton("drop", "", () => void this.#download("csv"), "CSV");
  readonly #saveSheet = iconButton("drop", "", () => void this.#download("xlsx"), "XLSX");
  readonly #head: HTMLElement;
  readonly #notice = new Notice();
  /** The end of the run in one sentence. */
  readonly #summary = new Notice("");
  readonly #copy = element("span", "");
  readonly #progress = element("progress", "");
  readonly #checked = element("p", "progress");
  readonly #details: RowDetails;
  /** By choice: what was found of each choice of numbers is kept, since each check counts. */
  readonly #runs = new Map<Sheet["choices"][number], Run>();
  #run: Run;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSaving = false;
  #fault: "libraryMissing" | "sheetTooLong" | undefined;

  /** `leave` is called where other rows are wanted. */
  constructor(
    into: HTMLElement,
    session: Session,
    name: string | undefined,
    sheets: readonly Sheet[],
    leave: () => void,
  ) {
    this.#session = session;
    this.#name = name;
    const chosen = firstSheet(sheets);
    this.#run = this.#runOf(chosen, 0);
    this.#details = new RowDetails(session, this.table.shown, () => this.#show());
    session.onRetry = (notice) => this.#run.onRetry(notice);
    this.#column.onchange = () => this.#choose(this.#run.numbers.sheet, this.#column.selectedIndex);
    this.#choices.append(labelled(worded("column"), this.#column, "bar column"));
    if (sheets.length > 1) {
      const names = sheets.map((sheet) => new Option(sheet.name, "", false, sheet === chosen));
      const sheet = element("select", "", ...names);
      sheet.onchange = () => this.#choose(sheets[sheet.selectedIndex]!, 0);
      this.#choices.prepend(labelled(worded("sheet"), sheet, "bar column"));
    }
    const other = button("quiet", worded("other"), () => {
      if (this.mayLeave()) leave();
    });
    this.#head = element("div", "bar title", this.#title, this.#choices, other);
    into.replaceChildren(
      this.#head,
      element("div", "bar actions", this.#go, this.#save, this.#saveSheet, this.table.filters),
      element("div", "bar", this.#progress, this.#checked),
      this.#notice.element,
      element("div", "bar summary", this.#summary.element, this.#copy),
      this.#details.element,
      this.table.element,
    );
    this.show();
    (this.#go.disabled ? this.#column : this.#go).focus();
  }

  /** How many results were paid for and not downloaded. */
  get unsaved(): number {
    const left = [...this.#runs.values()].filter(({ numbers }) => !numbers.results.isSaved);
    return left.reduce((sum, { numbers }) => sum + numbers.results.counts.checked, 0);
  }

  /** Asks before results that were paid for are discarded. */
  mayLeave(): boolean {
    const count = this.unsaved;
    return count === 0 || confirm(filled(batchTexts.leave, { count: count.toLocaleString(language) }));
  }

  /** Resumes a run that a refused key had ended, now that there is another key. */
  resume(): void {
    if (this.#run.state === "key") this.#run.start();
    this.table.refresh();
  }

  close(): void {
    for (const run of this.#runs.values()) run.abandon();
    clearTimeout(this.#timer);
  }

  /** Shows the chosen numbers in the language of the page. */
  show(): void {
    const { numbers } = this.#run;
    const { choices, width } = numbers.sheet;
    translate(this.#head, batchTexts);
    this.#column.replaceChildren(...numbers.options().map((text) => new Option(text)));
    this.#column.selectedIndex = choices.indexOf(numbers.checked);
    this.#column.parentElement!.hidden = width === 1;
    this.#choices.hidden = width === 1 && this.#choices.children.length === 1;
    this.#copy.replaceChildren(copyButton(() => summaryOf(this.#run.numbers.results)));
    this.table.show(numbers);
    this.#details.show();
    this.#show();
  }

  #runOf(sheet: Sheet, choice: number): Run {
    const key = sheet.choices[choice]!;
    const known = this.#runs.get(key);
    if (known !== undefined) return known;
    const run = new Run(new CheckedNumbers(sheet, choice), this.#session, () => this.#showSoon());
    this.#runs.set(key, run);
    return run;
  }

  /** Shows what is known of other numbers; a run stops, and can be resumed. */
  #choose(sheet: Sheet, choice: number): void {
    this.#run.stop();
    this.#run = this.#runOf(sheet, choice);
    this.#fault = undefined;
    this.#details.close();
    this.show();
  }

  #startOrStop(): void {
    if (this.#run.isRunning) this.#run.stop();
    else this.#run.start();
    this.#show();
  }

  #showSoon(): void {
    this.#timer ??= setTimeout(() => this.#show(), showIntervalMs);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const words = batchTexts;
    const written = (count: number) => count.toLocaleString(language);
    const { numbers, state, isRunning, pace, reason } = this.#run;
    const { results, perRow } = numbers;
    const { checked, unchecked } = results.counts;
    const isChosen = numbers.checked.length > 0;
    const rows = numbers.sheet.rows.length;
    this.#title.textContent = `${this.#name ?? words.pasted} · ${rows === 1 ? words.row : filled(words.rows, { count: written(rows) })}`;
    // The focus stays in the run's own row of buttons when its first one goes.
    const hadFocus = document.activeElement === this.#go;
    this.#go.hidden = state === "finished";
    this.#go.disabled = !isChosen;
    this.#go.textContent = isRunning
      ? words.stop
      : state !== "ready"
        ? words.goOn
        : rows === 1
          ? words.startOne
          : filled(perRow === 1 ? words.start : words.startEvery, { count: written(results.size) });
    for (const [save, name] of [
      [this.#save, words.saveCsv],
      [this.#saveSheet, words.saveXlsx],
    ] as const) {
      save.hidden = state === "ready";
      save.disabled = this.#isSaving;
      save.title = save.ariaLabel = this.#isSaving ? words.saving : name;
    }
    if (hadFocus && this.#go.hidden) this.#save.focus();
    this.#progress.parentElement!.hidden = unchecked === 0 || (checked === 0 && !isRunning);
    this.#progress.ariaLabel = words.progress;
    this.#progress.max = results.size;
    this.#progress.value = checked;
    this.#checked.textContent =
      filled(words.checkedOf, { checked: written(checked), rows: written(results.size) }) +
      (isRunning && pace > 0 ? ` · ${filled(words.perSecond, { count: written(pace) })}` : "");
    const isFinished = state === "finished";
    this.#summary.say(isFinished ? summaryOf(results) : "");
    this.#copy.hidden = !isFinished;
    const fault = faultStates.find((one) => one === state) ?? this.#fault;
    const asked = isChosen ? "" : words.whichColumn;
    this.#notice.say(
      fault === undefined ? reason || asked : words[fault],
      fault !== undefined || state === "failed",
    );
    this.table.element.hidden = this.table.filters.hidden = !isChosen;
    this.table.refresh();
  }

  async #download(form: "csv" | "xlsx"): Promise<void> {
    const { numbers } = this.#run;
    const { results } = numbers;
    const { rows } = this.table.shown;
    this.#fault = form === "xlsx" && rows.length > maxSheetRows ? "sheetTooLong" : undefined;
    this.#isSaving = this.#fault === undefined;
    this.#show();
    if (!this.#isSaving) return;
    const name = (this.#name ?? "iban").replace(/\.\w{1,6}$/, "");
    // What is found while the file is written may not be in it.
    if (rows.length === results.size) results.isSaved = true;
    try {
      const content = await (form === "csv" ? csvOf : workbookOf)(numbers, rows);
      save(content, `${name}-checked.${form}`);
    } catch {
      results.isSaved = false;
      this.#fault = "libraryMissing";
    }
    this.#isSaving = false;
    this.#show();
  }
}
