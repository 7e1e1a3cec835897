import { between } from "./clock.ts";

/** Assumed cost of a unit before the first task of its kind is finished, in microseconds. */
const initialCost = 5;

/** Share of the last task in the expected cost. */
const lastTaskShare = 1 / 16;

/** A task that took longer than this many times the expected cost counts as exactly that: it lost the processor. */
const maxSurprise = 4;

/** Bytes of input that count as one unit more. */
const bytesPerUnit = 512;

/** Predicts the cost of tasks from the recent cost of tasks of the same kind. */
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

/** Share of the last round in how many tasks are expected together. */
const lastRoundShare = 1 / 8;

/** Where more tasks come together they share a wake-up, and looking spares little. */
const maxTogether = 1.25;

/** How long a worker looks where looking has not paid yet, in milliseconds. */
const shortLookMs = 0.1;

/** In how many of its first idle times a worker looks so long, and then in one of how many. */
const firstLooks = 8;
const idleTimesPerLook = 32;

/** How long a trial is, and how much credit it leaves where it finds a task, in milliseconds. */
const trialMs = 2;

/** Idle times, and milliseconds, between two trials. The milliseconds are doubled where the worker lost the processor. */
const idleTimesPerTrial = 1_024;
const initialPauseMs = 50;
const maxPauseMs = 3_200;

/** Time saved by a look that finds a task: two threads need not be put to sleep and woken, in milliseconds. */
const sparedMs = 0.05;

/** How much credit there may be in milliseconds: enough that another thread may have the processor for a moment. */
const maxCreditMs = 10;

/**
 * Whether a worker that has nothing to do looks for the next task for a moment before it sleeps.
 *
 * To a client that sends one request after the other, two wake-ups are most of what a check costs; a worker that looks
 * spares them. It looks only where requests come one at a time, and only as long as that pays: each task found is credited
 * with what it spares, each look is charged with the time it takes. Without credit it looks shortly now and then, which
 * costs 3 µs of each idle time, and seldom for as long as Linux needs to move a client on the same machine out of its way.
 * Beside a process that wants the processor all the time such trials end soon and become rare.
 */
export class Vigilance {
  /** After how many milliseconds of a look the main thread is woken, again and again: see `WorkerRings.look`. */
  readonly nudgeMs: number = 0.55;
  #together = 1;
  #idleTimes = 0;
  #creditMs = 0;
  #isTrial = false;
  #nextTrial = 0;
  #pauseMs = initialPauseMs;

  /**
   * Returns how long to look after a round of `taken` tasks that ended at a moment of the threads' clock, in milliseconds;
   * 0 if the worker should sleep.
   */
  lookingMs(taken: number, ended: number): number {
    const idleTimes = ++this.#idleTimes;
    if (taken > 0) this.#together += (taken - this.#together) * lastRoundShare;
    if (this.#together >= maxTogether) return 0;
    if (this.#creditMs > 0) return Math.max(this.#creditMs, shortLookMs);
    if (idleTimes <= firstLooks) return shortLookMs;
    if (idleTimes % idleTimesPerLook !== 0) return 0;
    this.#isTrial = idleTimes % idleTimesPerTrial === 0 && ended >= this.#nextTrial;
    return this.#isTrial ? trialMs : shortLookMs;
  }

  /**
   * Records a look that ended at a moment: whether it found a task, how long it took, and how long of that the worker had
   * lost the processor.
   */
  looked(hasFound: boolean, ended: number, tookMs: number, lostMs: number): void {
    const credit = this.#creditMs + (hasFound ? sparedMs : 0) - tookMs - lostMs;
    this.#creditMs = Math.min(Math.max(credit, this.#isTrial && hasFound ? trialMs : 0), maxCreditMs);
    this.#isTrial = false;
    if (this.#creditMs === maxCreditMs) this.#pauseMs = initialPauseMs;
    if (this.#creditMs > 0 || lostMs === 0) return;
    this.#nextTrial = ended + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, maxPauseMs);
  }
}
