import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { LiveEdition } from "../banks/editions/live-edition.ts";
import { durationBounds } from "../contract/durations.ts";
import { periodBetween, type Reading } from "../contract/work-period.ts";
import type { OperationContext } from "../http/operations/operations.ts";
import type { MetricReadings, Sample } from "../metrics/exposition.ts";
import type { RequestCounts } from "../metrics/request-counts.ts";
import { refusalReasons } from "../pool/admission.ts";
import type { CheckPool } from "../pool/check-pool.ts";
import { productVersion } from "../settings.ts";
import type { UsageRecorder } from "../usage/usage-recorder.ts";

const periodMs = 10_000;
const keptMs = 3_600_000;

/** Work of the processes in the last hour; a period takes some 400 bytes, so an hour of a process about 150 KB. */
export class WorkHistory {
  readonly #periods = new Map<number, string[]>();

  /** Adds a period of a process as JSON, and forgets the one that is an hour old. */
  add(number: number, period: string): void {
    const periods = this.#periods.get(number) ?? [];
    periods.push(period);
    if (periods.length > keptMs / periodMs) periods.shift();
    this.#periods.set(number, periods);
  }

  /** The answer of `GET /service/metrics/history`. */
  get answer(): string {
    const processes = [...this.#periods]
      .toSorted(([one], [other]) => one - other)
      .map(([number, periods]) => `{"number":${number},"periods":[${periods.join(",")}]}`);
    return `{"bounds_ms":${JSON.stringify(durationBounds)},"processes":[${processes.join(",")}]}`;
  }
}

/** Returns the answer of `GET /service/metrics/processes` from readings as JSON, by the number of their process. */
export function processesAnswer(readings: ReadonlyMap<number, string | undefined>): string {
  const sorted = [...readings].toSorted(([one], [other]) => one - other);
  const processes = sorted
    .filter(([, reading]) => reading !== undefined)
    .map(([number, reading]) => `{"number":${number},"metrics":${reading}}`);
  const missing = sorted.filter(([, reading]) => reading === undefined).map(([number]) => number);
  return `{"processes":[${processes.join(",")}],"missing":${JSON.stringify(missing)}}`;
}

/** Reads the work of the process every ten seconds and passes it on as JSON; the returned function ends that. */
export function recordWork(read: () => Reading, onPeriod: (period: string) => void): () => void {
  let before: Reading | undefined;
  let readAt = performance.now() - process.uptime() * 1_000;
  const timer = setInterval(() => {
    const now = performance.now();
    const then = read();
    const at = Math.round(Date.now() / 100) / 10;
    onPeriod(JSON.stringify(periodBetween(before, then, at, Math.round(now - readAt) / 1_000)));
    before = then;
    readAt = now;
  }, periodMs);
  timer.unref();
  return () => clearInterval(timer);
}

const resolutionMs = 10;

/** How often it is looked whether the process has anything to do, in milliseconds. */
const activityMs = 1_000;
const nanosecondsPerMs = 1e6;
const bytesPerMb = 1_048_576;

/**
 * Starts to watch the process and returns the function that reads how busy it is; a reading changes nothing for the next
 * reader. The delay of the event loop is that of the last ten to twenty seconds.
 *
 * `answers` returns how many requests have been answered since the start. The delay of the event loop is measured by
 * waking up a hundred times a second, so only while there are requests: an idle process stays idle.
 */
export function watchProcessLoad(answers: () => number): OperationContext["load"] {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  // The histogram holds whole intervals between samples, the resolution included.
  const lateMs = () => Math.max(0, delay.percentile(99) / nanosecondsPerMs - resolutionMs);
  let last = answers();
  let looks = 0;
  let lateBefore = 0;
  const look = setInterval(() => {
    const now = answers();
    if (now === last) delay.disable();
    else delay.enable();
    last = now;
    looks++;
    if (looks % (periodMs / activityMs) > 0) return;
    lateBefore = lateMs();
    delay.reset();
  }, activityMs);
  look.unref();
  return () => ({
    event_loop_delay_p99_ms: Math.round(Math.max(lateBefore, lateMs()) * 10) / 10,
    memory_mb: Math.round(process.memoryUsage.rss() / bytesPerMb),
  });
}

/** Busy time of this thread's event loop, the front end, since the start, in milliseconds. */
function frontEndBusyMs(): number {
  return performance.eventLoopUtilization().active;
}

/** Sources of the metrics. */
interface ReadingSources {
  readonly counts: RequestCounts;
  readonly pool: CheckPool;
  /** How many streams are open. */
  streams(): number;
  readonly usage: UsageRecorder;
  /** The bank data in use. */
  readonly live: LiveEdition;
  /** How many log lines were dropped because they were not read. */
  droppedLogLines(): number;
  /** How busy the process is. */
  readonly load: OperationContext["load"];
}

const secondsPerMs = 1 / 1_000;
const secondsPerDay = 86_400;
const secondsPerMicrosecond = 1 / 1_000_000;

const one = (value: number): readonly Sample[] => [{ value }];

/** Returns the functions that read the metrics of the table. */
export function serviceReadings({
  counts,
  pool,
  usage,
  live,
  streams,
  droppedLogLines,
  load,
}: ReadingSources): MetricReadings {
  return {
    requests: () =>
      [...counts.byRouteAndStatus()].map(({ method, route, status, count }) => ({
        labels: { method, route, status: String(status) },
        value: count,
      })),
    requestDuration: () =>
      counts.routes
        .map((labels, number) => ({ labels: { ...labels }, value: counts.durations[number]! }))
        .slice(1),
    refused: () => refusalReasons.map((reason) => ({ labels: { reason }, value: pool.refused[reason] })),
    abandoned: () => one(pool.abandoned),
    checks: () => one(counts.checks),
    usagePending: () => one(usage.pending),
    usageLag: () => one(usage.lagMs * secondsPerMs),
    usageLost: () => one(usage.lost),
    streams: () => one(streams()),
    inside: () => one(pool.inside),
    ceiling: () => one(pool.ceiling),
    largeCeiling: () => one(pool.largeCeiling),
    queueDepth: () => one(Math.max(0, pool.inside - pool.size)),
    queueWait: () => [{ value: counts.queueWait }],
    workers: () => one(pool.size),
    workerBusy: () =>
      pool.busyMs.map((busy, worker) => ({ labels: { worker: String(worker) }, value: busy * secondsPerMs })),
    workerRestarts: () => one(pool.restarts),
    failingTasks: () => one(pool.failingKinds),
    frontEndBusy: () => one(frontEndBusyMs() * secondsPerMs),
    eventLoopDelay: () => one(load().event_loop_delay_p99_ms * secondsPerMs),
    dataInfo: () => {
      const { edition, other_countries } = live.facts;
      return [{ labels: { edition, other_countries }, value: 1 }];
    },
    dataAge: () => {
      const { age_days } = live.facts;
      return age_days === null ? [] : one(age_days * secondsPerDay);
    },
    dataExpired: () => one(Number(live.facts.expired)),
    dataListAge: () =>
      live.lists.flatMap(({ country, age_days }) =>
        age_days === null ? [] : [{ labels: { country }, value: age_days * secondsPerDay }],
      ),
    dataListRows: () => live.lists.map(({ country, rows }) => ({ labels: { country }, value: rows })),
    dataLoads: () => one(live.facts.loads),
    dataRefusals: () => one(live.facts.refusals),
    logDropped: () => one(droppedLogLines()),
    buildInfo: () => [{ labels: { version: productVersion, node: process.version }, value: 1 }],
    cpu: () => {
      const { user, system } = process.cpuUsage();
      return one((user + system) * secondsPerMicrosecond);
    },
    memory: () => one(process.memoryUsage.rss()),
    startTime: () => one(performance.timeOrigin * secondsPerMs),
  };
}
