import { BankcheckError } from "../../client/errors.ts";
import { pause } from "../../client/options.ts";
import { type RequestSender, sendLines } from "../../client/sender.ts";
import { maxBatchIbans } from "../../contract/limits.ts";
import type { AskedNumber } from "../../rows/read-number.ts";
import { linesPath, type Verdict, verdictOfLine } from "../../rows/verdict.ts";

interface RunTask {
  readonly rows: number;
  /** Checks `count` rows from `first` on. */
  check(first: number, count: number, signal: AbortSignal): Promise<readonly Verdict[]>;
  onBatch(first: number, verdicts: readonly Verdict[]): void;
  changed(): void;
}

/** How a run is getting on; `key` and `failed` are stops that the service made. */
export type RunPhase = "ready" | "running" | "busy" | "away" | "stopped" | "key" | "failed" | "finished";

const inFlight = 4;
const minPauseMs = 1_000;
const maxPauseMs = 8_000;
const maxFailures = 8;

/** Checks the rows of a table in batches; it can be stopped and continues where it was. */
export class Run {
  readonly #task: RunTask;
  #state: RunPhase = "ready";
  #reason = "";
  #next = 0;
  /** First rows of batches that a stop has interrupted. */
  readonly #again: number[] = [];
  /** Batches that have been taken and not yet answered or returned. */
  #asking = 0;
  /** Ends waiting; batches in flight are still answered, since the service counts them. */
  #waiting = new AbortController();
  readonly #leaving = new AbortController();
  #lanes = 0;
  #askFrom = 0;
  #failures = 0;

  constructor(task: RunTask) {
    this.#task = task;
  }

  get state(): RunPhase {
    return this.#state;
  }

  /** The sentence with which the service ended the run; empty while it has not. */
  get reason(): string {
    return this.#reason;
  }

  get isRunning(): boolean {
    return this.#state === "running" || this.#state === "busy" || this.#state === "away";
  }

  start(): void {
    if (this.isRunning || this.#state === "finished") return;
    this.#waiting = new AbortController();
    this.#reason = "";
    this.#failures = 0;
    this.#askFrom = 0;
    this.#become("running");
    // Those that were in flight when it was stopped go on with the others.
    for (let more = inFlight - this.#lanes; more > 0; more--) void this.#runLane();
  }

  /** Sends nothing more, and takes the answers that are on their way. */
  stop(): void {
    if (this.isRunning) this.#halt("stopped");
  }

  /** Stops, and forgets what is on its way; it cannot be started again. */
  abandon(): void {
    this.stop();
    this.#leaving.abort();
  }

  async #runLane(): Promise<void> {
    this.#lanes++;
    for (let first = this.#take(); first !== undefined; first = this.#take()) {
      this.#asking++;
      const verdicts = await this.#answered(first);
      this.#asking--;
      if (verdicts === undefined && !this.isRunning) break;
      if (verdicts === undefined) continue;
      this.#task.onBatch(first, verdicts);
      this.#failures = 0;
      if (!this.isRunning) break;
      this.#become("running");
    }
    this.#lanes--;
    this.#settle();
  }

  /** A run that was stopped is finished where nothing was left. */
  #settle(): void {
    const isDone = this.#asking === 0 && this.#again.length === 0 && this.#next >= this.#task.rows;
    if (isDone && this.#state !== "key" && this.#state !== "failed") this.#become("finished");
  }

  #take(): number | undefined {
    if (!this.isRunning) return undefined;
    const again = this.#again.shift();
    if (again !== undefined) return again;
    if (this.#next >= this.#task.rows) return undefined;
    const first = this.#next;
    this.#next += maxBatchIbans;
    return first;
  }

  /** Asks about the batch from `first` on until it is answered; undefined once the run is halted. */
  async #answered(first: number): Promise<readonly Verdict[] | undefined> {
    const count = Math.min(maxBatchIbans, this.#task.rows - first);
    while (true) {
      const { signal } = this.#waiting;
      await until(() => this.#askFrom, signal);
      if (!this.isRunning) return this.#giveBack(first);
      try {
        const verdicts = await this.#task.check(first, count, this.#leaving.signal);
        return this.#leaving.signal.aborted ? undefined : verdicts;
      } catch (error) {
        if (this.#leaving.signal.aborted) return undefined;
        // A failure after a stop says nothing of the run that may have begun since.
        if (signal.aborted) return this.#giveBack(first);
        this.#failed(error);
        if (!this.isRunning) return this.#giveBack(first);
      }
    }
  }

  #giveBack(first: number): undefined {
    this.#again.push(first);
    this.#again.sort((one, other) => one - other);
    return undefined;
  }

  /** Sets the pause after which all batches are sent again, or halts. */
  #failed(error: unknown): void {
    const now = performance.now();
    const pause = Math.min(maxPauseMs, minPauseMs * 2 ** this.#failures);
    const {
      httpStatus = 0,
      isBusy,
      code,
    } = error instanceof BankcheckError ? error : new BankcheckError("unreachable", String(error));
    if (isBusy) {
      const { retryAfter } = error as BankcheckError;
      this.#askFrom = Math.max(this.#askFrom, now + (retryAfter ?? pause));
      this.#become("busy");
    } else if (code === "unreachable" || code === "timed_out") {
      // The batches in flight fail together: that is one failure.
      if (now >= this.#askFrom) this.#failures++;
      this.#askFrom = Math.max(this.#askFrom, now + pause);
      this.#become("away");
    } else if (httpStatus >= 500 && this.#failures < maxFailures) {
      this.#failures++;
      this.#askFrom = Math.max(this.#askFrom, now + pause);
      this.#become("busy");
    } else {
      this.#reason = (error as Error).message;
      this.#halt(httpStatus === 401 || code === "invalid_key" ? "key" : "failed");
    }
  }

  #halt(state: RunPhase): void {
    this.#become(state);
    this.#waiting.abort();
  }

  #become(state: RunPhase): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#task.changed();
  }
}

/** Waits for a moment that may still move on, or for the signal. */
async function until(moment: () => number, signal: AbortSignal): Promise<void> {
  for (let wait = moment() - performance.now(); wait > 0; wait = moment() - performance.now()) {
    await pause(wait, signal).catch(() => {});
    if (signal.aborted) return;
  }
}

/** Asks the service, as `Session.ask` does. */
type Ask = <Answer>(call: (access: { readonly sender: RequestSender }) => Promise<Answer>) => Promise<Answer>;

/** Has the service check numbers as lines of a stream. */
export class RowChecks {
  readonly #ask: Ask;
  /** Answers by the first row of their batch: after a fault only the rest is sent again, since each counts. */
  readonly #answered = new Map<number, string[]>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Returns a verdict for each number of the batch that begins with row `first`, in order. Rejects as `Session.ask` does. */
  async check(
    first: number,
    numbers: readonly AskedNumber[],
    signal: AbortSignal,
  ): Promise<readonly Verdict[]> {
    const path = linesPath(numbers.some((number) => "kontonummer" in number));
    const lines = numbers.map((number) => JSON.stringify(number));
    const answers = this.#answered.get(first) ?? [];
    this.#answered.set(first, answers);
    await this.#ask(({ sender }) => sendLines(sender, lines, { path, signal, answers }));
    this.#answered.delete(first);
    return answers.map((answer) => verdictOfLine(JSON.parse(`{${answer}`)));
  }
}
