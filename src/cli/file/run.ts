import { BankcheckError } from "../../client/errors.ts";
import { senderOptions } from "../../client/options.ts";
import { RequestSender, type RetryNotice } from "../../client/sender.ts";
import { InputError } from "../../rows/rows.ts";
import { type ConnectionOptions, connect, failureOf, patient, retryText } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { byteCharacters } from "../fetch-over-http.ts";
import { CommandFailure } from "../program.ts";
import { checkFile, type FileRunTools, type FileSummary, RunEnded } from "./check-file.ts";
import type { FileRequest } from "./file-request.ts";
import { ProgressDisplay, told } from "./progress.ts";

/** What a person is told of a run, and its exit code. */
export interface RunOptions {
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly failOnInvalid?: boolean;
}

/** What ends a run that a person or the system stops. */
class Interruption extends Error {}

/** Signals that follow each other faster than this are one: some programs send theirs twice. */
const oneSignalMs = 1_000;

/** Checks files one after the other. Throws a CommandFailure for the first that cannot be finished. */
export async function runFiles(
  requests: readonly FileRequest[],
  options: ConnectionOptions & RunOptions,
): Promise<void> {
  const telling = new Telling(options);
  const signal = interruption(requests);
  const { options: clientOptions, close } = await connect(options, patient, byteCharacters, (notice) =>
    telling.retry(notice),
  );
  const sender = new RequestSender(senderOptions(clientOptions));
  let areAllValid = true;
  try {
    for (const request of requests) {
      const summary = await runFile(
        request,
        { sender, isOffline: options.offline === true, signal },
        telling,
      );
      areAllValid &&= summary === undefined || summary.counts.invalid === 0;
    }
  } finally {
    await close();
  }
  if (options.failOnInvalid && !areAllValid) process.exitCode = exitCodes.notValid.code;
}

/** Undefined where whoever read standard output has had enough. */
async function runFile(
  request: FileRequest,
  tools: Pick<FileRunTools, "sender" | "isOffline" | "signal">,
  telling: Telling,
): Promise<FileSummary | undefined> {
  try {
    const summary = await checkFile(request, {
      ...tools,
      onNote: (note) => telling.note(note),
      onBegin: (facts) => telling.begin(facts),
    });
    telling.end();
    telling.summary(summary, request);
    return summary;
  } catch (error) {
    telling.end();
    const cause = error instanceof RunEnded ? error.cause : error;
    if ((cause as NodeJS.ErrnoException).code === "EPIPE") return undefined;
    const hint =
      error instanceof RunEnded && error.isResumable
        ? " Finished rows are kept: --resume continues from there."
        : "";
    throw failureOfRun(tools.signal.aborted ? tools.signal.reason : cause, hint);
  }
}

/** Aborted by the first SIGINT or SIGTERM; a later one ends the process at once. */
function interruption(requests: readonly FileRequest[]): AbortSignal {
  const stop = new AbortController();
  let first = 0;
  const interrupt = () => {
    if (stop.signal.aborted) {
      if (performance.now() - first < oneSignalMs) return;
      process.stderr.write("Interrupted again: ended at once.\n");
      process.exit(exitCodes.interrupted.code);
    }
    first = performance.now();
    stop.abort(new Interruption());
    // A source that nobody writes to would be waited for.
    if (requests.some(({ file }) => file === "-")) process.stdin.destroy();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  return stop.signal;
}

function failureOfRun(error: unknown, hint: string): unknown {
  if (error instanceof InputError) return new CommandFailure(error.message + hint, exitCodes.unusable.code);
  if (error instanceof BankcheckError) return failureOf(error, hint);
  if (error instanceof Interruption) {
    return new CommandFailure(`Interrupted.${hint}`, exitCodes.interrupted.code);
  }
  if ((error as NodeJS.ErrnoException).syscall !== undefined) {
    return new CommandFailure(`${(error as Error).message}.${hint}`, exitCodes.givenUp.code);
  }
  return error;
}

/** Tells a person how a run goes: on a terminal in one line that changes, otherwise in lines of their own. */
class Telling {
  readonly #options: RunOptions;
  #display: ProgressDisplay | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  begin(facts: ConstructorParameters<typeof ProgressDisplay>[1]): void {
    if (process.stderr.isTTY && !this.#options.quiet)
      this.#display = new ProgressDisplay(process.stderr, facts);
  }

  retry(notice: RetryNotice): void {
    if (!notice.pausesAll || this.#options.quiet) return;
    if (this.#display === undefined) process.stderr.write(`${retryText(notice)}\n`);
    else this.#display.waiting(retryText(notice), notice.delay);
  }

  note(note: string): void {
    if (!this.#options.quiet) process.stderr.write(`${note}\n`);
  }

  end(): void {
    this.#display?.end();
    this.#display = undefined;
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
      process.stderr.write(summaryText(summary, perSecond));
    }
  }
}

function summaryText({ counts, before, seconds }: FileSummary, perSecond: number): string {
  const earlier = before === 0 ? "" : `, ${told(before)} of them before`;
  const reasons = Object.entries(counts.reasons)
    .sort(([, one], [, other]) => other - one)
    .map(([reason, times]) => `  ${told(times).padStart(9)}  ${reason}\n`);
  return (
    `${told(counts.rows)} rows${earlier}, in ${seconds.toFixed(1)} s (${told(perSecond)} rows/s): ` +
    `${told(counts.valid)} valid, ${told(counts.invalid)} not.\n${reasons.join("")}`
  );
}
