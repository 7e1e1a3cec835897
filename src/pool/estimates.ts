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

/** How long a worker looks for the next task at most, in milliseconds. */
const lookingMs = 0.1;

/** Share of the last round in how many tasks are expected together. */
const lastRoundShare = 1 / 8;

/** Where more tasks come together they share a wake-up, and looking spares little. */
const maxTogether = 1.25;

/** Once looking has failed, the worker tries it again in one idle time of this many. */
const idleTimesPerProbe = 32;

const maxScore = 8;
const vainScore = -2;

/**
 * Whether a worker that has nothing to do looks for the next task for a moment before it sleeps.
 *
 * To a client that sends one request after the other, two wake-ups are most of what a check costs; a worker that looks
 * spares them. It looks only while it succeeds: where other threads want the processor, the next task comes too late, and
 * a vain look counts twice. Where requests come seldom or several at once, there is nothing to gain. So what looking in
 * vain can cost is bounded by the probes, 3 µs of each idle time.
 */
export class Vigilance {
  #together = 1;
  #score = 0;
  #idleTimes = 0;

  /** Returns how long to look after a round of `taken` tasks, in milliseconds; 0 where the worker should sleep. */
  lookingMs(taken: number): number {
    this.#idleTimes++;
    if (taken > 0) this.#together += (taken - this.#together) * lastRoundShare;
    if (this.#together >= maxTogether) return 0;
    return this.#score > 0 || this.#idleTimes % idleTimesPerProbe === 0 ? lookingMs : 0;
  }

  /** Records whether a task came while the worker looked. */
  looked(hasFound: boolean): void {
    this.#score = Math.min(Math.max(this.#score + (hasFound ? 1 : vainScore), 0), maxScore);
  }
}
