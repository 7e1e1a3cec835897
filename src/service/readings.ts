import type { BankListFacts, EditionFacts } from "../banks/editions/live-edition.ts";
import type { MetricReadings, Sample } from "../metrics/exposition.ts";
import type { RequestCounts } from "../metrics/request-counts.ts";
import { refusalReasons } from "../pool/admission.ts";
import type { CheckPool } from "../pool/check-pool.ts";
import { frontEndBusyMs, type ProcessLoad, productVersion } from "../process/facts.ts";
import type { UsageRecorder } from "../usage/usage-recorder.ts";

/** What the metrics are read from. */
export interface ReadingSources {
  readonly counts: RequestCounts;
  readonly pool: CheckPool;
  readonly usage: UsageRecorder;
  /** Facts about the bank data in use. */
  data(): EditionFacts;
  /** The lists of banks in use, one for each country. */
  lists(): readonly BankListFacts[];
  /** How many log lines were dropped because they were not read. */
  droppedLogLines(): number;
  /** How busy the process has been since the last call. */
  load(): ProcessLoad;
}

const secondsPerMs = 1 / 1_000;
const secondsPerDay = 86_400;
const secondsPerMicrosecond = 1 / 1_000_000;

const one = (value: number): readonly Sample[] => [{ value }];

/** How each metric of the table is read. */
export function serviceReadings({
  counts,
  pool,
  usage,
  data,
  lists,
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
    checks: () => one(counts.checks),
    usagePending: () => one(usage.pending),
    usageLag: () => one(usage.lagMs * secondsPerMs),
    usageLost: () => one(usage.lost),
    inside: () => one(pool.inside),
    ceiling: () => one(pool.ceiling),
    largeCeiling: () => one(pool.largeCeiling),
    queueDepth: () => one(pool.waiting),
    queueWait: () => [{ value: counts.queueWait }],
    workers: () => one(pool.size),
    workerBusy: () =>
      pool.busyMs.map((busy, worker) => ({ labels: { worker: String(worker) }, value: busy * secondsPerMs })),
    workerRestarts: () => one(pool.restarts),
    failingTasks: () => one(pool.failingKinds),
    frontEndBusy: () => one(frontEndBusyMs() * secondsPerMs),
    eventLoopDelay: () => one(load().event_loop_delay_p99_ms * secondsPerMs),
    dataInfo: () => {
      const { edition, other_countries } = data();
      return [{ labels: { edition, other_countries }, value: 1 }];
    },
    dataAge: () => {
      const { age_days } = data();
      return age_days === null ? [] : one(age_days * secondsPerDay);
    },
    dataExpired: () => one(Number(data().expired)),
    dataListAge: () =>
      lists().flatMap(({ country, age_days }) =>
        age_days === null ? [] : [{ labels: { country }, value: age_days * secondsPerDay }],
      ),
    dataListRows: () => lists().map(({ country, rows }) => ({ labels: { country }, value: rows })),
    dataLoads: () => one(data().loads),
    dataRefusals: () => one(data().refusals),
    logDropped: () => one(droppedLogLines()),
    buildInfo: () => [{ labels: { version: productVersion, node: process.version }, value: 1 }],
    cpu: () => {
      const { user, system } = process.cpuUsage();
      return one((user + system) * secondsPerMicrosecond);
    },
    memory: () => one(process.memoryUsage.rss()),
    startTime: () => one((Date.now() - process.uptime() / secondsPerMs) * secondsPerMs),
  };
}
