import { durationBounds } from "../durations.ts";
import { count, objectOf, text, textOrNull } from "./parts.ts";

const figures = {
  today: count("Checks of the day, in UTC."),
  month: count("Checks of the month, in UTC."),
  total: count("All checks ever counted."),
};

const days = {
  type: "array",
  description: "The checks of each of the last days, today last; only with days.",
  items: objectOf({
    day: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "A day in UTC." },
    checks: count("Checks of the day."),
  }),
};

/** The usage of an API key and its holder. */
export const usageSchema = objectOf(
  {
    name: text("Name of the key's holder."),
    day: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "Today, in UTC." },
    key: objectOf(
      {
        id: { type: "string", pattern: "^[0-9a-f]{16}$", description: "Distinguishes the holder's keys." },
        ...figures,
        days,
      },
      { description: "The calling key." },
      ["days"],
    ),
    all_keys: objectOf(
      { ...figures, days },
      { description: "All keys of that name together, including those no longer valid." },
      ["days"],
    ),
    as_of: {
      type: "string",
      pattern: "^\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z$",
      description: "When these figures were read; only while the usage store does not answer.",
    },
  },
  {
    title: "UsageAnswer",
    description:
      "How many checks were counted: each single check, each search and each IBAN of a batch is one.",
  },
  ["as_of"],
);

/** The public state of the service. */
export const serviceState = {
  type: "string",
  enum: ["up", "draining", "failing"],
  description:
    "up while checks are answered, draining while the service stops, failing if it has no bank data or its workers keep dying.",
};

/** The edition in use and its age, as health and metrics have it. */
const dataAge = {
  edition: {
    type: "string",
    description: "First day on which the German bank codes are valid; empty if no data could be loaded.",
  },
  age_days: { type: ["integer", "null"], description: "Days since then." },
};

const dataLoads = {
  loads: count("Number of times data was loaded since the start."),
  refusals: count("Number of times data was refused since the start."),
};

const poolLoad = {
  size: count("Worker threads."),
  inside: count("Accepted requests in progress or waiting."),
  ceiling: count("Maximum number of requests inside."),
  large_ceiling: count("Maximum number of them that are not single checks or look-ups."),
  failing_task_kinds: count(
    "Kinds of task answered checker_failed without a worker because they kept killing workers.",
  ),
};

const processLoad = {
  event_loop_delay_p99_ms: {
    type: "number",
    minimum: 0,
    description:
      "99th percentile of the event-loop delay in the last ten to twenty seconds, in milliseconds.",
  },
  memory_mb: count("Resident memory in megabytes."),
};

const workersBusyMs = {
  type: "array",
  items: { type: "integer", minimum: 0 },
  description: "Milliseconds that each worker was busy.",
};

/** The health report for holders of an API key. */
export const healthSchema = objectOf(
  {
    status: serviceState,
    version: text("Version of the service."),
    pool: objectOf({ ...poolLoad, queue: count("Accepted requests that may wait.") }),
    data: objectOf({
      ...dataAge,
      other_countries: text("Edition of the other countries' banks."),
      valid_until: textOrNull("Last day of the edition."),
      expired: { type: "boolean", description: "Whether the last day has passed; the edition stays in use." },
      next_edition: textOrNull("First day of the next stored edition."),
      loaded_at: textOrNull("When the data in use was loaded."),
      ...dataLoads,
      last_refusal: {
        ...objectOf(
          { at: { type: "string" }, reason: { type: "string" } },
          { description: "When and why data was last refused." },
        ),
        type: ["object", "null"],
      },
      sepa_methods: {
        type: "string",
        enum: ["assumed", "directory"],
        description: "Whether SEPA methods are assumed or read from a directory of participants.",
      },
      sepa_edition: textOrNull("First day on which that directory is valid."),
    }),
    process: objectOf(processLoad),
  },
  { title: "HealthAnswer", description: "State, version, pool and data of the service." },
);

const quantile = (description: string) => ({ type: ["number", "null"], minimum: 0, description });

const byBucket = (description: string) => ({
  type: "array",
  items: { type: "integer", minimum: 0 },
  minItems: durationBounds.length + 1,
  maxItems: durationBounds.length + 1,
  description,
});

const boundsMs = {
  type: "array",
  items: { type: "number" },
  description: "Upper bounds of the buckets of durations, in milliseconds.",
};

