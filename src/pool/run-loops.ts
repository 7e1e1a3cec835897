import { setTimeout as delay } from "node:timers/promises";
import { retryAfterSeconds } from "../contract/limits.ts";
import { now } from "./clock.ts";
import { type MainQueues, WorkerState } from "./queues.ts";
import { tickMs } from "./ticks.ts";

/**
 * How long requests wait for a worker while no thread comes up, in milliseconds; then they fail. A client that is refused
 * waits as long, so what keeps threads from starting for a moment costs none more.
 */
export const maxStartMs = retryAfterSeconds * 1_000;

/**
 * Keeps each worker in a run loop: begins another one when its thread has died, or could not come up, which `died` reports.
 *
 * `run` begins the run loop of a worker; it rejects when the thread ends, or by the signal.
 */
export function runLoops(
  run: (worker: number, signal: AbortSignal) => Promise<unknown>,
  queues: MainQueues,
  died: (worker: number) => void,
) {
  /** By worker: ends the run loop that waits for its thread. */
  const starts: AbortController[] = [];
  const closing = new AbortController();
  /** When the first of the last starts, which all failed, had failed. */
  let failingSince = Number.POSITIVE_INFINITY;
  const isUp = (worker: number) => queues.stateOf(worker) !== WorkerState.starting;

  const keep = async (worker: number) => {
    const { signal } = closing;
    while (!signal.aborted) {
      const start = new AbortController();
      starts[worker] = start;
      await run(worker, start.signal).catch(() => {});
      const hasComeUp = isUp(worker);
      failingSince = hasComeUp ? Number.POSITIVE_INFINITY : Math.min(failingSince, now());
      queues.reset(worker);
      died(worker);
      if (!hasComeUp) await delay(tickMs, undefined, { signal }).catch(() => {});
    }
  };

  return {
    start: () => {
      for (let worker = 0; worker < queues.workers; worker++) void keep(worker);
    },
    /** False while no worker is up, and threads have failed to come up for a while. */
    get hasWorkers() {
      return now() - failingSince < maxStartMs || queues.count(WorkerState.starting) < queues.workers;
    },
    /** Call it when a thread has ended: Piscina replaces none that ends while it starts, and its run loop would wait forever. */
    threadEnded: () => {
      for (const [worker, start] of starts.entries()) if (!isUp(worker)) start.abort();
    },
    /** Begins no run loop from now on. */
    close: () => closing.abort(),
  };
}
