import type { ProcessesAnswer } from "../../client/api-types.ts";
import { durationBounds, quantileOf } from "../../contract/durations.ts";
import type { WorkPeriod } from "../../metrics/work-period.ts";

/** What the processors of the machine do, for anybody: shares of their time, 0 to 1. */
interface MachineShares {
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

/** What is to be said of the service: a fault, that there is capacity to spare, or else what limits it. */
type Limit =
  | "noData"
  | "failing"
  | "idle"
  | "spare"
  | "machine"
  | "frontEnd"
  | "workers"
  | "queue"
  | "stalls";

/** How bad it is: nothing to do, to be watched, to be acted on. */
export type Severity = "calm" | "watch" | "act";

/** The highest values of settings. */
export interface SettingMaxima {
  readonly processes: number;
  readonly poolSize: number;
  readonly poolQueue: number;
}

/** What limits the service, and what helps. */
export interface Diagnosis {
  readonly limit: Limit;
  readonly severity: Severity;
  /** A setting to paste, such as `POOL_SIZE=3`; `machine` where only another one helps. */
  readonly advice: string | undefined;
}

/** Values from which a figure needs watching, and from which it needs action. */
export const thresholds = {
  utilisation: { watch: 0.7, act: 0.85 },
  /** Of all processors, by anybody: the threads of the service share them, so that they may be busier than each. */
  machine: { watch: 0.85, act: 0.95 },
  /** As a share of `POOL_QUEUE`. */
  queue: { watch: 0.5, act: 0.9 },
  delayMs: { watch: 50, act: 100 },
  /** As a share of all requests. */
  refused: { watch: Number.MIN_VALUE, act: 0.1 },
} as const;

/** Returns how bad a value is. */
export function severityOf(name: keyof typeof thresholds, value: number | undefined): Severity {
  const { watch, act } = thresholds[name];
  if (value === undefined || value < watch) return "calm";
  return value < act ? "watch" : "act";
}

/** Returns how much of the machine's processor time is taken, by anybody or by other virtual machines. */
export function takenOf({ busy, stolen }: MachineShares): number {
  return Math.min(1, busy + stolen);
}

/** A front end below this share does nothing but answer the console and probes. */
const quiet = 0.05;
/** A shorter queue is not worth a restart. */
const minQueue = 32;

/**
 * Finds what limits the processes shown, and what to do; undefined as long as there are no rates.
 *
 * It judges by the figures that are shown: the sentence is about the worst of them, and of several about the one that the
 * others depend on.
 *
 * @param shown the processes that `recent` is of; all unless given.
 */
export function diagnose(
  recent: Recent | undefined,
  { processes, missing }: ProcessesAnswer,
  maxima: SettingMaxima,
  shown: ProcessesAnswer["processes"] = processes,
): Diagnosis | undefined {
  const first = shown[0]?.metrics;
  if (recent === undefined || first === undefined) return undefined;
  if (processes.some(({ metrics }) => metrics.data.edition === ""))
    return { limit: "noData", severity: "act", advice: undefined };
  if (processes.some(({ metrics }) => metrics.pool.failing_task_kinds > 0))
    return { limit: "failing", severity: "act", advice: undefined };
  const refused = severityOf("refused", recent.refusedShare);
  const isLate = severityOf("delayMs", recent.delayMs) === "act" && recent.requests > 1;
  const figures: readonly (readonly [Limit, Severity])[] = [
    ["machine", severityOf("machine", takenOf(recent.machine))],
    ["frontEnd", severityOf("utilisation", recent.frontEnd)],
    ["workers", severityOf("utilisation", recent.workers)],
    ["queue", refused],
    ["queue", severityOf("queue", queueShare(recent, shown))],
    ["stalls", isLate ? "act" : "calm"],
  ];
  const worst = (["act", "watch"] as const)
    .map((severity) => figures.find(([, found]) => found === severity))
    .find((found) => found !== undefined);
  if (worst === undefined) {
    const isIdle = recent.requests < 1 && recent.frontEnd < quiet;
    return { limit: isIdle ? "idle" : "spare", severity: "calm", advice: undefined };
  }
  const [limit, severity] = worst;
  const { size, ceiling } = first.pool;
  const queue = ceiling - size;
  const isCoreFree = recent.machine.cores * (1 - takenOf(recent.machine)) >= 1;
  const setting = (name: string, value: number, max: number) =>
    value > max ? undefined : `${name}=${value}`;
  const onMoreCores = (found: string | undefined) => (isCoreFree && found) || "machine";
  const anotherProcess = () =>
    onMoreCores(setting("PROCESSES", processes.length + missing.length + 1, maxima.processes));
  const advice = (): string | undefined => {
    if (limit === "queue" && refused !== "calm" && queue < maxima.poolQueue)
      return `POOL_QUEUE=${Math.min(maxima.poolQueue, Math.max(minQueue, 2 * queue))}`;
    if (limit === "queue") return refused === "calm" ? undefined : anotherProcess();
    if (severity !== "act" || limit === "stalls") return undefined;
    if (limit === "machine") return "machine";
    if (limit === "frontEnd") return anotherProcess();
    return onMoreCores(setting("POOL_SIZE", size + 1, maxima.poolSize) ?? anotherProcess());
  };
  return { limit, severity, advice: advice() };
}

/** Returns how many accepted requests may wait in these processes: each has `POOL_QUEUE`. */
export function queueLimit(shown: ProcessesAnswer["processes"]): number {
  return shown.reduce((sum, { metrics: { pool } }) => sum + pool.ceiling - pool.size, 0);
}

/** Returns how full the queue is, 0 to 1. */
export function queueShare({ waiting }: Recent, shown: ProcessesAnswer["processes"]): number {
  return waiting / Math.max(1, queueLimit(shown));
}
