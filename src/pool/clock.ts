const [seconds, nanoseconds] = process.hrtime();
/** `performance.now` is the cheaper one to read, but counts from the start of its thread. */
const offset = seconds * 1e3 + nanoseconds / 1e6 - performance.now();

/** Milliseconds of a clock that never goes back and is the same in all threads of the process. */
export function now(): number {
  return performance.now() + offset;
}

/** A moment as it stands in a 32-bit word: microseconds, of which only differences below half an hour tell something. */
export function stampOf(milliseconds: number): number {
  return (milliseconds * 1e3) | 0;
}

/** Milliseconds from one stamp to a later one; never negative. */
export function between(from: number, to: number): number {
  return Math.max(0, (to - from) | 0) / 1e3;
}
