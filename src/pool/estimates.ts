import { between } from "./clock.ts";

/** What a unit is taken to cost before the first of its kind has come back, in microseconds. */
const initialCost = 5;

/** Share of the last task in the expected cost. */
const lastTaskShare = 1 / 16;

/** A task that took longer than this many times the expected cost counts as exactly that: it lost the processor. */
const maxSurprise = 4;

/** Bytes of input that count as one unit more. */
const bytesPerUnit = 512;

/** What tasks will cost, learnt from what those of the same kind have cost of late. */
export class TaskCosts {
  /** By kind: microseconds for each unit. */
  readonly #perUnit: number[] = [];

  /** Expected cost of a task of a kind with `inputLength` bytes of input, in microseconds. */
  expected(kind: number, inputLength: number): number {
    return (this.#perUnit[kind] ?? initialCost) * unitsOf(inputLength);
  }

  /** Records what a task has cost, in microseconds. */
  learn(kind: number, inputLength: number, cost: number): void {
    const expected = this.#perUnit[kind] ?? initialCost;
    const last = Math.min(cost / unitsOf(inputLength), maxSurprise * expected);
    this.#perUnit[kind] = expected + (last - expected) * lastTaskShare;
  }
}

function unitsOf(inputLength: number): number {
  return 1 + Math.floor(inputLength / bytesPerUnit);
}

/** Share of the last wait in the expected one. */
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

  /** How long to stay awake, in milliseconds; 0 where it does not pay. */
  get ms(): number {
    return this.#expectedMs < this.#limitMs ? this.#limitMs : 0;
  }

  /** Records a wait between two stamps (see clock.ts). */
  waited(from: number, to: number): void {
    const ms = Math.min(between(from, to), 3 * this.#limitMs);
    this.#expectedMs += (ms - this.#expectedMs) * lastWaitShare;
  }
}
