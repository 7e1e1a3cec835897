import { maxBatchIbans } from "../../contract/limits.ts";
import { ServiceError } from "../service-error.ts";
import type { BatchEntry } from "./answer.ts";

/** What a run checks and tells. */
export interface RunTask {
  readonly rows: number;
  /** The IBAN of a row, right or wrong. */
  iban(row: number): string;
  check(ibans: readonly string[], signal: AbortSignal): Promise<readonly BatchEntry[]>;
  onBatch(first: number, entries: readonly BatchEntry[]): void;
  /** Something else than the number of checked rows has changed. */
  changed(): void;
}

/** How a run is getting on; `key` and `failed` are stops that the service made. */
export type RunState = "ready" | "going" | "busy" | "away" | "stopped" | "key" | "failed" | "finished";

const inFlight = 4;
const minPauseMs = 1_000;
const maxPauseMs = 8_000;
const maxFailures = 8;
/** An IBAN has at most 34 characters: with more, it stays as wrong with these. Bounds a batch to 128 KB in any script. */
const maxCharacters = 40;

/** Checks the rows of a table in batches; it can be stopped and goes on where it was. */
export class Run {
  readonly #task: RunTask;
  #state: RunState = "ready";
  #reason = "";
  #next = 0;
  /** First rows of batches that a stop has interrupted. */
  readonly #again: number[] = [];
  readonly #asked = new Set<number>();
  #going = new AbortController();
  #askFrom = 0;
  #failures = 0;

  constructor(task: RunTask) {
    this.#task = task;
  }

  get state(): RunState {
    return this.#state;
  }

  /** What the service said when it ended the run; empty while it has not. */
  get reason(): string {
    return this.#reason;
  }

  get isGoing(): boolean {
    return this.#state === "going" || this.#state === "busy" || this.#state === "away";
  }

  start(): void {
    if (this.isGoing || this.#state === "finished") return;
    this.#going = new AbortController();
    this.#reason = "";
    this.#failures = 0;
    this.#askFrom = 0;
    this.#become("going");
    for (let lane = 0; lane < inFlight; lane++) void this.#go(this.#going.signal);
  }

  stop(): void {
    if (this.isGoing) this.#halt("stopped");
  }

  async #go(signal: AbortSignal): Promise<void> {
    for (let first = this.#take(); first !== undefined; first = this.#take()) {
      this.#asked.add(first);
      const entries = await this.#answered(first, signal);
      if (entries === undefined) return;
      this.#asked.delete(first);
      this.#task.onBatch(first, entries);
      this.#failures = 0;
      this.#become("going");
      if (signal.aborted) return;
    }
    if (this.#asked.size === 0) this.#become("finished");
  }

  #take(): number | undefined {
    const again = this.#again.shift();
    if (again !== undefined) return again;
    if (this.#next >= this.#task.rows) return undefined;
    const first = this.#next;
    this.#next += maxBatchIbans;
    return first;
  }

  /** Asks about the batch from `first` on until it is answered; undefined once the run is halted. */
  async #answered(first: number, signal: AbortSignal): Promise<readonly BatchEntry[] | undefined> {
    const length = Math.min(maxBatchIbans, this.#task.rows - first);
    const ibans = Array.from({ length }, (_, index) =>
      this.#task
        .iban(first + index)
        .replace(/\s/g, "")
        .slice(0, maxCharacters),
    );
    while (true) {
      await until(() => this.#askFrom, signal);
      if (signal.aborted) return undefined;
      try {
        const entries = await this.#task.check(ibans, signal);
        return signal.aborted ? undefined : entries;
      } catch (error) {
        if (signal.aborted) return undefined;
        this.#failed(error);
      }
    }
  }

  /** Sets the pause after which all batches are asked about again, or halts. */
  #failed(error: unknown): void {
    const now = performance.now();
    const pause = Math.min(maxPauseMs, minPauseMs * 2 ** this.#failures);
    if (!(error instanceof ServiceError)) {
      // The batches in flight fail together: that is one failure.
      if (now >= this.#askFrom) this.#failures++;
      this.#askFrom = Math.max(this.#askFrom, now + pause);
      this.#become("away");
    } else if (error.httpStatus === 503) {
      this.#askFrom = Math.max(this.#askFrom, now + (error.retryAfter ?? pause));
      this.#become("busy");
    } else if (error.httpStatus >= 500 && this.#failures < maxFailures) {
      this.#failures++;
      this.#askFrom = Math.max(this.#askFrom, now + pause);
      this.#become("busy");
    } else {
      this.#reason = error.message;
      this.#halt(error.httpStatus === 401 ? "key" : "failed");
    }
  }

  #halt(state: RunState): void {
    this.#going.abort();
    this.#again.unshift(...[...this.#asked].sort((one, other) => one - other));
    this.#asked.clear();
    this.#become(state);
  }

  #become(state: RunState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#task.changed();
  }
}

/** Waits for a moment that may still move on, or for the signal. */
async function until(moment: () => number, signal: AbortSignal): Promise<void> {
  for (let wait = moment() - performance.now(); wait > 0; wait = moment() - performance.now()) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, wait);
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      }
      signal.addEventListener("abort", done);
    });
    if (signal.aborted) return;
  }
}
