import { existsSync } from "node:fs";
import { BankcheckError } from "../../client/errors.ts";
import type { RetryNotice } from "../../client/options.ts";
import { RequestSender } from "../../client/sender.ts";
import { verdictOf } from "../../contract/verdict.ts";
import { InputError } from "../../rows/rows.ts";
import {
  type ConnectionOptions,
  connect,
  failureOf,
  fileDefaults,
  retryText,
  writeNote,
} from "../connection.ts";
import { CommandFailure, exitCodes } from "../program.ts";
import { checkFile, type FileRunTools, RunEnded } from "./check-file.ts";
import {
  type FileRequest,
  type FileSummary,
  type ProgressFacts,
  partPath,
  type RowCounts,
  readState,
  removeState,
} from "./run-state.ts";

/** Options for reporting a run and for its exit code. */
export interface RunOptions {
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly failOnInvalid?: boolean;
}

class Interruption extends Error {}

/** A file that cannot be checked, whereas others can. */
class UnreadableFile extends CommandFailure {}

/** Signals that follow each other faster than this are one: some programs send theirs twice. */
const oneSignalMs = 1_000;

/**
 * Checks files one after the other. Of several, those that cannot be read are named and passed over. Throws a
 * CommandFailure that lists them, or for what ends the whole run: the service, the disk, a signal, `--bad-rows stop`.
 */
export async function runFiles(
  requests: readonly FileRequest[],
  options: ConnectionOptions & RunOptions,
): Promise<void> {
  const report = new RunReport(options);
  const { signal, release } = interruption(requests);
  const { options: clientOptions, close } = await connect(options, fileDefaults, (notice) =>
    report.retry(notice),
  );
  const sender = new RequestSender(clientOptions);
  let areAllValid = true;
  const unreadable: string[] = [];
  try {
    for (const request of requests) {
      const before = await doneBefore(request);
      const isToCount = before === "uncounted" && options.failOnInvalid === true;
      if (before !== undefined && !isToCount) {
        report.note(`${request.output} is complete already.`);
        areAllValid &&= before === "uncounted" || isAllRight(before);
        continue;
      }
      const asked = isToCount ? { ...request, resume: false, force: true } : request;
      try {
        const counts = await runFile(asked, { sender, signal }, report);
        areAllValid &&= counts === undefined || isAllRight(counts);
      } catch (error) {
        if (!(error instanceof UnreadableFile) || !request.isOneOfSeveral) throw error;
        report.warn(`${request.file}: ${error.message}`);
        unreadable.push(request.file);
      }
    }
    if (unreadable.length > 0) {
      const of = `${unreadable.length} of ${requests.length} files`;
      throw new CommandFailure(`${of} could not be checked: ${unreadable.join(", ")}.`);
    }
    for (const { output, isOneOfSeveral } of requests) if (isOneOfSeveral) await removeState(output ?? "");
  } finally {
    await close();
    release();
  }
  if (options.failOnInvalid && !areAllValid) process.exitCode = exitCodes.notValid.code;
}

/**
 * Returns what an earlier run over several files counted in this one, where it finished it: "uncounted"
 * where all of them were complete, after which the counts are not kept.
 */
async function doneBefore({
  resume,
  output = "",
  isOneOfSeveral,
}: FileRequest): Promise<RowCounts | "uncounted" | undefined> {
  if (!isOneOfSeveral || !resume || !existsSync(output) || existsSync(partPath(output))) return undefined;
  const state = await readState(output);
  if (state === undefined) return "uncounted";
  return state.isComplete ? state.counts : undefined;
}

function isAllRight({ invalid, refused = {} }: RowCounts): boolean {
  return invalid === 0 && Object.keys(refused).length === 0;
}

/** Undefined where the reader of standard output has had enough. */
async function runFile(
  request: FileRequest,
  tools: Pick<FileRunTools, "sender" | "signal">,
  report: RunReport,
): Promise<RowCounts | undefined> {
  try {
    const summary = await checkFile(request, {
      ...tools,
      onNote: (note) => report.note(note),
      onBegin: (facts) => report.begin(facts),
    });
    report.end();
    report.summary(summary, request);
    return summary.counts;
  } catch (error) {
    report.end();
    const cause = error instanceof RunEnded ? error.cause : error;
    if ((cause as NodeJS.ErrnoException).code === "EPIPE") {
      const { output = "-" } = request;
      if (output === "-") return undefined;
      const sentence = `The reader of ${output} closed it before all rows were written.`;
      throw new CommandFailure(sentence, exitCodes.givenUp.code);
    }
    const hint =
      error instanceof RunEnded && error.isResumable
        ? " Finished rows are kept: --resume continues from there."
        : "";
    if (tools.signal.aborted) throw failureOfRun(tools.signal.reason, hint);
    const isStopped = error instanceof RunEnded && request.badRows.kind === "stop";
    if (cause instanceof InputError && !isStopped) throw new UnreadableFile(cause.message + hint);
    throw failureOfRun(cause, hint);
  }
}

/** Aborted by the first SIGINT or SIGTERM; a later one ends the process at once. */
function interruption(requests: readonly FileRequest[]): {
  readonly signal: AbortSignal;
  release(): void;
} {
  const stop = new AbortController();
  let first = 0;
  const interrupt = () => {
    if (stop.signal.aborted) {
      if (performance.now() - first < oneSignalMs) return;
      process.stderr.write("Interrupted again: stopped at once.\n");
      process.exit(exitCodes.interrupted.code);
    }
    first = performance.now();
    stop.abort(new Interruption());
    // The run would wait for a source without a writer.
    if (requests.some(({ file }) => file === "-")) process.stdin.destroy();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, interrupt);
  const release = () => {
    for (const signal of signals) process.off(signal, interrupt);
  };
  return { signal: stop.signal, release };
}

