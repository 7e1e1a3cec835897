import { sendLines } from "../../client/answer-lines.ts";
import { BankcheckError } from "../../client/errors.ts";
import type { RetryNotice } from "../../client/options.ts";
import type { RequestSender } from "../../client/sender.ts";
import { maxBatchIbans } from "../../contract/limits.ts";
import type { AskedNumber } from "../../rows/read-number.ts";
import { linesPath, verdictOfLine } from "../../rows/verdict.ts";
import { language } from "../words.ts";
import type { RowVerdict } from "./results.ts";
import { rest } from "./slices.ts";

interface RunTask {
  readonly rows: number;
  /** Checks `count` rows from `first` on, however often the client has to ask; the signal ends that. */
  check(first: number, count: number, signal: AbortSignal): Promise<readonly RowVerdict[]>;
  onBatch(first: number, verdicts: readonly RowVerdict[]): void;
  changed(): void;
}

/** How a run is getting on; `key` and `failed` are stops that the service made. */
export type RunPhase = "ready" | "running" | "busy" | "away" | "stopped" | "key" | "failed" | "finished";

const inFlight = 4;
/** A service that fails on and on is not asked for ever. */
const maxFailures = 8;

/** Checks the rows of a table in batches; it can be stopped and continues where it was. */
export class Run {
  readonly #task: RunTask;
  #state: RunPhase = "ready";
  /** The sentence with which the service ended the run; empty while it has not. */
  reason = "";
  /** First rows of the batches that are to be asked about, in order. */
  readonly #left: number[];
  #asking = new AbortController();
  #lanes = 0;

  constructor(task: RunTask) {
    this.#task = task;
    this.#left = Array.from(
      { length: Math.ceil(task.rows / maxBatchIbans) },
      (_, batch) => batch * maxBatchIbans,
    );
  }

  get state(): RunPhase {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#state === "running" || this.#state === "busy" || this.#state === "away";
  }

  start(): void {
    if (this.isRunning || this.#state === "finished") return;
    if (this.#asking.signal.aborted) this.#asking = new AbortController();
    this.reason = "";
    this.#become("running");
    // Those that were in flight when it was stopped go on with the others.
    for (let more = inFlight - this.#lanes; more > 0; more--) void this.#runLane();
  }

  /** Sends nothing more, and takes the answers that are on their way, since the service counts them. */
  stop(): void {
    if (!this.isRunning) return;
    if (this.#state !== "running") this.#asking.abort();
    this.#become("stopped");
  }

  /** Stops, and forgets what is on its way; it cannot be started again. */
  abandon(): void {
    this.stop();
    this.#asking.abort();
  }

  /** Called when the client is about to wait and to send a batch again. */
  onRetry({ error, retry }: Pick<RetryNotice, "error" | "retry">): void {
    const isFailing = !error.isBusy && (error.httpStatus ?? 0) >= 500;
    if (isFailing && retry > maxFailures) this.#failed(error);
    if (!this.isRunning) this.#asking.abort();
    else this.#become(error.isBusy || isFailing ? "busy" : "away");
  }

  async #runLane(): Promise<void> {
    this.#lanes++;
    while (this.isRunning && this.#left.length > 0) {
      const first = this.#left.shift()!;
      const { signal } = this.#asking;
      try {
        const count = Math.min(maxBatchIbans, this.#task.rows - first);
        await rest();
        this.#task.onBatch(first, await this.#task.check(first, count, signal));
        if (this.isRunning) this.#become("running");
      } catch (error) {
        this.#left.push(first);
        this.#left.sort((one, other) => one - other);
        // What ended with a stop says nothing of the run that may have begun since.
        if (!signal.aborted) this.#failed(error);
      }
    }
    this.#lanes--;
    // A run that was stopped is finished where nothing was left.
    if (this.#lanes === 0 && this.#left.length === 0) this.#become("finished");
  }

  #failed(error: unknown): void {
    if (!this.isRunning) return;
    const { httpStatus, code } = error instanceof BankcheckError ? error : {};
    this.reason = (error as Error).message;
    this.#become(httpStatus === 401 || code === "invalid_key" ? "key" : "failed");
  }

  #become(state: RunPhase): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#task.changed();
  }
}

/**
 * Returns what has the service check the numbers of a batch, as lines of a stream; it resolves with their verdicts, in order,
 * and rejects as `Session.ask` does. A batch that is known by the same `key` continues where it failed, since each line counts.
 */
export function rowChecks(session: {
  ask<Answer>(call: (access: { readonly sender: RequestSender }) => Promise<Answer>): Promise<Answer>;
}) {
  const answered = new Map<number, string[]>();
  return async (
    key: number,
    numbers: readonly AskedNumber[],
    signal: AbortSignal,
  ): Promise<readonly RowVerdict[]> => {
    const asked = language;
    const path = linesPath(numbers.some((number) => "kontonummer" in number));
    const lines = numbers.map((number) => JSON.stringify(number));
    const answers = answered.get(key) ?? [];
    answered.set(key, answers);
    await session.ask(({ sender }) => sendLines(sender, lines, { path, signal, answers }));
    answered.delete(key);
    return answers.map((answer) => ({ ...verdictOfLine(JSON.parse(`{${answer}`)), language: asked }));
  };
}
