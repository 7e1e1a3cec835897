/*
 * Whether a thread that has nothing to do looks for more for a moment before it sleeps. To sleep and be woken costs some
 * 0.1 ms of processor time in all, and delays by as much. The numbers were found on a quiet machine of two cores with Node
 * 20 (`npm run bench -- --connections 1`): without the worker's nudge one connection got 9,100 answers/s in place of
 * 24,800, and a fixed spin of 50 µs lost 55 % beside busy processes.
 */

/** Time to put a thread to sleep and wake it, in milliseconds: the main thread never waits for a worker any longer. */
export const wakeUpMs = 0.1;

/** Time saved by a spin that finds a task: two threads need not be put to sleep and woken, in milliseconds. */
const sparedMs = 0.04;

/** Where more tasks come at a time they share a wake-up, and a spin spares little. */
const maxBatchSize = 2;

/**
 * The credit of a trial in milliseconds, and the most that there is: enough for Linux to move a client on the same machine
 * out of the way of the worker that spins, which takes some ticks.
 */
const trialMs = 40;

/** Idle times from the end of the credit to the next trial: at 10,000 tasks/s trials take 2 % of a worker's time. */
const cooldown = 16_384;

/**
 * Whether a worker that has nothing to do spins for a moment before it sleeps.
 *
 * To a client that sends one request after the other, two wake-ups are most of what a check costs; a worker that spins
 * spares them. It does so only where one or two requests come at a time, and only as long as that pays: each task found is
 * credited with what it spares, each spin is charged with the time it takes, also where another process had the processor
 * meanwhile. Once the credit is used up the worker sleeps until the next trial.
 */
export class AdaptiveSpin {
  /** After how many milliseconds of a spin the main thread is woken, again and again: see `WorkerRings.spin`. */
  readonly nudgeMs: number = 0.55;
  #creditMs = trialMs;
  #idleTimes = 0;

  /** Returns how long to spin after a round of `taken` tasks, in milliseconds; 0 if the worker should sleep. */
  spinMs(taken: number): number {
    return taken <= maxBatchSize ? this.#creditMs : 0;
  }

  /** Records a spin: whether it found a task, and how long it took. */
  spun(hasFound: boolean, tookMs: number): void {
    const credit = this.#creditMs + (hasFound ? sparedMs : 0) - tookMs;
    this.#creditMs = Math.min(Math.max(credit, 0), trialMs);
  }

  /** Records that the worker slept until the next task came. */
  slept(): void {
    if (this.#creditMs > 0 || ++this.#idleTimes < cooldown) return;
    this.#creditMs = trialMs;
    this.#idleTimes = 0;
  }
}