function failureOfRun(error: unknown, hint: string): unknown {
  if (error instanceof InputError) return new CommandFailure(error.message + hint);
  if (error instanceof BankcheckError) return failureOf(error, hint);
  if (error instanceof Interruption) {
    return new CommandFailure(`Interrupted.${hint}`, exitCodes.interrupted.code);
  }
  if ((error as NodeJS.ErrnoException).syscall !== undefined) {
    return new CommandFailure(`${(error as Error).message}.${hint}`, exitCodes.givenUp.code);
  }
  return error;
}

/** Reports a run: on a terminal in one line that changes, otherwise in separate lines. */
class RunReport {
  readonly #options: RunOptions;
  /** Ends the line that changes. */
  #endLine: (() => void) | undefined;
  #waiting = { text: "", until: 0 };

  constructor(options: RunOptions) {
    this.#options = options;
  }

  begin(facts: () => ProgressFacts): void {
    if (!process.stderr.isTTY || this.#options.quiet) return;
    const show = () => {
      const { text, until } = this.#waiting;
      const line = performance.now() < until ? text : progressLine(facts());
      process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns ?? 120) - 1)}`);
    };
    const timer = setInterval(show, 200);
    this.#endLine = () => {
      clearInterval(timer);
      show();
      process.stderr.write("\n");
    };
  }

  retry(notice: RetryNotice): void {
    if (!notice.pausesAll || this.#options.quiet) return;
    if (this.#endLine === undefined) this.note(retryText(notice));
    else this.#waiting = { text: retryText(notice), until: performance.now() + notice.delay };
  }

  note(note: string): void {
    if (!this.#options.quiet) this.warn(note);
  }

  /** Writes what also those must know who want no notes. */
  warn(note: string): void {
    writeNote(note, this.#options);
  }

  end(): void {
    this.#endLine?.();
    this.#endLine = undefined;
  }

  summary(summary: FileSummary, { output }: FileRequest): void {
    const { quiet, json } = this.#options;
    const { counts, before, seconds } = summary;
    const perSecond = Math.round((counts.rows - before) / seconds);
    if (json) {
      const facts = { ...counts, rows_before: before, seconds, rows_per_second: perSecond };
      // Standard output belongs to the rows where they go there.
      const isTaken = output === undefined || output === "-";
      (isTaken ? process.stderr : process.stdout).write(`${JSON.stringify(facts)}\n`);
    } else if (!quiet) {
      process.stderr.write(summaryText(summary));
    }
  }
}

function summaryText({ counts, before, seconds }: FileSummary): string {
  const row = counts.rows === 1 ? "row" : "rows";
  const earlier = before === 0 ? "" : ` (${formatCount(before)} of them before)`;
  const reasons = Object.entries(counts.reasons)
    .sort(([, one], [, other]) => other - one)
    .map(([reason, times]) => countLine(reason, times));
  const doubtful = Object.entries(counts.reasons)
    .filter(([reason]) => verdictOf(false, reason) === "doubtful")
    .reduce((sum, [, times]) => sum + times, 0);
  const reserved = doubtful === 0 ? "" : `${formatCount(doubtful)} valid with a reservation, `;
  return (
    `Checked ${formatCount(counts.rows)} ${row}${earlier} in ${seconds.toFixed(1)} s: ` +
    `${formatCount(counts.valid)} valid, ${reserved}${formatCount(counts.invalid - doubtful)} invalid.\n${reasons.join("")}${refusedText(counts)}`
  );
}

function refusedText({ refused = {} }: RowCounts): string {
  const lines = Object.entries(refused).map(([what, times]) => countLine(what, times));
  return lines.length === 0
    ? ""
    : `Refused by the SEPA rulebooks, see the column rulebook:\n${lines.join("")}`;
}

function countLine(what: string, times: number): string {
  return `  ${formatCount(times).padStart(9)}  ${what}\n`;
}

const barWidth = 24;
const number = new Intl.NumberFormat("en");

/** Writes a number for people: `1,234,567`. */
function formatCount(value: number): string {
  return number.format(Math.round(value));
}

/** Returns one line that says how far a run is: bar, rows, rows/s, time left, the results, requests in flight. */
export function progressLine(facts: ProgressFacts): string {
  const { counts, before, share, shareBefore, seconds, concurrency } = facts;
  const parts = [
    `${formatCount(counts.rows)} rows`,
    `${formatCount((counts.rows - before) / Math.max(seconds, 0.001))}/s`,
    `valid ${formatCount(counts.valid)}`,
    `not ${formatCount(counts.invalid)}`,
    `in flight ≤ ${concurrency}`,
  ];
  if (share === undefined) return parts.join("  ");
  const filled = Math.round(share * barWidth);
  const bar = `${"█".repeat(filled)}${"░".repeat(barWidth - filled)}`;
  const left = share > shareBefore ? (seconds / (share - shareBefore)) * (1 - share) : undefined;
  return [
    bar,
    `${Math.floor(share * 100)} %`,
    ...parts,
    `left ${left === undefined ? "?" : clock(left)}`,
  ].join("  ");
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60), whole % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
