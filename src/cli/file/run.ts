import { existsSync } from "node:fs";
import { BankcheckError } from "../../client/errors.ts";
import { RequestSender } from "../../client/sender.ts";
import { targetOf } from "../../process/files.ts";
import { InputError } from "../../rows/rows.ts";
import { type ConnectionOptions, connect, failureOf, fileDefaults } from "../connection.ts";
import { CommandFailure, exitCodes, systemSentence } from "../exit-codes.ts";
import { checkFile, type FileRunTools, RunEnded } from "./check-file.ts";
import { type RunOptions, type RunReport, runReport } from "./run-report.ts";
import { type FileRequest, partPath, type RowCounts, readState, removeState } from "./run-state.ts";

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
  const report = runReport(options);
  const earlier = await Promise.all(requests.map(earlierRun)).catch((error) => {
    throw failureOfRun(error, "");
  });
  // A continued run replaces old outputs as the run that began with --force would have.
  const isForced = earlier.some(({ state }) => state?.isForced);
  const { signal, release } = interruption();
  const { options: clientOptions, close } = await connect(options, fileDefaults, report.retry);
  const sender = new RequestSender(clientOptions);
  let areAllValid = true;
  const unreadable: string[] = [];
  try {
    for (const [place, given] of requests.entries()) {
      const { state, isThere } = earlier[place]!;
      const force = isForced || given.force === true;
      // A run over several files that has finished all of them keeps no state.
      const isDone = isThere && (state?.isComplete ?? !force);
      const isToCount = isDone && state === undefined && options.failOnInvalid === true;
      if (isDone && !isToCount) {
        report.note(`${given.output} is complete already.`);
        areAllValid &&= state === undefined || isAllRight(state.counts);
        continue;
      }
      const resume = given.resume === true && !isToCount;
      const request = { ...given, resume, force: force || isToCount };
      try {
        const counts = await runFile(request, { sender, signal, report });
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
    for (const { path } of earlier) if (path !== undefined) await removeState(path);
  } finally {
    await close();
    release();
  }
  if (options.failOnInvalid && !areAllValid) process.exitCode = exitCodes.notValid.code;
}

/** What an earlier run has left of one of several files; its state is next to what a link leads to. */
async function earlierRun({ resume, output = "", isOneOfSeveral }: FileRequest) {
  if (!isOneOfSeveral) return { isThere: false };
  const path = await targetOf(output);
  const isThere = resume === true && existsSync(path) && !existsSync(partPath(path));
  return { path, isThere, state: resume ? await readState(path) : undefined };
}

function isAllRight({ invalid, refused = {} }: RowCounts): boolean {
  return invalid === 0 && Object.keys(refused).length === 0;
}

/** Undefined where the reader of standard output has had enough. */
async function runFile(
  request: FileRequest,
  tools: FileRunTools & { readonly report: RunReport },
): Promise<RowCounts | undefined> {
  const { report, signal } = tools;
  try {
    const summary = await checkFile(request, tools).finally(report.end);
    report.summary(summary, request);
    return summary.counts;
  } catch (error) {
    const cause = error instanceof RunEnded ? error.cause : error;
    if ((cause as NodeJS.ErrnoException).code === "EPIPE") {
      const { output } = request;
      if (output === undefined) return undefined;
      const sentence = `The reader of ${output} closed it before all rows were written.`;
      throw new CommandFailure(sentence, exitCodes.givenUp.code);
    }
    const hint =
      error instanceof RunEnded && error.isResumable
        ? " Finished rows are kept: --resume continues from there."
        : "";
    if (signal.aborted) throw failureOfRun(signal.reason, hint);
    const isStopped = error instanceof RunEnded && request.badRows.kind === "stop";
    if (cause instanceof InputError && !isStopped) throw new UnreadableFile(cause.message + hint);
    throw failureOfRun(cause, hint);
  }
}

/** Aborted by the first SIGINT or SIGTERM; a later one ends the process at once. */
function interruption(): { readonly signal: AbortSignal; release(): void } {
  const stop = new AbortController();
  let first = 0;
  const interrupt = () => {
    if (stop.signal.aborted) {
      if (performance.now() - first < oneSignalMs) return;
      process.stderr.write("Interrupted again: stopped at once.\n");
      process.exit(exitCodes.interrupted.code);
    }
    first = performance.now();
    stop.abort(new CommandFailure("Interrupted.", exitCodes.interrupted.code));
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
  if (error instanceof CommandFailure) return new CommandFailure(error.message + hint, error.exitCode);
  const sentence = systemSentence(error);
  return sentence === undefined ? error : new CommandFailure(sentence + hint, exitCodes.givenUp.code);
}
