// The global of this name is a getter, which costs as much as reading the clock.
import { performance } from "node:perf_hooks";

/** How often the offset between the two clocks is measured at most. */
const maxReadings = 100;

/** A reading taken within this time is exact enough for figures in microseconds. */
const goodReadingMs = 0.001;

/**
 * Returns what to add to `local` to get `common`, both in milliseconds.
 *
 * A thread can lose the processor between two readings of a clock, so the offset is measured until `common` was read
 * within a microsecond of `local`, or else taken from the best of a hundred readings. The error is at most half the
 * time that the best one took.
 */
export function measureOffset(local: () => number, common: () => number): number {
  let offset = 0;
  let best = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < maxReadings && best > goodReadingMs; reading++) {
    const before = local();
    const middle = common();
    const after = local();
    if (after - before >= best) continue;
    best = after - before;
    offset = middle - (before + after) / 2;
  }
  return offset;
}

/** `performance.now` is the cheaper one to read, but counts from the start of its thread. */
const offset = measureOffset(
  () => performance.now(),
  () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
);

/** Milliseconds of a clock that never goes back and is the same in all threads of the process. */
export function now(): number {
  return performance.now() + offset;
}

/** A moment as it is in a 32-bit word: microseconds, of which only differences below half an hour mean anything. */
export function stampOf(milliseconds: number): number {
  return (milliseconds * 1e3) | 0;
}

/** Milliseconds from one stamp to a later one; never negative. */
export function between(from: number, to: number): number {
  return Math.max(0, (to - from) | 0) / 1e3;
}
