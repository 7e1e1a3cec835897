import { durationBounds } from "../contract/schema/metrics-schema.ts";

/** Counts durations by bucket; an observation costs a few comparisons and two additions. */
export class DurationHistogram {
  /** By bucket, not added up; the last one is for what lies beyond all bounds. */
  readonly counts = new Float64Array(durationBounds.length + 1);
  #sum = 0;

  /** Takes down a duration in milliseconds. */
  observe(milliseconds: number): void {
    let bucket = 0;
    while (bucket < durationBounds.length && milliseconds > durationBounds[bucket]!) bucket++;
    this.counts[bucket]!++;
    this.#sum += milliseconds;
  }

  /** Adds all that another histogram has observed. */
  add(other: DurationHistogram): void {
    for (let bucket = 0; bucket < this.counts.length; bucket++) this.counts[bucket]! += other.counts[bucket]!;
    this.#sum += other.#sum;
  }

  /** The sum of all durations, in milliseconds. */
  get sum(): number {
    return this.#sum;
  }

  /** How many durations were observed. */
  get count(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  /**
   * Estimates a quantile (0 to 1) in milliseconds: within its bucket durations count as evenly spread, beyond all bounds
   * the last bound is given. Null where nothing was observed.
   */
  quantile(quantile: number): number | null {
    const rank = quantile * this.count;
    if (this.count === 0) return null;
    let below = 0;
    for (let bucket = 0; bucket < durationBounds.length; bucket++) {
      const inside = this.counts[bucket]!;
      if (inside > 0 && below + inside >= rank) {
        const lower = durationBounds[bucket - 1] ?? 0;
        return lower + ((durationBounds[bucket]! - lower) * (rank - below)) / inside;
      }
      below += inside;
    }
    return durationBounds.at(-1)!;
  }
}
