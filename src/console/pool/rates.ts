import type { WorkPeriod } from "../../contract/api-types.ts";
import { durationBounds, quantileOf } from "../../contract/durations.ts";

/** The work of one process, or of several together, in a period, as rates per second, and their state at its end. */
export type Rates = NonNullable<ReturnType<typeof ratesOf>>;

/** One moment; without rates the service did not answer, or was not asked. */
export interface Moment {
  /** Seconds since 1970. */
  readonly at: number;
  readonly rates?: Rates | undefined;
}

const msPerSecond = 1_000;

/** Adds up what processes did in one period; undefined without any. Shares of time are from 0 to 1. */
export function ratesOf(periods: readonly WorkPeriod[]) {
  if (periods.length === 0) return undefined;
  const sum = (value: (period: WorkPeriod) => number) =>
    periods.reduce((all, period) => all + value(period), 0);
  const most = (value: (period: WorkPeriod) => number) => Math.max(...periods.map(value));
  const perSecond = (count: "answered" | "rejected" | "refused" | "failed" | "checks") =>
    sum((period) => period[count] / period.seconds);
  const share = (busyMs: number, { seconds }: WorkPeriod) => Math.min(1, busyMs / seconds / msPerSecond);
  const quantile = (counts: "check_counts" | "wait_counts", rank: number) =>
    quantileOf(
      [...durationBounds, 0].map((_, bucket) => sum((period) => period[counts][bucket] ?? 0)),
      rank,
    );
  const workers = periods.flatMap((period) => period.workers_busy_ms.map((busy) => share(busy, period)));
  // Every process reads the times of the same processors; one that has just started knows none.
  const cores = most(({ machine_cores }) => machine_cores);
  const busy = most((period) => share(period.machine_busy_ms / cores, period));
  const stolen = most((period) => share(period.machine_stolen_ms / cores, period));
  return {
    answered: perSecond("answered"),
    /** Answered 4xx: the request was wrong. */
    rejected: perSecond("rejected"),
    /** Answered 503 server_busy. */
    refused: perSecond("refused"),
    /** Answered 5xx for any other reason. */
    failed: perSecond("failed"),
    checks: perSecond("checks"),
    /** How long checks and searches took, in milliseconds; null if there were none. */
    p50: quantile("check_counts", 0.5),
    p99: quantile("check_counts", 0.99),
    /** How long they waited for a worker, in milliseconds. */
    waitP99: quantile("wait_counts", 0.99),
    busiestWorker: Math.max(...workers),
    workers: workers.reduce((all, busy) => all + busy, 0) / Math.max(1, workers.length),
    idlestWorker: Math.min(...workers),
    /** The busiest of all processes. */
    frontEnd: most((period) => share(period.front_end_busy_ms, period)),
    cores,
    /** For anybody, as a share of all processors. */
    busy,
    /** By other virtual machines. */
    stolen,
    taken: takenOf({ busy, stolen }),
    waiting: sum(({ waiting }) => waiting),
    /** The longest of all processes. */
    delayMs: most((period) => period.event_loop_delay_p99_ms),
    memoryMb: sum(({ memory_mb }) => memory_mb),
  };
}

/** Returns how much of the machine's processor time is taken, by anybody or by other virtual machines. */
export function takenOf({ busy, stolen }: { readonly busy: number; readonly stolen: number }): number {
  return Math.min(1, busy + stolen);
}

/** One period of the history that the service records, so that one busy second decides nothing. */
const recentSeconds = 10;

export type Recent = NonNullable<ReturnType<typeof recentOf>>;

/**
 * The last seconds in the figures that decide what limits the service: means, and the highest latency and queue. Undefined
 * while the newest moment has no rates.
 */
export function recentOf(moments: readonly Moment[]) {
  const last = moments.at(-1);
  if (last?.rates === undefined) return undefined;
  const looked = moments.flatMap(({ at, rates }) =>
    rates !== undefined && at > last.at - recentSeconds ? [rates] : [],
  );
  const mean = (value: (rates: Rates) => number) =>
    looked.reduce((sum, rates) => sum + value(rates), 0) / looked.length;
  const requests = mean(({ answered, rejected, refused, failed }) => answered + rejected + refused + failed);
  const refused = mean((rates) => rates.refused);
  const latencies = looked.flatMap(({ p99 }) => p99 ?? []);
  return {
    requests,
    checks: mean(({ checks }) => checks),
    refused,
    refusedShare: refused / Math.max(Number.MIN_VALUE, requests),
    p99: latencies.length === 0 ? undefined : Math.max(...latencies),
    waiting: Math.max(...looked.map(({ waiting }) => waiting)),
    workers: mean(({ workers }) => workers),
    frontEnd: mean(({ frontEnd }) => frontEnd),
    cores: last.rates.cores,
    busy: mean(({ busy }) => busy),
    stolen: mean(({ stolen }) => stolen),
    delayMs: mean(({ delayMs }) => delayMs),
  };
}
