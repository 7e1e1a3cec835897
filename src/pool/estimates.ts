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
