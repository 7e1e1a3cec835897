import { setTimeout as delay } from "node:timers/promises";
import { retryAfterSeconds } from "../contract/limits.ts";
import { now } from "./clock.ts";
import { type MainQueues, WorkerState } from "./queues.ts";
import { tickMs } from "./ticks.ts";

/** Begins the run loop of a worker; rejects when its thread has died or could not come up, or by the signal. */
export type StartRunLoop = (worker: number, signal: AbortSignal) => Promise<unknown>;

/**
 * How long requests wait for a worker while no thread comes up, in milliseconds; then they fail. A client that is refused
 * waits as long, so what keeps threads from starting for a moment costs none more.
 */
export const maxStartMs = retryAfterSeconds * 1_000;

/** Keeps each worker in a run loop: begins another one when its thread has died. */
export class RunLoops {
  readonly #run: StartRunLoop;
  readonly #queues: MainQueues;
  readonly #died: (worker: number) => void;
  /** By worker: ends the run loop that waits for its thread. */
  readonly #starts: AbortController[] = [];
  readonly #closing = new AbortController();
  /** When the first of the last starts, which all failed, had failed. */
  #failingSince = Number.POSITIVE_INFINITY;

  /** `died` is called when the thread of a worker has died, or could not come up. */
  constructor(run: StartRunLoop, queues: MainQueues, died: (worker: number) => void) {
    this.#run = run;
    this.#queues = queues;
    this.#died = died;
  }

  start(): void {
    for (let worker = 0; worker < this.#queues.workers; worker++) void this.#keep(worker);
  }

  /** False while no worker is up, and threads have failed to come up for a while. */
  get hasWorkers(): boolean {
    const { workers } = this.#queues;
    return now() - this.#failingSince < maxStartMs || this.#queues.count(WorkerState.starting) < workers;
  }

  /** Call it when a thread has ended: Piscina replaces none that ends while it starts, and its run loop would wait forever. */
  threadEnded(): void {
    for (const [worker, start] of this.#starts.entries()) {
      if (this.#queues.stateOf(worker) === WorkerState.starting) start.abort();
    }
  }

  /** Begins no run loop from now on. */
  close(): void {
    this.#closing.abort();
  }

  async #keep(worker: number): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const start = new AbortController();
      this.#starts[worker] = start;
      await this.#run(worker, start.signal).catch(() => {});
      const hasComeUp = this.#queues.stateOf(worker) !== WorkerState.starting;
      this.#failingSince = hasComeUp ? Number.POSITIVE_INFINITY : Math.min(this.#failingSince, now());
      this.#queues.reset(worker);
      this.#died(worker);
      if (!hasComeUp) await delay(tickMs, undefined, { signal }).catch(() => {});
    }
  }
}
