import { element } from "../element.ts";
import { save } from "../save.ts";
import type { Session } from "../session.ts";
import type { BatchAnswer, BatchEntry } from "./answer.ts";
import type { CsvTable } from "./csv-table.ts";
import { csvOf } from "./download.ts";
import { Progress } from "./progress.ts";
import { ResultTable } from "./result-table.ts";
import { Results } from "./results.ts";
import { Run } from "./run.ts";
import { batchSentences, batchTexts } from "./words.ts";

/** How often the figures change, in milliseconds. */
const showEvery = 100;
/** What tells that the run waits or was stopped by the service. */
const told = ["busy", "away", "key"] as const;

/** The rows of one file: their check, its progress and what it came to. */
export class Work {
  readonly #session: Session;
  readonly #name: string | undefined;
  readonly #table: CsvTable;
  readonly #title = element("h2", "");
  readonly #other = element("button", "quiet") as HTMLButtonElement;
  readonly #columnName = element("span", "");
  readonly #column = element("select", "") as HTMLSelectElement;
  readonly #go = element("button", "") as HTMLButtonElement;
  readonly #save = element("button", "quiet") as HTMLButtonElement;
  readonly #notice = element("p", "notice");
  readonly #progress: Progress;
  readonly #shown: ResultTable;
  #results: Results;
  #run: Run;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSaving = false;

  constructor(
    into: HTMLElement,
    session: Session,
    name: string | undefined,
    table: CsvTable,
    otherWanted: () => void,
  ) {
    this.#session = session;
    this.#name = name;
    this.#table = table;
    this.#results = new Results(table.rows.length);
    this.#shown = new ResultTable((row) => this.#iban(row));
    this.#run = this.#newRun();
    this.#notice.role = "status";
    this.#progress = new Progress(table.rows.length);
    const column = element("label", "column", this.#columnName, this.#column);
    column.hidden = table.width === 1;
    into.replaceChildren(
      element("div", "title", this.#title, this.#other),
      column,
      element("div", "actions", this.#go, this.#save, this.#progress.text),
      this.#progress.bar,
      this.#notice,
      this.#progress.figures,
      this.#shown.element,
    );
    this.#other.addEventListener("click", otherWanted);
    this.#go.addEventListener("click", () => this.#startOrStop());
    this.#save.addEventListener("click", () => void this.#download());
    this.#column.addEventListener("change", () => this.#begin());
    this.setLanguage();
  }

  focus(): void {
    if (this.#go.disabled) this.#column.focus();
    else this.#go.focus();
  }

  /** Goes on where a refused key had ended the run, as another one has been given. */
  resume(): void {
    if (this.#run.state === "key") this.#run.start();
    this.#shown.refresh();
  }

  close(): void {
    this.#run.stop();
    clearTimeout(this.#timer);
  }

  setLanguage(): void {
    const words = batchTexts[this.#session.language];
    const { column: named } = batchSentences[this.#session.language];
    const chosen = this.#column.value || String(this.#table.ibanColumn ?? "");
    const names = Array.from({ length: this.#table.width }, (_, index) => ({
      value: String(index),
      text: this.#table.header?.[index] || named(index + 1),
    }));
    const options = this.#table.ibanColumn === undefined ? [{ value: "", text: "–" }, ...names] : names;
    this.#column.replaceChildren(
      ...options.map(({ value, text }) => new Option(text, value, false, value === chosen)),
    );
    this.#columnName.textContent = words.column;
    this.#other.textContent = words.other;
    this.#shown.setLanguage(this.#session.language, this.#results);
    this.#show();
  }

  #iban(row: number): string {
    const column = this.#column.value === "" ? -1 : Number(this.#column.value);
    return this.#table.rows[row]?.[column] ?? "";
  }

  #newRun(): Run {
    const results = this.#results;
    return new Run({
      rows: this.#table.rows.length,
      iban: (row) => this.#iban(row),
      check: async (ibans, signal) => {
        const { batch } = await this.#session.ask<BatchAnswer>("/v1/iban", { ibans }, signal);
        return batch.results;
      },
      onBatch: (first, entries: readonly BatchEntry[]) => {
        results.add(first, entries);
        this.#progress.count(entries.length);
        this.#showSoon();
      },
      changed: () => this.#showSoon(),
    });
  }

  /** Forgets what was found, since another column holds the IBANs. */
  #begin(): void {
    this.#run.stop();
    this.#results = new Results(this.#table.rows.length);
    this.#run = this.#newRun();
    this.#shown.setLanguage(this.#session.language, this.#results);
    this.#show();
  }

  #startOrStop(): void {
    if (this.#run.isGoing) this.#run.stop();
    else {
      this.#progress.restart();
      this.#run.start();
    }
    this.#show();
  }

  #showSoon(): void {
    this.#timer ??= setTimeout(() => this.#show(), showEvery);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { language } = this.#session;
    const words = batchTexts[language];
    const sentences = batchSentences[language];
    const number = (value: number) => value.toLocaleString(language);
    const rows = this.#table.rows.length;
    const { state, isGoing } = this.#run;
    this.#title.textContent = `${this.#name ?? words.pasted} · ${sentences.rows(number(rows))}`;
    this.#go.hidden = state === "finished";
    this.#go.disabled = this.#column.value === "";
    this.#go.textContent = isGoing
      ? words.stop
      : state === "ready"
        ? sentences.start(number(rows))
        : words.goOn;
    this.#save.hidden = state === "ready";
    this.#save.disabled = this.#isSaving;
    this.#save.textContent = this.#isSaving ? words.saving : words.save;
    if (state === "ready") this.#progress.hide();
    else this.#progress.show(language, this.#results.counts, isGoing);
    const fault = told.find((one) => one === state);
    const asked = this.#column.value === "" ? words.whichColumn : "";
    this.#tell(
      fault === undefined ? this.#run.reason || asked : words[fault],
      fault !== undefined || state === "failed",
    );
    this.#shown.element.hidden = this.#column.value === "";
    this.#shown.refresh();
  }

  /** Changes the notice only where it says something else, since every change is read out. */
  #tell(text: string, isWrong: boolean): void {
    if (this.#notice.textContent !== text) this.#notice.textContent = text;
    this.#notice.classList.toggle("wrong", isWrong);
  }

  async #download(): Promise<void> {
    this.#isSaving = true;
    this.#show();
    const name = (this.#name ?? "iban").replace(/\.\w{1,4}$/, "");
    const messageOf = (entry: BatchEntry) => this.#shown.verdictOf(entry);
    save(await csvOf(this.#table, this.#results, this.#shown.rows, messageOf), `${name}-checked.csv`);
    this.#isSaving = false;
    this.#show();
  }
}