const durations = objectOf({
  counts: byBucket(
    "Number of durations up to each bound and above the one before; the last counts those above all bounds.",
  ),
  p50_ms: quantile("Median since the start, estimated from the counts; null if there is none."),
  p99_ms: quantile("99th percentile since the start, estimated from the counts; null if there is none."),
});

/** The work of one process, as the holder of an API key sees it. */
export const metricsSchema = objectOf(
  {
    process: objectOf({
      id: { type: "integer", minimum: 1, description: "Distinguishes the processes that share the port." },
      uptime_seconds: count("Time since its start."),
      busy_ms: count("Milliseconds that its front end, the main thread, was busy since then."),
      ...processLoad,
    }),
    machine: objectOf(
      {
        cores: count("Processors that the process may run on; the times are theirs."),
        busy_ms: count("Milliseconds that they were busy, for any process."),
        stolen_ms: count(
          "Milliseconds that another virtual machine had them; 0 if the system does not say so.",
        ),
      },
      { description: "Processor time of the machine since it was started." },
    ),
    requests: objectOf({
      total: count("Requests answered before this one."),
      by_status: {
        type: "array",
        items: objectOf({ status: count("HTTP status."), count: count("Answers with this status.") }),
      },
      by_route: {
        type: "array",
        items: objectOf({
          method: text("HTTP method; none for requests that match no route."),
          route: text("The route's pattern."),
          status: count("HTTP status."),
          count: count("Answers of the route with this status."),
        }),
      },
      checks: count("Checks answered: each single check, search and IBAN of a batch is one."),
      refused: count("Requests answered 503 server_busy."),
      abandoned: count(
        "Accepted requests dropped because their client closed the connection before a worker began them.",
      ),
    }),
    durations: objectOf(
      {
        bounds_ms: boundsMs,
        check: durations,
        wait: durations,
      },
      { description: "Durations of checks and searches, and their waits for a worker." },
    ),
    pool: objectOf({
      ...poolLoad,
      waiting: count("Accepted requests beyond the pool size."),
      busy_ms: workersBusyMs,
      restarts: count("Worker threads that ended and were replaced."),
    }),
    data: objectOf({
      ...dataAge,
      expired: { type: "boolean", description: "Whether its last day has passed." },
      ...dataLoads,
    }),
  },
  {
    title: "MetricsAnswer",
    description: "Counters since the start and current state of the process that answered.",
  },
);

const numberOfProcess = count("Number of the process, from 0; a replacement keeps the number.");

/** The work of all processes, as the holder of an API key sees it. */
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
    description: "Counters since the start and current state of every process that answers.",
  },
);

/** The work of one process in one period. */
const workPeriodSchema = objectOf(
  {
    at: { type: "number", minimum: 0, description: "End of the period, in seconds since 1970." },
    seconds: { type: "number", minimum: 0, description: "Length of the period." },
    is_first: { type: "boolean", description: "Whether the process started in this period." },
    answered: count("Requests answered with a status below 400, except those for metrics."),
    rejected: count("Requests answered 4xx."),
    refused: count("Requests answered 503 server_busy."),
    failed: count("Requests answered 500."),
    checks: count("Checks answered."),
    check_counts: byBucket("Durations of checks and searches, by bucket."),
    wait_counts: byBucket("Waits for a worker, by bucket."),
    workers_busy_ms: workersBusyMs,
    front_end_busy_ms: count("Milliseconds that the main thread was busy."),
    waiting: count("Accepted requests that wait for a worker."),
    ...processLoad,
    machine_cores: count("Processors of the machine that the process may run on."),
    machine_busy_ms: count("Milliseconds that they were busy, for any process."),
    machine_stolen_ms: count("Milliseconds that another virtual machine had them."),
    worker_restarts: count("Worker threads that ended and were replaced."),
    data_loads: count("Number of times bank data was loaded."),
    data_refusals: count("Number of times bank data was refused."),
  },
  {
    title: "WorkPeriod",
    description: "The work of a process in one period, and its state at the end of it.",
  },
);

/** The last hour, as the holder of an API key sees it. */
export const historySchema = objectOf(
  {
    bounds_ms: boundsMs,
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
    description: "The work of every process in the last hour, in periods of ten seconds, the oldest first.",
  },
);
