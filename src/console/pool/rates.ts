import type { WorkPeriod } from "../../contract/work-period.ts";
import { durationBounds } from "../../contract/work-period.ts";

/** What one process, or several together, did in a period, as rates per second, and their state at its end. */
export interface Rates {
  readonly requests: {
    readonly answered: number;
    /** Answered 4xx: the request was wrong. */
    readonly rejected: number;
    /** Answered 503 server_busy. */
    readonly refused: number;
    /** Answered 5xx for any other reason. */
    readonly failed: number;
  };
  readonly checks: number;
  /** How long checks and searches took, in milliseconds; null where there were none. */
  readonly p50: number | null;
  readonly p99: number | null;
  /** How long they waited for a worker, in milliseconds. */
  readonly waitP99: number | null;
  /** By worker, 0 to 1. */
  readonly workers: readonly number[];
  /** By process, 0 to 1. */
  readonly frontEnds: readonly number[];
  readonly waiting: number;
  /** The longest of all processes. */
  readonly delayMs: number;
  readonly memoryMb: number;
}

const msPerSecond = 1_000;

/** Adds up what processes did in one period; undefined without any. */
export function ratesOf(periods: readonly WorkPeriod[]): Rates | undefined {
  if (periods.length === 0) return undefined;
  const sum = (value: (period: WorkPeriod) => number) =>
    periods.reduce((all, period) => all + value(period), 0);
  const perSecond = (count: (period: WorkPeriod) => number) =>
    sum((period) => count(period) / period.seconds);
  const share = (busyMs: number, { seconds }: WorkPeriod) => Math.min(1, busyMs / seconds / msPerSecond);
  const added = (counts: (period: WorkPeriod) => readonly number[]) =>
    [...durationBounds, 0].map((_, bucket) => sum((period) => counts(period)[bucket] ?? 0));
  const took = added(({ check_counts }) => check_counts);
  return {
    requests: {
      answered: perSecond(({ answered }) => answered),
      rejected: perSecond(({ rejected }) => rejected),
      refused: perSecond(({ refused }) => refused),
      failed: perSecond(({ failed }) => failed),
    },
    checks: perSecond(({ checks }) => checks),
    p50: quantileOf(took, 0.5),
    p99: quantileOf(took, 0.99),
    waitP99: quantileOf(
      added(({ wait_counts }) => wait_counts),
      0.99,
    ),
    workers: periods.flatMap((period) => period.workers_busy_ms.map((busy) => share(busy, period))),
    frontEnds: periods.map((period) => share(period.front_end_busy_ms, period)),
    waiting: sum(({ waiting }) => waiting),
    delayMs: Math.max(...periods.map((period) => period.event_loop_delay_p99_ms)),
    memoryMb: sum(({ memory_mb }) => memory_mb),
  };
}

/** All requests of a second, whatever became of them. */
export function allRequests({ requests }: Rates): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

/** The mean utilisation of the workers, 0 to 1. */
export function meanUtilisation({ workers }: Rates): number {
  return workers.reduce((sum, share) => sum + share, 0) / Math.max(1, workers.length);
}

/**
 * Estimates a quantile (0 to 1) in milliseconds from counts by bucket: within its bucket durations count as evenly
 * spread, beyond all bounds the last bound is given. Null where nothing was counted.
 */
export function quantileOf(counts: readonly number[], quantile: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
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
