import type { WorkPeriod } from "../../contract/api-types.ts";
import { durationBounds, quantileOf } from "../../contract/durations.ts";

/** What the processors of the machine do, for anybody: shares of their time, 0 to 1. */
export interface MachineShares {
  readonly cores: number;
  readonly busy: number;
  /** Taken by other virtual machines. */
  readonly stolen: number;
}

/** The work of one process, or of several together, in a period, as rates per second, and their state at its end. */
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
  /** How long checks and searches took, in milliseconds; null if there were none. */
  readonly p50: number | null;
  readonly p99: number | null;
  /** How long they waited for a worker, in milliseconds. */
  readonly waitP99: number | null;
  /** By worker, 0 to 1. */
  readonly workers: readonly number[];
  /** By process, 0 to 1. */
  readonly frontEnds: readonly number[];
  readonly machine: MachineShares;
  readonly waiting: number;
  /** The longest of all processes. */
  readonly delayMs: number;
  readonly memoryMb: number;
}

/** One moment; without rates the service did not answer, or was not asked. */
export interface Moment {
  /** Seconds since 1970. */
  readonly at: number;
  readonly rates?: Rates | undefined;
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
    machine: machineOf(periods),
    waiting: sum(({ waiting }) => waiting),
    delayMs: Math.max(...periods.map((period) => period.event_loop_delay_p99_ms)),
    memoryMb: sum(({ memory_mb }) => memory_mb),
  };
}

/** Every process reads the times of the same processors; one that has just started knows none. */
function machineOf(periods: readonly WorkPeriod[]): MachineShares {
  const cores = Math.max(...periods.map(({ machine_cores }) => machine_cores));
  const share = (ms: (period: WorkPeriod) => number) =>
    Math.min(1, Math.max(...periods.map((period) => ms(period) / (cores * period.seconds * msPerSecond))));
  return {
    cores,
    busy: share(({ machine_busy_ms }) => machine_busy_ms),
    stolen: share(({ machine_stolen_ms }) => machine_stolen_ms),
  };
}

/** Returns all requests of a second, answered or not. */
function allRequests({ requests }: Rates): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

/** Returns the mean utilisation of the workers, 0 to 1. */
export function meanUtilisation({ workers }: Rates): number {
  return workers.reduce((sum, share) => sum + share, 0) / Math.max(1, workers.length);
}

/** The last seconds in the figures that decide what limits the service: means, and the highest latency and queue. */
export interface Recent {
  readonly requests: number;
  readonly checks: number;
  readonly refused: number;
  /** Refused as a share of all requests, 0 to 1. */
  readonly refusedShare: number;
  readonly p99: number | undefined;
  readonly waiting: number;
  readonly workers: number;
  /** Of the busiest front end. */
  readonly frontEnd: number;
  readonly machine: MachineShares;
  readonly delayMs: number;
}

/** One period of the history that the service records, so that one busy second decides nothing. */
const recentSeconds = 10;

/** Adds up the last seconds; undefined while the newest moment has no rates. */
export function recentOf(moments: readonly Moment[]): Recent | undefined {
  const last = moments.at(-1);
  if (last?.rates === undefined) return undefined;
  const looked = moments.flatMap(({ at, rates }) =>
    rates !== undefined && at > last.at - recentSeconds ? [rates] : [],
  );
  const mean = (value: (rates: Rates) => number) =>
    looked.reduce((sum, rates) => sum + value(rates), 0) / looked.length;
  const requests = mean(allRequests);
  const refused = mean((rates) => rates.requests.refused);
  const latencies = looked.flatMap(({ p99 }) => p99 ?? []);
  return {
    requests,
    checks: mean(({ checks }) => checks),
    refused,
    refusedShare: refused / Math.max(Number.MIN_VALUE, requests),
    p99: latencies.length === 0 ? undefined : Math.max(...latencies),
    waiting: Math.max(...looked.map(({ waiting }) => waiting)),
    workers: mean(meanUtilisation),
    frontEnd: mean(({ frontEnds }) => Math.max(...frontEnds)),
    machine: {
      cores: last.rates.machine.cores,
      busy: mean(({ machine }) => machine.busy),
      stolen: mean(({ machine }) => machine.stolen),
    },
    delayMs: mean(({ delayMs }) => delayMs),
  };
}
