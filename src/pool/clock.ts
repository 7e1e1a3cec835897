/** Milliseconds of a clock that never goes back and is the same in all threads of the process. */
export function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** A moment as it is in a 32-bit word: microseconds, of which only differences below half an hour mean anything. */
export function stampOf(milliseconds: number): number {
  return (milliseconds * 1e3) | 0;
}

/** Milliseconds from one stamp to a later one; never negative. */
export function between(from: number, to: number): number {
  return Math.max(0, (to - from) | 0) / 1e3;
}
