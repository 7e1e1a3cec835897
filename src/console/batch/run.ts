import { sendLines } from "../../client/answer-lines.ts";
import { BankcheckError } from "../../client/errors.ts";
import type { RetryNotice } from "../../client/options.ts";
import type { RequestSender } from "../../client/sender.ts";
import { maxBatchIbans } from "../../contract/limits.ts";
import type { AskedNumber } from "../../rows/read-number.ts";
import { linesPath, verdictOfLine } from "../../rows/verdict.ts";
import { language } from "../words.ts";
import type { CheckedNumbers } from "./columns.ts";
import type { RowVerdict } from "./results.ts";
import { rest } from "./slices.ts";

/** How a run is getting on; `key` and `failed` are stops that the service made. */
export type RunPhase = "ready" | "running" | "busy" | "away" | "stopped" | "key" | "failed" | "finished";

/** Asks the service as `Session` does. */
interface Asking {
  ask<Answer>(call: (access: { readonly sender: RequestSender }) => Promise<Answer>): Promise<Answer>;
}

const inFlight = 4;
/** A service that fails on and on is not asked for ever. */
const maxFailures = 8;

/** Checks numbers in batches; it can be stopped and continues where it was. */
export class Run {
  readonly numbers: CheckedNumbers;
  state: RunPhase = "ready";
  /** The sentence with which the service ended the run; empty while it has not. */
  reason = "";
  readonly #session: Asking;
  readonly #changed: () => void;
  /** The batches that are to be asked about, each with what was answered before it failed. */
  readonly #left: { readonly first: number; readonly answers: string[] }[] = [];
  #asking = new AbortController();
  #lanes = 0;
  /** When it was started last, and how many were checked by then. */
  #began = 0;
  #before = 0;

  /** `changed` is called when there is something new to show. */
  constructor(numbers: CheckedNumbers, session: Asking, changed: () => void) {
    this.numbers = numbers;
    this.#session = session;
    this.#changed = changed;
    for (let first = 0; first < numbers.results.size; first += maxBatchIbans)
      this.#left.push({ first, answers: [] });
  }

  get isRunning(): boolean {
    return this.state === "running" || this.state === "busy" || this.state === "away";
  }

  /** How many numbers were checked per second since it was started. */
  get pace(): number {
    const seconds = Math.max(0.25, (performance.now() - this.#began) / 1_000);
    return Number(((this.numbers.results.counts.checked - this.#before) / seconds).toPrecision(2));
  }

  start(): void {
    if (this.isRunning || this.state === "finished") return;
    if (this.#asking.signal.aborted) this.#asking = new AbortController();
    this.reason = "";
    this.#began = performance.now();
    this.#before = this.numbers.results.counts.checked;
    this.#become("running");
    // Those that were in flight when it was stopped go on with the others.
    for (let more = inFlight - this.#lanes; more > 0; more--) void this.#runLane();
  }

  /** Sends nothing more, and takes the answers that are on their way, since the service counts them. */
  stop(): void {
    if (!this.isRunning) return;
    if (this.state !== "running") this.#asking.abort();
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
    const { results } = this.numbers;
    this.#lanes++;
    while (this.isRunning && this.#left.length > 0) {
      const batch = this.#left.shift()!;
      const { first, answers } = batch;
      const { signal } = this.#asking;
      try {
        await rest();
        const length = Math.min(maxBatchIbans, results.size - first);
        const asked = Array.from({ length }, (_, index) => this.numbers.read(first + index).number);
        results.add(first, await checkNumbers(this.#session, asked, signal, answers));
        if (this.isRunning) this.state = "running";
        this.#changed();
      } catch (error) {
        this.#left.unshift(batch);
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
    this.state = state;
    this.#changed();
  }
}

/**
 * Has the service check numbers, as lines of a stream; resolves with their verdicts, in order, and rejects as `Session.ask`
 * does. With the same `answers` a call that failed is continued, since each line counts.
 */
export async function checkNumbers(
  session: Asking,
  numbers: readonly AskedNumber[],
  signal: AbortSignal,
  answers: string[] = [],
): Promise<readonly RowVerdict[]> {
  const asked = language;
  const path = linesPath(numbers.some((number) => "kontonummer" in number));
  const lines = numbers.map((number) => JSON.stringify(number));
  await session.ask(({ sender }) => sendLines(sender, lines, { path, signal, answers }));
  return answers.map((answer) => ({ ...verdictOfLine(JSON.parse(`{${answer}`)), language: asked }));
}
