import type { ProcessesAnswer } from "../../client/api-types.ts";
import { durationBounds, quantileOf } from "../../contract/durations.ts";
import type { WorkPeriod } from "../../contract/work-period.ts";

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
    waiting: sum(({ waiting }) => waiting),
    delayMs: Math.max(...periods.map((period) => period.event_loop_delay_p99_ms)),
    memoryMb: sum(({ memory_mb }) => memory_mb),
  };
}

/** Returns all requests of a second, answered or not. */
export function allRequests({ requests }: Rates): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

/** Returns the mean utilisation of the workers, 0 to 1. */
export function meanUtilisation({ workers }: Rates): number {
  return workers.reduce((sum, share) => sum + share, 0) / Math.max(1, workers.length);
}

/** The limit of the service, as far as the last readings show it. */
export type Limit =
  | "idle"
  | "roomy"
  | "frontEndFull"
  | "workersFull"
  | "workersFullAndRefusing"
  | "burstsRefused"
  | "longestQueueRefused"
  | "stalls"
  | "failing"
  | "noData";

/** How bad it is: nothing to do, to be watched, to be acted on. */
export type Severity = "calm" | "watch" | "act";

/** The highest values of settings. */
export interface SettingMaxima {
  readonly processes: number;
  readonly poolSize: number;
  readonly poolQueue: number;
}

interface Diagnosis {
  readonly limit: Limit;
  readonly severity: Severity;
  /** To paste: `POOL_SIZE=3`. */
  readonly setting: string | undefined;
}

/** Values from which a figure needs watching, and from which it needs action. */
export const thresholds = {
  utilisation: { watch: 0.7, act: 0.85 },
  /** As a share of `POOL_QUEUE`. */
  queue: { watch: 0.5, act: 0.9 },
  delayMs: { watch: 50, act: 100 },
  refused: { watch: Number.MIN_VALUE, act: Number.POSITIVE_INFINITY },
} as const;

/** Returns how bad a value is. */
export function severityOf(name: keyof typeof thresholds, value: number | undefined): Severity {
  const { watch, act } = thresholds[name];
  if (value === undefined || value < watch) return "calm";
  return value < act ? "watch" : "act";
}

/** The number of seconds looked at, so that one busy second decides nothing. */
const lookedAtSeconds = 15;
const quiet = 0.05;
/** A shorter queue is not worth a restart. */
const minQueue = 32;

const severities: Readonly<Record<Limit, Severity>> = {
  idle: "calm",
  roomy: "calm",
  frontEndFull: "act",
  workersFull: "watch",
  workersFullAndRefusing: "act",
  burstsRefused: "watch",
  longestQueueRefused: "act",
  stalls: "act",
  failing: "act",
  noData: "act",
};

/**
 * Finds what limits the service from the last seconds; undefined as long as there are no rates. The first condition that
 * is met wins: no data, failing tasks, full front ends, full workers, bursts, stalls.
 */
export function diagnose(
  moments: readonly Moment[],
  { processes, missing }: ProcessesAnswer,
  maxima: SettingMaxima,
): Diagnosis | undefined {
  const last = moments.at(-1)?.at ?? 0;
  const looked = moments.flatMap(({ at, rates }) =>
    rates !== undefined && at > last - lookedAtSeconds ? [rates] : [],
  );
  const first = processes[0]?.metrics;
  if (looked.length === 0 || first === undefined) return undefined;
  const { size, ceiling } = first.pool;
  const queue = ceiling - size;
  const mean = (value: (rates: (typeof looked)[number]) => number) =>
    looked.reduce((sum, rates) => sum + value(rates), 0) / looked.length;
  const frontEnd = mean(({ frontEnds }) => Math.max(...frontEnds));
  const workers = mean(meanUtilisation);
  const refused = mean(({ requests }) => requests.refused);
  const requests = mean(allRequests);
  const late = mean(({ delayMs }) => delayMs);
  const full = thresholds.utilisation.act;
  const limit = ((): Limit => {
    if (processes.some(({ metrics }) => metrics.data.edition === "")) return "noData";
    if (processes.some(({ metrics }) => metrics.pool.failing_task_kinds > 0)) return "failing";
    if (frontEnd >= full) return "frontEndFull";
    if (workers >= full) return refused > 0 ? "workersFullAndRefusing" : "workersFull";
    if (refused > 0) return queue < maxima.poolQueue ? "burstsRefused" : "longestQueueRefused";
    if (late >= thresholds.delayMs.act && requests > 1) return "stalls";
    return requests < 1 && frontEnd < quiet ? "idle" : "roomy";
  })();
  const anotherProcess = settingOf("PROCESSES", processes.length + missing.length + 1, maxima.processes);
  const anotherWorker = settingOf("POOL_SIZE", size + 1, maxima.poolSize) ?? anotherProcess;
  const settings: Readonly<Partial<Record<Limit, string | undefined>>> = {
    frontEndFull: anotherProcess,
    workersFull: anotherWorker,
    workersFullAndRefusing: anotherWorker,
    burstsRefused: `POOL_QUEUE=${Math.min(maxima.poolQueue, Math.max(minQueue, 2 * queue))}`,
    longestQueueRefused: anotherProcess,
  };
  return { limit, severity: severities[limit], setting: settings[limit] };
}

/** A setting to paste; undefined beyond its maximum. */
function settingOf(name: string, value: number, max: number): string | undefined {
  return value > max ? undefined : `${name}=${value}`;
}
