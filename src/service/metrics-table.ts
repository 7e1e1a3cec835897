import { performance } from "node:perf_hooks";
import { routes } from "../contract/routes.ts";
import type { OperationContext } from "../http/operations/operations.ts";
import type { Metric } from "../metrics/exposition.ts";
import { residentBytes } from "../metrics/process-load.ts";
import { productVersion } from "../settings.ts";

export interface MetricSources extends Pick<OperationContext, "counts" | "pool" | "usage" | "live" | "load"> {
  streams(): number;
  /** How many log lines were dropped because they were not read. */
  droppedLogLines(): number;
}

const secondsPerMs = 1 / 1_000;
const secondsPerDay = 86_400;
const secondsPerMicrosecond = 1 / 1_000_000;

const inSeconds = (days: number | null) => (days === null ? null : days * secondsPerDay);

/** The table of metrics: what Prometheus reads; a test compares dashboard and alerts with it. */
export const metricsTable: Readonly<Record<string, Metric<MetricSources>>> = {
  bankcheck_requests_total: {
    labels: ["method", "route", "status"],
    help: "Requests answered; route is the pattern, or none if no route matched.",
    read: ({ counts }) =>
      counts.byRouteAndStatus.map(({ method, route, status, count }) => [method, route, `${status}`, count]),
  },
  bankcheck_request_duration_seconds: {
    type: "histogram",
    labels: ["method", "route"],
    help: "Time from the arrival of the whole request to its answer; excludes requests that are refused before they begin.",
    read: ({ counts }) => routes.map(({ method, path, number }) => [method, path, counts.durations[number]!]),
  },
  bankcheck_refused_total: {
    labels: ["reason"],
    help: "Requests answered 503 server_busy, by reason: `queue_full` (no free place), `gave_way` (its place went to a key with fewer requests), `queue_time` (it waited for `CHECK_TIMEOUT`, or would have), `key_concurrency` and `key_rate` (a limit of the key), `body_memory` (no memory for more unfinished bodies), `streams` (too many open streams), `usage_store` (the usage store does not answer).",
    read: ({ pool }) => Object.entries(pool.admission.refused),
  },
  bankcheck_abandoned_total: {
    help: "Accepted requests dropped because their client closed the connection before a worker began them; they do not count as usage.",
    read: ({ pool }) => pool.counts.abandoned,
  },
  bankcheck_checks_total: {
    help: "Checks answered, as counted for usage: one for each single check, search and IBAN of a batch.",
    read: ({ counts }) => counts.checks,
  },
  bankcheck_usage_pending_checks: {
    help: "Checks counted but not yet written to the usage store.",
    read: ({ usage }) => usage.pending,
  },
  bankcheck_usage_lag_seconds: {
    help: "Age of the oldest count that is not yet written to the usage store.",
    read: ({ usage }) => usage.lagMs * secondsPerMs,
  },
  bankcheck_usage_lost_checks_total: {
    help: "Checks that were not counted because the usage store was not writable for too long.",
    read: ({ usage }) => usage.lost,
  },
  bankcheck_streams: {
    help: "Open streams of `POST /v1/stream`.",
    read: ({ streams }) => streams(),
  },
  bankcheck_pool_inside: {
    help: "Accepted requests in progress or waiting.",
    read: ({ pool }) => pool.admission.inside,
  },
  bankcheck_pool_ceiling: {
    help: "Maximum number of accepted requests: pool size plus queue.",
    read: ({ pool }) => pool.admission.ceiling,
  },
  bankcheck_pool_large_ceiling: {
    help: "Maximum number of accepted requests that are not single checks or look-ups.",
    read: ({ pool }) => pool.admission.largeCeiling,
  },
  bankcheck_queue_depth: {
    help: "Accepted requests that wait for a worker: those beyond the pool size.",
    read: ({ pool }) => pool.waiting,
  },
  bankcheck_queue_wait_seconds: {
    type: "histogram",
    help: "Time from the arrival of the whole request until a worker begins it.",
    read: ({ counts }) => counts.queueWait,
  },
  bankcheck_workers: {
    help: "Worker threads of the pool.",
    read: ({ pool }) => pool.size,
  },
  bankcheck_worker_busy_seconds_total: {
    labels: ["worker"],
    help: "Time a worker was busy; its rate is the worker's utilisation.",
    read: ({ pool }) => pool.busyMs.map((busy, worker) => [`${worker}`, busy * secondsPerMs]),
  },
  bankcheck_worker_restarts_total: {
    help: "Worker threads that ended and were replaced.",
    read: ({ pool }) => pool.counts.restarts,
  },
  bankcheck_failing_task_kinds: {
    help: "Kinds of task that are answered checker_failed without a worker because they kept killing workers.",
    read: ({ pool }) => pool.load.failing_task_kinds,
  },
  bankcheck_front_end_busy_seconds_total: {
    help: "Time the front end, the process's main thread, was busy; its rate is its utilisation.",
    read: () => performance.eventLoopUtilization().active * secondsPerMs,
  },
  bankcheck_event_loop_delay_p99_seconds: {
    help: "99th percentile of the event-loop delay in the last ten to twenty seconds.",
    read: ({ load }) => load().event_loop_delay_p99_ms * secondsPerMs,
  },
  bankcheck_data_info: {
    labels: ["edition", "other_countries"],
    help: "Always 1; the labels name the bank data in use.",
    read: ({ live: { facts } }) => [[facts.edition, facts.other_countries, 1]],
  },
  bankcheck_data_age_seconds: {
    help: "Time since the first day of the German bank data, in whole days; absent without such data.",
    read: ({ live }) => inSeconds(live.facts.age_days),
  },
  bankcheck_data_expired: {
    help: "1 after the last day of the German bank data; it stays in use.",
    read: ({ live }) => Number(live.facts.expired),
  },
  bankcheck_data_list_age_seconds: {
    labels: ["country"],
    help: "Time since the first day of a country's list of banks, in whole days; absent if its source states no day.",
    read: ({ live }) => live.lists.map(({ country, age_days }) => [country, inSeconds(age_days)]),
  },
  bankcheck_data_list_bank_codes: {
    labels: ["country"],
    help: "Bank codes in a country's list of banks.",
    read: ({ live }) => live.lists.map(({ country, rows }) => [country, rows]),
  },
  bankcheck_data_loads_total: {
    help: "Number of times bank data was loaded.",
    read: ({ live }) => live.facts.loads,
  },
  bankcheck_data_refusals_total: {
    help: "Number of times bank data was refused because it was damaged, truncated or older.",
    read: ({ live }) => live.facts.refusals,
  },
  bankcheck_log_dropped_lines_total: {
    help: "Log lines dropped because the disk was full or the reader had stopped.",
    read: ({ droppedLogLines }) => droppedLogLines(),
  },
  bankcheck_build_info: {
    labels: ["version", "node"],
    help: "Always 1; the labels name the versions of the service and of Node.",
    read: () => [[productVersion, process.version, 1]],
  },
  process_cpu_seconds_total: {
    help: "Processor time of all threads of the process.",
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) * secondsPerMicrosecond;
    },
  },
  process_resident_memory_bytes: {
    help: "Resident memory of the process.",
    read: residentBytes,
  },
  process_start_time_seconds: {
    help: "Start time of the process, in seconds since 1970.",
    read: () => performance.timeOrigin * secondsPerMs,
  },
};
