import { between } from "./clock.ts";

/** Assumed cost of a unit before the first task of its kind is finished, in microseconds. */
const initialCost = 5;

/** Weight of the last task in the expected cost. */
const lastTaskShare = 1 / 16;

/** A task that took longer than this many times the expected cost counts as exactly that: it lost the processor. */
const outlierFactor = 4;

/**
 * Cost of a task that ends its thread, in microseconds: the start of another one. Tasks of its form are dear until some
 * thirty of them have been answered, so that they leave a worker to others, and little waits behind them.
 */
export const costOfCrash = 30_000;

/** Bytes of input that count as one unit more. */
const bytesPerUnit = 512;

/** Predicts the cost of tasks from the recent cost of tasks of the same form: kind and options. */
export class TaskCosts {
  /** By form: microseconds for each unit. */
  readonly #perUnit = new Map<number, number>();

  /** Expected cost of a task of a form with `inputLength` bytes of input, in microseconds. */
  expected(form: number, inputLength: number): number {
    return (this.#perUnit.get(form) ?? initialCost) * unitsOf(inputLength);
  }

  /** Records what a task has cost, in microseconds. */
  learn(form: number, inputLength: number, cost: number): void {
    const expected = this.#perUnit.get(form) ?? initialCost;
    const last = Math.min(cost / unitsOf(inputLength), outlierFactor * expected);
    this.#perUnit.set(form, expected + (last - expected) * lastTaskShare);
  }

  /** Records that a task has ended its thread. */
  crashed(form: number): void {
    this.#perUnit.set(form, Math.max(costOfCrash, this.expected(form, 0)));
  }
}

function unitsOf(inputLength: number): number {
  return 1 + Math.floor(inputLength / bytesPerUnit);
}

/** Weight of the last wait in the expected one. */
const lastWaitShare = 1 / 4;

/**
 * Whether to stay awake for what comes next, decided by how long the last waits were.
 *
 * To sleep and be woken costs about `limitMs` of processor time in all, and delays by as much. A thread that stays awake no
 * longer than that, and only where the last waits were shorter, never spends more than twice what sleeping would cost.
 */
export class Patience {
  readonly #limitMs: number;
  #expectedMs: number;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.#expectedMs = 2 * limitMs;
  }

  /** How long to stay awake, in milliseconds; 0 if it does not pay. */
  get ms(): number {
    return this.#expectedMs < this.#limitMs ? this.#limitMs : 0;
  }

  /** Records a wait between two stamps (see clock.ts). */
  waited(from: number, to: number): void {
    const ms = Math.min(between(from, to), 3 * this.#limitMs);
    this.#expectedMs += (ms - this.#expectedMs) * lastWaitShare;
  }
}

/** Weight of the last round in the expected number of tasks in a round. */
const lastRoundShare = 1 / 8;

/** Where more tasks come at a time they share a wake-up, and looking spares little. */
const maxBatchSize = 2.5;

/** Time saved by a look that finds a task: two threads need not be put to sleep and woken, in milliseconds. */
const sparedMs = 0.04;

/** Time without the processor is charged as this many times the time spent looking: another thread wants it more. */
const priceOfLosing = 10;

/**
 * The credit of a trial in milliseconds: enough for Linux to move a client on the same machine out of the way of the
 * worker that looks, which takes some ticks. With the most credit looking has paid.
 */
const trialMs = 40;
const maxCreditMs = 60;

/** Only an idle time this short, in milliseconds, could have been spared. */
const shortIdleMs = 0.15;

/** Short idle times from the end of the credit to the next trial; four times as many each time until looking pays. */
const minCooldown = 1_024;
const maxCooldown = 65_536;

/**
 * Whether a worker that has nothing to do looks for the next task for a moment before it sleeps.
 *
 * To a client that sends one request after the other, two wake-ups are most of what a check costs; a worker that looks
 * spares them. It looks only where one or two requests come at a time, and only as long as that pays: each task found is
 * credited with what it spares, each look is charged with the time it takes. Once the credit is used up the worker sleeps
 * through hundreds of idle times before the next trial, and through four times as many where that did not pay either, so that
 * beside a process that wants the processor all the time trials cost little.
 */
export class Vigilance {
  /** After how many milliseconds of a look the main thread is woken, again and again: see `WorkerRings.look`. */
  readonly nudgeMs: number = 0.55;
  #batchSize = 1;
  #creditMs = trialMs;
  #shortIdleTimes = 0;
  #cooldown = minCooldown;

  /** Returns how long to look after a round of `taken` tasks, in milliseconds; 0 if the worker should sleep. */
  lookingMs(taken: number): number {
    if (taken > 0) this.#batchSize += (taken - this.#batchSize) * lastRoundShare;
    return this.#batchSize < maxBatchSize ? this.#creditMs : 0;
  }

  /** Records a look: whether it found a task, how long it took, and how long of that the worker had lost the processor. */
  looked(hasFound: boolean, tookMs: number, lostMs: number): void {
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
