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

/** Limits how many callers have a turn at the same time. */
export type Turns = ReturnType<typeof openTurns>;

/**
 * Lets `max` callers work at the same time, in the order in which they ask, as long as `mayBegin` says so. After each there
 * is a rest of `rest` times its work.
 */
export function openTurns(max: number, rest: () => number, mayBegin: () => boolean = () => true) {
  const waiting = new Set<() => void>();
  let free = max;

  /** Begins what waits; with `must` also where `mayBegin` says no. */
  function beginNext(must = false): void {
    for (const begin of waiting) {
      if (free === 0 || !(must || mayBegin())) return;
      free--;
      waiting.delete(begin);
      begin();
    }
  }

  function freeOne(): void {
    free++;
    beginNext();
  }

  return {
    beginNext,
    /** Calls `begin` when there is a turn, perhaps at once; the caller ends its turn with `end`. */
    ask: (begin: () => void) => {
      waiting.add(begin);
      beginNext();
    },
    /** Asks no more; does nothing for one that has its turn. */
    forget: (begin: () => void) => waiting.delete(begin),
    /** A turn is over whose work took `workMs` milliseconds. */
    end: (workMs: number) => {
      const restMs = Math.min(workMs * rest(), maxRestMs);
      if (restMs > 0) setTimeout(freeOne, restMs);
      else freeOne();
    },
  };
}

/** How the machine is shared between streams and other requests. */
export type Pace = ReturnType<typeof openPace>;

/**
 * Shares the machine between streams, which hold `heldBytes` of their bodies, and other requests.
 *
 * Alone, streams take all workers but one. While others ask, a stream's work comes in short turns with rests between
 * them, so that others find a processor free: the threads of the service and its clients may have to share a few.
 */
export function openPace(
  pool: { readonly size: number; readonly counts: Pick<CheckPool["counts"], "submissions"> },
  heldBytes: () => number,
) {
  /** How many blocks have gone to the pool, and how many other requests had when they were last counted. */
  let blocks = 0;
  let others = 0;
  let otherAt = Number.NEGATIVE_INFINITY;

  function makesRoom(): boolean {
    const othersNow = pool.counts.submissions - blocks;
    const now = performance.now();
    if (othersNow !== others) {
      others = othersNow;
      otherAt = now;
    }
    return now - otherAt < makingRoomMs;
  }

  return {
    /** Turns at the pool, and at reading on after a pause. */
    blocks: openTurns(Math.max(1, pool.size - 1), () => (makesRoom() ? blockRest : 0)),
    reads: openTurns(
      1,
      () => (makesRoom() ? readRest : 0),
      () => heldBytes() < memoryBudget.streamBodies,
    ),
    /** Forgets what others asked while there was no stream. */
    begin: () => {
      others = pool.counts.submissions - blocks;
    },
    submitting: () => {
      blocks++;
    },
    /** Returns the maximum size of the next block in bytes; `msPerByte` is what a worker takes for a byte, in milliseconds. */
    blockBytes: (msPerByte: number) => {
      if (!makesRoom()) return maxStreamLineBytes;
      return Math.min(Math.max(Math.floor(shortBlockMs / msPerByte), minBlockBytes), maxStreamLineBytes);
    },
  };
}
