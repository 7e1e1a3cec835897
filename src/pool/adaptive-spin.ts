import { between } from "./clock.ts";

/*
 * Whether a thread that has nothing to do looks for more for a moment before it sleeps. To sleep and be woken costs some
 * 0.1 ms of processor time in all, and delays by as much. The numbers were found on a quiet machine of two cores with Node
 * 20 (`npm run bench -- --connections 1`): without the worker's nudge one connection got 9,100 answers/s in place of
 * 24,800, and a fixed spin of 50 µs lost 55 % beside busy processes.
 */

/** Time to put a thread to sleep and wake it, in milliseconds. */
export const wakeUpMs = 0.1;

/** Weight of the last wait in the expected one. */
const lastWaitShare = 1 / 4;

/**
 * Whether the main thread stays awake for the next finished task, decided by how long the last waits were: no longer than
 * sleeping would cost, and only where the last waits were shorter, so that it never spends more than twice that.
 */
export class MainSpin {
  #expectedMs = 2 * wakeUpMs;

  /** How long to stay awake, in milliseconds; 0 if it does not pay. */
  get ms(): number {
    return this.#expectedMs < wakeUpMs ? wakeUpMs : 0;
  }

  /** Records a wait between two stamps (see clock.ts). */
  waited(from: number, to: number): void {
    const ms = Math.min(between(from, to), 3 * wakeUpMs);
    this.#expectedMs += (ms - this.#expectedMs) * lastWaitShare;
  }
}

/** Weight of the last round in the expected number of tasks in a round. */
const lastRoundShare = 1 / 8;

/** Where more tasks come at a time they share a wake-up, and a spin spares little. */
const maxBatchSize = 2.5;

/** Time saved by a spin that finds a task: two threads need not be put to sleep and woken, in milliseconds. */
const sparedMs = 0.04;

/** A thread that reads the clock this late had lost the processor, in milliseconds; a thread of this service takes less. */
export const minLostMs = 0.3;

/** Time without the processor is charged as this many times the time spent spinning: another thread wants it more. */
const priceOfLosing = 10;

/**
 * The credit of a trial in milliseconds: enough for Linux to move a client on the same machine out of the way of the
 * worker that spins, which takes some ticks. With the most credit spinning has paid.
 */
const trialMs = 40;
const maxCreditMs = 1.5 * trialMs;

/** Only an idle time this short, in milliseconds, could have been spared. */
const shortIdleMs = 0.15;

/** Short idle times from the end of the credit to the next trial; four times as many each time until spinning pays. */
const minCooldown = 1_024;
const maxCooldown = 64 * minCooldown;

/**
 * Whether a worker that has nothing to do spins for a moment before it sleeps.
 *
 * To a client that sends one request after the other, two wake-ups are most of what a check costs; a worker that spins
 * spares them. It does so only where one or two requests come at a time, and only as long as that pays: each task found is
 * credited with what it spares, each spin is charged with the time it takes. Once the credit is used up the worker sleeps
 * through hundreds of idle times before the next trial, and through four times as many where that did not pay either, so
 * that beside a process that wants the processor all the time trials cost little.
 */
export class AdaptiveSpin {
  /** After how many milliseconds of a spin the main thread is woken, again and again: see `WorkerRings.spin`. */
  readonly nudgeMs: number = 0.55;
  #batchSize = 1;
  #creditMs = trialMs;
  #shortIdleTimes = 0;
  #cooldown = minCooldown;

  /** Returns how long to spin after a round of `taken` tasks, in milliseconds; 0 if the worker should sleep. */
  spinMs(taken: number): number {
    if (taken > 0) this.#batchSize += (taken - this.#batchSize) * lastRoundShare;
    return this.#batchSize < maxBatchSize ? this.#creditMs : 0;
  }

  /** Records a spin: whether it found a task, how long it took, and how long of that the worker had lost the processor. */
  spun(hasFound: boolean, tookMs: number, lostMs: number): void {
    const cost = tookMs + (priceOfLosing - 1) * lostMs;
    const credit = this.#creditMs + (hasFound ? sparedMs : 0) - cost;
    this.#creditMs = Math.min(Math.max(credit, 0), maxCreditMs);
    if (this.#creditMs === maxCreditMs) this.#cooldown = minCooldown;
  }

  /** Records how long the worker slept before the next task came. */
  slept(ms: number): void {
    if (this.#creditMs > 0 || ms > shortIdleMs || ++this.#shortIdleTimes < this.#cooldown) return;
    this.#creditMs = trialMs;
    this.#shortIdleTimes = 0;
    this.#cooldown = Math.min(4 * this.#cooldown, maxCooldown);
  }
}
