import { performance } from "node:perf_hooks";
import type { LiveEdition } from "../banks/editions/live-edition.ts";
import type { MetricReadings, Sample } from "../metrics/exposition.ts";
import { type ProcessLoad, residentBytes } from "../metrics/process-load.ts";
import type { RequestCounts } from "../metrics/request-counts.ts";
import { refusalReasons } from "../pool/admission.ts";
import type { CheckPool } from "../pool/check-pool.ts";
import { productVersion } from "../settings.ts";
import type { UsageRecorder } from "../usage/usage-recorder.ts";

/** Sources of the metrics. */
export interface MetricSources {
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
  load(): ProcessLoad;
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
}: MetricSources): MetricReadings {
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
    refused: () =>
      refusalReasons.map((reason) => ({ labels: { reason }, value: pool.admission.refused[reason] })),
    abandoned: () => one(pool.counts.abandoned),
    checks: () => one(counts.checks),
    usagePending: () => one(usage.pending),
    usageLag: () => one(usage.lagMs * secondsPerMs),
    usageLost: () => one(usage.lost),
    streams: () => one(streams()),
    inside: () => one(pool.admission.inside),
    ceiling: () => one(pool.admission.ceiling),
    largeCeiling: () => one(pool.admission.largeCeiling),
    queueDepth: () => one(pool.waiting),
    queueWait: () => [{ value: counts.queueWait }],
    workers: () => one(pool.size),
    workerBusy: () =>
      pool.busyMs.map((busy, worker) => ({ labels: { worker: String(worker) }, value: busy * secondsPerMs })),
    workerRestarts: () => one(pool.counts.restarts),
    failingTasks: () => one(pool.failingKinds),
    frontEndBusy: () => one(performance.eventLoopUtilization().active * secondsPerMs),
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
    memory: () => one(residentBytes()),
    startTime: () => one(performance.timeOrigin * secondsPerMs),
  };
}
