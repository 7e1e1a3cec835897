/** One row of the metrics table. */
export interface MetricRow {
  /** Name as Prometheus knows it, with its unit. */
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly labels?: readonly string[];
  readonly help: string;
}

/**
 * The table of metrics: the Prometheus registry and the README are made from it; a test compares dashboard and alerts
 * with it.
 *
 * Counters begin at 0 when the process starts. Histograms have the buckets of `durationBounds`.
 */
export const metricsTable = {
  requests: {
    name: "bankcheck_requests_total",
    type: "counter",
    labels: ["method", "route", "status"],
    help: "Requests answered; route is the pattern, or none if no route matched.",
  },
  requestDuration: {
    name: "bankcheck_request_duration_seconds",
    type: "histogram",
    labels: ["method", "route"],
    help: "Time from the arrival of the whole request to its answer; excludes requests that are refused before they begin.",
  },
  refused: {
    name: "bankcheck_refused_total",
    type: "counter",
    labels: ["reason"],
    help: "Requests answered 503 server_busy, by reason: `queue_full` (no free place), `gave_way` (its place went to a key with fewer requests), `queue_time` (it waited for `CHECK_TIMEOUT`, or would have), `key_concurrency` and `key_rate` (a limit of the key), `body_memory` (no memory for more unfinished bodies), `streams` (too many open streams), `usage_store` (the usage store does not answer).",
  },
  abandoned: {
    name: "bankcheck_abandoned_total",
    type: "counter",
    help: "Accepted requests dropped because their client closed the connection before a worker began them; they do not count as usage.",
  },
  checks: {
    name: "bankcheck_checks_total",
    type: "counter",
    help: "Checks answered, as counted for usage: one for each single check, search and IBAN of a batch.",
  },
  usagePending: {
    name: "bankcheck_usage_pending_checks",
    type: "gauge",
    help: "Checks counted but not yet written to the usage store.",
  },
  usageLag: {
    name: "bankcheck_usage_lag_seconds",
    type: "gauge",
    help: "Age of the oldest count that is not yet written to the usage store.",
  },
  usageLost: {
    name: "bankcheck_usage_lost_checks_total",
    type: "counter",
    help: "Checks that were not counted because the usage store was not writable for too long.",
  },
  streams: {
    name: "bankcheck_streams",
    type: "gauge",
    help: "Open streams of `POST /v1/stream`.",
  },
  inside: {
    name: "bankcheck_pool_inside",
    type: "gauge",
    help: "Accepted requests in progress or waiting.",
  },
  ceiling: {
    name: "bankcheck_pool_ceiling",
    type: "gauge",
    help: "Maximum number of accepted requests: pool size plus queue.",
  },
  largeCeiling: {
    name: "bankcheck_pool_large_ceiling",
    type: "gauge",
    help: "Maximum number of accepted requests that are not single checks or look-ups.",
  },
  queueDepth: {
    name: "bankcheck_queue_depth",
    type: "gauge",
    help: "Accepted requests that wait for a worker: those beyond the pool size.",
  },
  queueWait: {
    name: "bankcheck_queue_wait_seconds",
    type: "histogram",
    help: "Time from the arrival of the whole request until a worker begins it.",
  },
  workers: {
    name: "bankcheck_workers",
    type: "gauge",
    help: "Worker threads of the pool.",
  },
  workerBusy: {
    name: "bankcheck_worker_busy_seconds_total",
    type: "counter",
    labels: ["worker"],
    help: "Time a worker was busy; its rate is the worker's utilisation.",
  },
  workerRestarts: {
    name: "bankcheck_worker_restarts_total",
    type: "counter",
    help: "Worker threads that ended and were replaced.",
  },
  failingTasks: {
    name: "bankcheck_failing_task_kinds",
    type: "gauge",
    help: "Kinds of task that are answered checker_failed without a worker because they kept killing workers.",
  },
  frontEndBusy: {
    name: "bankcheck_front_end_busy_seconds_total",
    type: "counter",
    help: "Time the front end, the process's main thread, was busy; its rate is its utilisation.",
  },
  eventLoopDelay: {
    name: "bankcheck_event_loop_delay_p99_seconds",
    type: "gauge",
    help: "99th percentile of the event-loop delay in the last ten to twenty seconds.",
  },
  dataInfo: {
    name: "bankcheck_data_info",
    type: "gauge",
    labels: ["edition", "other_countries"],
    help: "Always 1; the labels name the bank data in use.",
  },
  dataAge: {
    name: "bankcheck_data_age_seconds",
    type: "gauge",
    help: "Time since the first day of the German bank data, in whole days; absent without such data.",
  },
  dataExpired: {
    name: "bankcheck_data_expired",
    type: "gauge",
    help: "1 after the last day of the German bank data; it stays in use.",
  },
  dataListAge: {
    name: "bankcheck_data_list_age_seconds",
    type: "gauge",
    labels: ["country"],
    help: "Time since the first day of a country's list of banks, in whole days; absent if its source states no day.",
  },
  dataListRows: {
    name: "bankcheck_data_list_bank_codes",
    type: "gauge",
    labels: ["country"],
    help: "Bank codes in a country's list of banks.",
  },
  dataLoads: {
    name: "bankcheck_data_loads_total",
    type: "counter",
    help: "Number of times bank data was loaded.",
  },
  dataRefusals: {
    name: "bankcheck_data_refusals_total",
    type: "counter",
    help: "Number of times bank data was refused because it was damaged, truncated or older.",
  },
  logDropped: {
    name: "bankcheck_log_dropped_lines_total",
    type: "counter",
    help: "Log lines dropped because the disk was full or the reader had stopped.",
  },
  buildInfo: {
    name: "bankcheck_build_info",
    type: "gauge",
    labels: ["version", "node"],
    help: "Always 1; the labels name the versions of the service and of Node.",
  },
  cpu: {
    name: "process_cpu_seconds_total",
    type: "counter",
    help: "Processor time of all threads of the process.",
  },
  memory: {
    name: "process_resident_memory_bytes",
    type: "gauge",
    help: "Resident memory of the process.",
  },
  startTime: {
    name: "process_start_time_seconds",
    type: "gauge",
    help: "Start time of the process, in seconds since 1970.",
  },
} as const satisfies Record<string, MetricRow>;

/** A metric's name in code. */
export type MetricName = keyof typeof metricsTable;
