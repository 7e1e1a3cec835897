import { button, copyButton, element, iconButton, labelled, Notice, translate, worded } from "../element.ts";
import { save } from "../save.ts";
import type { Session } from "../session.ts";
import { filled, language, batchTexts as words } from "../words.ts";
import { CheckedNumbers, firstSheet, type Sheet } from "./columns.ts";
import { csvOf, maxSheetRows, workbookOf } from "./download.ts";
import { resultTable } from "./result-table.ts";
import { summaryOf } from "./results.ts";
import { rowDetails } from "./row-details.ts";
import { Run } from "./run.ts";

const showIntervalMs = 100;
/** States in which the run waits or was stopped by the service. */
const faultStates = ["busy", "away", "key"] as const;

export type Work = ReturnType<typeof openWork>;

/**
 * Shows the rows of one file: their check, its progress and its results. `name` is that of the file, undefined for rows that
 * were pasted; `leave` is called where others are wanted.
 */
export function openWork(
  into: HTMLElement,
  session: Session,
  name: string | undefined,
  sheets: readonly Sheet[],
  leave: () => void,
) {
  /** By choice: what was found of each choice of numbers is kept, since each check counts. */
  const runs = new Map<Sheet["choices"][number], Run>();
  const chosen = firstSheet(sheets);
  let run = runOf(chosen, 0);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSaving = false;
  let fault: "libraryMissing" | "sheetTooLong" | undefined;

  const table = resultTable((place) => details.open(run.numbers, place));
  const details = rowDetails(session, table.shown, showRun);
  const title = element("h2", "");
  const column = element("select", "");
  const choices = element("div", "bar choices", labelled(worded("column"), column, "bar column"));
  column.onchange = () => choose(run.numbers.sheet, column.selectedIndex);
  if (sheets.length > 1) {
    const names = sheets.map((sheet) => new Option(sheet.name, "", false, sheet === chosen));
    const sheet = element("select", "", ...names);
    sheet.onchange = () => choose(sheets[sheet.selectedIndex]!, 0);
    choices.prepend(labelled(worded("sheet"), sheet, "bar column"));
  }
  const head = element("div", "bar title", title, choices, button("quiet", worded("other"), leave));
  const go = button("", "", () => {
    if (run.isRunning) run.stop();
    else run.start();
    showRun();
  });
  const saveCsv = iconButton("drop", "", () => void download("csv"), "CSV");
  const saveSheet = iconButton("drop", "", () => void download("xlsx"), "XLSX");
  const progress = element("progress", "");
  const checkedText = element("p", "progress");
  const progressBar = element("div", "bar", progress, checkedText);
  const notice = new Notice();
  const summary = new Notice("");
  const copy = element("span", "");
  into.replaceChildren(
    head,
    element("div", "bar actions", go, saveCsv, saveSheet, table.filters),
    progressBar,
    notice.element,
    element("div", "bar summary", summary.element, copy),
    details.element,
    table.element,
  );
  session.onRetry = (retry) => run.onRetry(retry);
  show();
  (go.disabled ? column : go).focus();

  /** How many results were paid for and not downloaded. */
  function unsaved(): number {
    const left = [...runs.values()].filter(({ numbers }) => !numbers.results.isSaved);
    return left.reduce((sum, { numbers }) => sum + numbers.results.counts.checked, 0);
  }

  /** Asks before results that were paid for are discarded. */
  function mayLeave(): boolean {
    const count = unsaved();
    return count === 0 || confirm(filled(words.leave, { count: count.toLocaleString(language) }));
  }

  /** Resumes a run that a refused key had ended, now that there is another key. */
  function resume(): void {
    if (run.state === "key") run.start();
    void table.refresh();
  }

  function close(): void {
    for (const each of runs.values()) each.abandon();
    clearTimeout(timer);
  }

  function show(): void {
    const { numbers } = run;
    const { choices: all, width } = numbers.sheet;
    translate(head, words);
    column.replaceChildren(...numbers.options().map((text) => new Option(text)));
    column.selectedIndex = all.indexOf(numbers.checked);
    column.parentElement!.hidden = width === 1;
    choices.hidden = width === 1 && sheets.length === 1;
    copy.replaceChildren(copyButton(() => summaryOf(run.numbers.results)));
    table.show(numbers);
    details.show();
    showRun();
  }

  function runOf(sheet: Sheet, choice: number): Run {
    const key = sheet.choices[choice]!;
    const known = runs.get(key) ?? new Run(new CheckedNumbers(sheet, choice), session, showSoon);
    runs.set(key, known);
    return known;
  }

  /** Shows what is known of other numbers; a run stops, and can be resumed. */
  function choose(sheet: Sheet, choice: number): void {
    run.stop();
    run = runOf(sheet, choice);
    fault = undefined;
    details.close();
    show();
  }

  function showSoon(): void {
    timer ??= setTimeout(showRun, showIntervalMs);
  }

  function showRun(): void {
    clearTimeout(timer);
    timer = undefined;
    const written = (count: number) => count.toLocaleString(language);
    const { numbers, state, isRunning, pace, reason } = run;
    const { results, perRow } = numbers;
    const { checked, unchecked } = results.counts;
    const isChosen = numbers.checked.length > 0;
    const rows = numbers.sheet.rows.length;
    title.textContent = `${name ?? words.pasted} · ${rows === 1 ? words.row : filled(words.rows, { count: written(rows) })}`;
    // The focus stays in the run's own row of buttons when its first one goes.
    const hadFocus = document.activeElement === go;
    const isFinished = state === "finished";
    go.hidden = isFinished;
    go.disabled = !isChosen;
    go.textContent = isRunning
      ? words.stop
      : state !== "ready"
        ? words.goOn
        : rows === 1
          ? words.startOne
          : filled(perRow === 1 ? words.start : words.startEvery, { count: written(results.size) });
    for (const [save, text] of [
      [saveCsv, words.saveCsv],
      [saveSheet, words.saveXlsx],
    ] as const) {
      save.hidden = state === "ready";
      save.disabled = isSaving;
      save.title = save.ariaLabel = isSaving ? words.saving : text;
    }
    if (hadFocus && isFinished) saveCsv.focus();
    progressBar.hidden = unchecked === 0 || (checked === 0 && !isRunning);
    progress.ariaLabel = words.progress;
    progress.max = results.size;
    progress.value = checked;
    checkedText.textContent =
      filled(words.checkedOf, { checked: written(checked), rows: written(results.size) }) +
      (isRunning && pace > 0 ? ` · ${filled(words.perSecond, { count: written(pace) })}` : "");
    summary.say(isFinished ? summaryOf(results) : "");
    copy.hidden = !isFinished;
    const said = faultStates.find((one) => one === state) ?? fault;
    const asked = isChosen ? "" : words.whichColumn;
    notice.say(said === undefined ? reason || asked : words[said], said !== undefined || state === "failed");
    table.element.hidden = table.filters.hidden = !isChosen;
    void table.refresh();
  }

  async function download(form: "csv" | "xlsx"): Promise<void> {
    const { numbers } = run;
    const { results } = numbers;
    const rows = table.shown.rows();
    fault = form === "xlsx" && rows.length > maxSheetRows ? "sheetTooLong" : undefined;
    isSaving = fault === undefined;
    showRun();
    if (!isSaving) return;
    // What is found while the file is written may not be in it.
    if (rows.length === results.size) results.isSaved = true;
    try {
      const content = await (form === "csv" ? csvOf : workbookOf)(numbers, rows);
      save(content, `${(name ?? "iban").replace(/\.\w{1,6}$/, "")}-checked.${form}`);
    } catch {
      results.isSaved = false;
      fault = "libraryMissing";
    }
    isSaving = false;
    showRun();
  }

  return { print: table.print, unsaved, mayLeave, resume, close, show };
}
