/** Upper bounds of the buckets of every duration histogram, in milliseconds. */
export const durationBounds = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000,
];

/**
 * Estimates a quantile (0 to 1) in milliseconds from counts by bucket: within its bucket durations count as evenly
 * spread, beyond all bounds the last bound is given. Null if nothing was counted.
 */
export function quantileOf(counts: ArrayLike<number>, quantile: number): number | null {
  let all = 0;
  for (let bucket = 0; bucket < counts.length; bucket++) all += counts[bucket]!;
  if (all === 0) return null;
  const rank = quantile * all;
  let below = 0;
  for (const [bucket, upper] of durationBounds.entries()) {
    const inside = counts[bucket] ?? 0;
    if (inside > 0 && below + inside >= rank) {
      const lower = durationBounds[bucket - 1] ?? 0;
      return lower + ((upper - lower) * (rank - below)) / inside;
    }
    below += inside;
  }
  return durationBounds.at(-1) ?? null;
}
