import { maxStreamLineBytes } from "../../contract/limits.ts";
import type { CheckPool } from "../../pool/check-pool.ts";
import { memoryBudget } from "../memory-budget.ts";

/** How long streams make room after another request, in milliseconds: all the time while ten come a second. */
const makingRoomMs = 100;
/**
 * While they do: how long a block should take, and how many times as long as its work each turn rests. So a turn takes a
 * tenth of a worker's time, and all streams a fiftieth of the main thread's to read.
 */
const shortBlockMs = 0.25;
const blockRest = 9;
const readRest = 50;
/** The longest rest, in milliseconds: work that calls for more has waited for a processor. */
const maxRestMs = 250;
/** Enough for a row, however long one takes to answer. */
const minBlockBytes = 2_048;

/** Limits how many callers have a turn at the same time, in the order in which they asked. */
export class Turns {
  readonly #waiting = new Set<() => void>();
  readonly #rest: () => number;
  readonly #mayBegin: () => boolean;
  #free: number;

  /** After a turn there is a rest of `rest` times its work. Turns begin as long as `mayBegin` says so. */
  constructor(max: number, rest: () => number, mayBegin: () => boolean = () => true) {
    this.#free = max;
    this.#rest = rest;
    this.#mayBegin = mayBegin;
  }

  /** Calls `begin` when there is a turn, perhaps at once; the caller ends its turn with `end`. */
  ask(begin: () => void): void {
    this.#waiting.add(begin);
    this.beginNext();
  }

  /** Asks no more; does nothing for one that has its turn. */
  forget(begin: () => void): void {
    this.#waiting.delete(begin);
  }

  /** A turn is over whose work took `workMs` milliseconds. */
  end(workMs: number): void {
    const restMs = Math.min(workMs * this.#rest(), maxRestMs);
    if (restMs > 0) setTimeout(() => this.#freeOne(), restMs);
    else this.#freeOne();
  }

  /** Begins what waits; with `must` also where `mayBegin` says no. */
  beginNext(must = false): void {
    for (const begin of this.#waiting) {
      if (this.#free === 0 || !(must || this.#mayBegin())) return;
      this.#free--;
      this.#waiting.delete(begin);
      begin();
    }
  }

  #freeOne(): void {
    this.#free++;
    this.beginNext();
  }
}

interface PacedPool {
  readonly size: number;
  readonly counts: Pick<CheckPool["counts"], "submissions">;
}

/**
 * Shares the machine between streams and other requests.
 *
 * Alone, streams take all workers but one. While others ask, a stream's work comes in short turns with rests between
 * them, so that others find a processor free: the threads of the service and its clients may have to share a few.
 */
export class Pace {
  /** Turns at the pool, and at reading on after a pause. */
  readonly blocks: Turns;
  readonly reads: Turns;
  readonly #pool: PacedPool;
  /** How many blocks have gone to the pool, and how many other requests had when they were last counted. */
  #blocks = 0;
  #others = 0;
  #otherAt = Number.NEGATIVE_INFINITY;

  /** `heldBytes` returns how much of their bodies all streams hold. */
  constructor(pool: PacedPool, heldBytes: () => number) {
    this.#pool = pool;
    this.blocks = new Turns(Math.max(1, pool.size - 1), () => (this.#makesRoom ? blockRest : 0));
    this.reads = new Turns(
      1,
      () => (this.#makesRoom ? readRest : 0),
      () => heldBytes() < memoryBudget.streamBodies,
    );
  }

  /** Forgets what others asked while there was no stream. */
  begin(): void {
    this.#others = this.#pool.counts.submissions - this.#blocks;
  }

  submitting(): void {
    this.#blocks++;
  }

  /** Returns the maximum size of the next block in bytes; `msPerByte` is what a worker takes for a byte, in milliseconds. */
  blockBytes(msPerByte: number): number {
    if (!this.#makesRoom) return maxStreamLineBytes;
    return Math.min(Math.max(Math.floor(shortBlockMs / msPerByte), minBlockBytes), maxStreamLineBytes);
  }

  get #makesRoom(): boolean {
    const others = this.#pool.counts.submissions - this.#blocks;
    const now = performance.now();
    if (others !== this.#others) {
      this.#others = others;
      this.#otherAt = now;
    }
    return now - this.#otherAt < makingRoomMs;
  }
}
