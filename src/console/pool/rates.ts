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

/** Adds up what processes did in one period; undefined without any. */
export function ratesOf(periods: readonly WorkPeriod[]) {
  if (periods.length === 0) return undefined;
  const sum = (value: (period: WorkPeriod) => number) =>
    periods.reduce((all, period) => all + value(period), 0);
  const perSecond = (count: (period: WorkPeriod) => number) =>
    sum((period) => count(period) / period.seconds);
  const share = (busyMs: number, { seconds }: WorkPeriod) => Math.min(1, busyMs / seconds / msPerSecond);
  const quantile = (counts: (period: WorkPeriod) => readonly number[], rank: number) =>
    quantileOf(
      [...durationBounds, 0].map((_, bucket) => sum((period) => counts(period)[bucket] ?? 0)),
      rank,
    );
  return {
    requests: {
      answered: perSecond(({ answered }) => answered),
      /** Answered 4xx: the request was wrong. */
      rejected: perSecond(({ rejected }) => rejected),
      /** Answered 503 server_busy. */
      refused: perSecond(({ refused }) => refused),
      /** Answered 5xx for any other reason. */
      failed: perSecond(({ failed }) => failed),
    },
    checks: perSecond(({ checks }) => checks),
    /** How long checks and searches took, in milliseconds; null if there were none. */
    p50: quantile(({ check_counts }) => check_counts, 0.5),
    p99: quantile(({ check_counts }) => check_counts, 0.99),
    /** How long they waited for a worker, in milliseconds. */
    waitP99: quantile(({ wait_counts }) => wait_counts, 0.99),
    /** By worker, 0 to 1. */
    workers: periods.flatMap((period) => period.workers_busy_ms.map((busy) => share(busy, period))),
    /** By process, 0 to 1. */
    frontEnds: periods.map((period) => share(period.front_end_busy_ms, period)),
    machine: machineOf(periods),
    waiting: sum(({ waiting }) => waiting),
    /** The longest of all processes. */
    delayMs: Math.max(...periods.map((period) => period.event_loop_delay_p99_ms)),
    memoryMb: sum(({ memory_mb }) => memory_mb),
  };
}

/** What the processors of the machine do, for anybody: shares of their time, 0 to 1. */
export type MachineShares = ReturnType<typeof machineOf>;

/** Every process reads the times of the same processors; one that has just started knows none. */
function machineOf(periods: readonly WorkPeriod[]) {
  const cores = Math.max(...periods.map(({ machine_cores }) => machine_cores));
  const share = (ms: (period: WorkPeriod) => number) =>
    Math.min(1, Math.max(...periods.map((period) => ms(period) / (cores * period.seconds * msPerSecond))));
  return {
    cores,
    busy: share(({ machine_busy_ms }) => machine_busy_ms),
    /** Taken by other virtual machines. */
    stolen: share(({ machine_stolen_ms }) => machine_stolen_ms),
  };
}

/** The mean of the workers, 0 to 1. */
export function meanUtilisation({ workers }: Rates): number {
  return workers.reduce((sum, share) => sum + share, 0) / Math.max(1, workers.length);
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
  const requests = mean((rates) => Object.values(rates.requests).reduce((sum, count) => sum + count, 0));
  const refused = mean((rates) => rates.requests.refused);
  const latencies = looked.flatMap(({ p99 }) => p99 ?? []);
  return {
    requests,
    checks: mean(({ checks }) => checks),
    refused,
    /** Refused as a share of all requests, 0 to 1. */
    refusedShare: refused / Math.max(Number.MIN_VALUE, requests),
    p99: latencies.length === 0 ? undefined : Math.max(...latencies),
    waiting: Math.max(...looked.map(({ waiting }) => waiting)),
    workers: mean(meanUtilisation),
    /** Of the busiest front end. */
    frontEnd: mean(({ frontEnds }) => Math.max(...frontEnds)),
    machine: {
      cores: last.rates.machine.cores,
      busy: mean(({ machine }) => machine.busy),
      stolen: mean(({ machine }) => machine.stolen),
    },
    delayMs: mean(({ delayMs }) => delayMs),
  };
}
