import { durationBounds } from "../work-period.ts";
import { count, objectOf } from "./parts.ts";
import { metricsSchema } from "./service-schemas.ts";

const numberOfProcess = count("Number of the process, from 0; one that replaces another keeps its number.");

/** What the holder of an API key is told of the work of all processes. */
export const processesSchema = objectOf(
  {
    processes: {
      type: "array",
      items: objectOf({ number: numberOfProcess, metrics: metricsSchema }, { title: "ProcessReading" }),
    },
    missing: {
      type: "array",
      items: numberOfProcess,
      description: "Processes that did not answer within half a second.",
    },
  },
  {
    title: "ProcessesAnswer",
    description: "Counters since the start and present state of every process that answers.",
  },
);

const byBucket = (description: string) =>
  ({
    type: "array",
    items: { type: "integer", minimum: 0 },
    minItems: durationBounds.length + 1,
    maxItems: durationBounds.length + 1,
    description,
  }) as const;

/** What one process did in one period. */
export const workPeriodSchema = objectOf(
  {
    at: { type: "number", minimum: 0, description: "End of the period, in seconds since 1970." },
    seconds: { type: "number", minimum: 0, description: "Length of the period." },
    is_first: { type: "boolean", description: "Whether the process started in it." },
    answered: count("Requests answered with a status below 400, those for metrics not counted."),
    rejected: count("Requests answered 4xx."),
    refused: count("Checks and searches answered 503 server_busy."),
    failed: count("Requests answered 5xx for any other reason."),
    checks: count("Checks answered."),
    check_counts: byBucket("How long checks and searches took, by bucket."),
    wait_counts: byBucket("How long they waited for a worker, by bucket."),
    workers_busy_ms: {
      type: "array",
      items: { type: "integer", minimum: 0 },
      description: "By worker: milliseconds at work.",
    },
    front_end_busy_ms: count("Milliseconds the main thread was at work."),
    waiting: count("Accepted requests that wait for a worker."),
    event_loop_delay_p99_ms: { type: "number", minimum: 0, description: "99th percentile." },
    memory_mb: count("Resident memory in megabytes."),
    worker_restarts: count("Worker threads that ended and were replaced."),
    data_loads: count("How often bank data was loaded."),
    data_refusals: count("How often bank data was refused."),
  },
  {
    title: "WorkPeriod",
    description: "What a process did in one period, and its state at the end of it.",
  },
);

/** What the holder of an API key is told of the last hour. */
export const historySchema = objectOf(
  {
    bounds_ms: { type: "array", items: { type: "number" }, description: "Bounds of the counts by bucket." },
    processes: {
      type: "array",
      items: objectOf(
        { number: numberOfProcess, periods: { type: "array", items: workPeriodSchema } },
        { title: "ProcessHistory" },
      ),
    },
  },
  {
    title: "HistoryAnswer",
    description: "What every process did in the last hour, in periods of ten seconds, the oldest first.",
  },
);
