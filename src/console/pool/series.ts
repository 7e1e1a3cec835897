import type { Reading } from "./reading.ts";

/** Requests answered per second, by what became of them; readings of the metrics are left out. */
interface Outcomes {
  readonly answered: number;
  /** Answered 4xx: the request was wrong. */
  readonly rejected: number;
  /** Answered 503 server_busy. */
  readonly refused: number;
  /** Answered 5xx for any other reason. */
  readonly failed: number;
}

/** What happened between two readings, as rates per second. */
export interface Rates {
  readonly requests: Outcomes;
  readonly checks: number;
  /** How long checks and searches took, in milliseconds; null where there were none. */
  readonly p50: number | null;
  readonly p99: number | null;
  /** How long they waited for a worker, in milliseconds. */
  readonly waitP99: number | null;
  /** By worker, 0 to 1. */
  readonly workers: readonly number[];
  /** 0 to 1. */
  readonly frontEnd: number;
}

/** The route of the readings themselves. */
const ownRoute = "/service/metrics";

const msPerSecond = 1_000;

/**
 * Tells what happened between two readings that were taken so many seconds apart.
 *
 * Undefined where they cannot be compared: another process answered, or the counters began anew.
 */
export function ratesBetween(before: Reading, then: Reading, seconds: number): Rates | undefined {
  if (seconds <= 0 || !isLater(before, then)) return undefined;
  const [counted, countedThen] = [byOutcome(before), byOutcome(then)];
  const perSecond = (more: number) => more / seconds;
  const share = (busyMs: number) => Math.min(1, Math.max(0, perSecond(busyMs) / msPerSecond));
  const { bounds_ms: bounds } = then.durations;
  const took = differences(before.durations.check.counts, then.durations.check.counts);
  const waited = differences(before.durations.wait.counts, then.durations.wait.counts);
  return {
    requests: {
      answered: perSecond(countedThen.answered - counted.answered),
      rejected: perSecond(countedThen.rejected - counted.rejected),
      refused: perSecond(countedThen.refused - counted.refused),
      failed: perSecond(countedThen.failed - counted.failed),
    },
    checks: perSecond(then.requests.checks - before.requests.checks),
    p50: quantileOf(took, bounds, 0.5),
    p99: quantileOf(took, bounds, 0.99),
    waitP99: quantileOf(waited, bounds, 0.99),
    workers: differences(before.pool.busy_ms, then.pool.busy_ms).map(share),
    frontEnd: share(then.process.busy_ms - before.process.busy_ms),
  };
}

/**
 * Estimates a quantile (0 to 1) in milliseconds from counts by bucket: within its bucket durations count as evenly
 * spread, beyond all bounds the last bound is given. Null where nothing was counted.
 */
export function quantileOf(
  counts: readonly number[],
  bounds: readonly number[],
  quantile: number,
): number | null {
  const all = sum(counts);
  if (all === 0) return null;
  const rank = quantile * all;
  let below = 0;
  for (const [bucket, upper] of bounds.entries()) {
    const inside = counts[bucket] ?? 0;
    if (inside > 0 && below + inside >= rank) {
      const lower = bounds[bucket - 1] ?? 0;
      return lower + ((upper - lower) * (rank - below)) / inside;
    }
    below += inside;
  }
  return bounds.at(-1) ?? null;
}

/** Whether one process took both readings and all its counters went on in between. */
function isLater(before: Reading, then: Reading): boolean {
  const [first, second] = [countersOf(before), countersOf(then)];
  return (
    before.process.id === then.process.id &&
    first.length === second.length &&
    first.every((count, index) => count <= second[index]!)
  );
}

function countersOf({ process, requests, durations, pool }: Reading): number[] {
  return [
    process.uptime_seconds,
    process.busy_ms,
    requests.checks,
    requests.refused,
    ...durations.check.counts,
    ...durations.wait.counts,
    ...pool.busy_ms,
  ];
}

function byOutcome({ requests }: Reading): Outcomes {
  const counted = requests.by_route.filter(({ route }) => route !== ownRoute);
  const within = (from: number, below: number) =>
    sum(counted.filter(({ status }) => status >= from && status < below).map(({ count }) => count));
  return {
    answered: within(200, 400),
    rejected: within(400, 500),
    refused: requests.refused,
    failed: Math.max(0, within(500, 600) - requests.refused),
  };
}

function differences(before: readonly number[], then: readonly number[]): number[] {
  return then.map((count, index) => count - (before[index] ?? 0));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
