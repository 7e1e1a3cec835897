import { durationBounds } from "../durations.ts";
import {
  component,
  count,
  enumOf,
  listOf,
  objectOf,
  orNull,
  part,
  text,
  textLike,
  textOrNull,
  truth,
} from "./parts.ts";

const dayOf = (description: string) => textLike("^\\d{4}-\\d{2}-\\d{2}$", description);

const figures = {
  today: count("Checks of the day, in UTC."),
  month: count("Checks of the month, in UTC."),
  total: count("All checks ever counted."),
  "days?": listOf(
    objectOf({ day: dayOf("A day in UTC."), checks: count("Checks of the day.") }),
    "The checks of each of the last days, today last; only with days.",
  ),
};

const usage = component(
  "UsageAnswer",
  "How many checks were counted: each single check, each search and each IBAN of a batch is one.",
  {
    name: text("Name of the key's holder."),
    day: dayOf("Today, in UTC."),
    key: part("The calling key.", {
      id: textLike("^[0-9a-f]{16}$", "Distinguishes the holder's keys."),
      ...figures,
    }),
    all_keys: part("All keys of that name together, including those no longer valid.", figures),
    "as_of?": textLike(
      "^\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z$",
      "When these figures were read; only while the usage store does not answer.",
    ),
  },
);

const serviceState = enumOf(
  ["up", "draining", "failing"],
  "up while checks are answered, draining while the service stops, failing if it has no bank data or its workers keep dying.",
);

/** The edition in use and its age, as health and metrics have it. */
const dataAge = {
  edition: text("First day on which the German bank codes are valid; empty if no data could be loaded."),
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

const amount = (description: string) => ({ type: "number", minimum: 0, description });

const processLoad = {
  event_loop_delay_p99_ms: amount(
    "99th percentile of the event-loop delay in the last ten to twenty seconds, in milliseconds.",
  ),
  memory_mb: count("Resident memory in megabytes."),
};

const counts = (description: string) => listOf({ type: "integer", minimum: 0 }, description);
const workersBusyMs = counts("Milliseconds that each worker was busy.");

const health = component("HealthAnswer", "State, version, pool and data of the service.", {
  status: serviceState,
  version: text("Version of the service."),
  pool: objectOf({ ...poolLoad, queue: count("Accepted requests that may wait.") }),
  data: objectOf({
    ...dataAge,
    other_countries: text("Edition of the other countries' banks."),
    valid_until: textOrNull("Last day of the edition."),
    expired: truth("Whether the last day has passed; the edition stays in use."),
    next_edition: textOrNull("First day of the next stored edition."),
    loaded_at: textOrNull("When the data in use was loaded."),
    ...dataLoads,
    last_refusal: orNull(
      part("When and why data was last refused.", { at: { type: "string" }, reason: { type: "string" } }),
    ),
    sepa_methods: enumOf(
      ["assumed", "directory"],
      "Whether SEPA methods are assumed or read from a directory of participants.",
    ),
    sepa_edition: textOrNull("First day on which that directory is valid."),
  }),
  process: objectOf(processLoad),
});

const byBucket = (description: string) => ({
  ...counts(description),
  minItems: durationBounds.length + 1,
  maxItems: durationBounds.length + 1,
});

const boundsMs = listOf({ type: "number" }, "Upper bounds of the buckets of durations, in milliseconds.");

const durations = objectOf({
  counts: byBucket(
    "Number of durations up to each bound and above the one before; the last counts those above all bounds.",
  ),
  p50_ms: orNull(amount("Median since the start, estimated from the counts; null if there is none.")),
  p99_ms: orNull(
    amount("99th percentile since the start, estimated from the counts; null if there is none."),
  ),
});

const cores = count("Processors of the machine that the process may run on.");
const coresBusyMs = count("Milliseconds that they were busy, for any process.");
const coresStolenMs = count(
  "Milliseconds that another virtual machine had them; 0 if the system does not say so.",
);
const refused = count("Requests answered 503 server_busy.");
const restarts = count("Worker threads that ended and were replaced.");

const metrics = component(
  "MetricsAnswer",
  "Counters since the start and current state of the process that answered.",
  {
    process: objectOf({
      id: { ...count("Distinguishes the processes that share the port."), minimum: 1 },
      uptime_seconds: count("Time since its start."),
      busy_ms: count("Milliseconds that its front end, the main thread, was busy since then."),
      ...processLoad,
    }),
    machine: part("Processor time of the machine since it was started.", {
      cores,
      busy_ms: coresBusyMs,
      stolen_ms: coresStolenMs,
    }),
    requests: objectOf({
      total: count("Requests answered before this one."),
      by_status: listOf(
        objectOf({ status: count("HTTP status."), count: count("Answers with this status.") }),
        "Answers by status.",
      ),
      by_route: listOf(
        objectOf({
          method: text("HTTP method; none for requests that match no route."),
          route: text("The route's pattern."),
          status: count("HTTP status."),
          count: count("Answers of the route with this status."),
        }),
        "Answers by route and status.",
      ),
      checks: count("Checks answered: each single check, search and IBAN of a batch is one."),
      refused,
      abandoned: count(
        "Accepted requests dropped because their client closed the connection before a worker began them.",
      ),
    }),
    durations: part("Durations of checks and searches, and their waits for a worker.", {
      bounds_ms: boundsMs,
      check: durations,
      wait: durations,
    }),
    pool: objectOf({
      ...poolLoad,
      waiting: count("Accepted requests beyond the pool size."),
      busy_ms: workersBusyMs,
      restarts,
    }),
    data: objectOf({ ...dataAge, expired: truth("Whether its last day has passed."), ...dataLoads }),
  },
);

const numberOfProcess = count("Number of the process, from 0; a replacement keeps the number.");

const processes = component(
  "ProcessesAnswer",
  "Counters since the start and current state of every process that answers.",
  {
    processes: listOf(
      component("ProcessReading", "The work of one process.", {
        number: numberOfProcess,
        metrics,
      }),
      "The processes that answered.",
    ),
    missing: listOf(numberOfProcess, "Processes that did not answer within half a second."),
  },
);

const workPeriodSchema = component(
  "WorkPeriod",
  "The work of a process in one period, and its state at the end of it.",
  {
    at: amount("End of the period, in seconds since 1970."),
    seconds: amount("Length of the period."),
    is_first: truth("Whether the process started in this period."),
    answered: count("Requests answered with a status below 400, except those for metrics."),
    rejected: count("Requests answered 4xx."),
    refused,
    failed: count("Requests answered 500."),
    checks: count("Checks answered."),
    check_counts: byBucket("Durations of checks and searches, by bucket."),
    wait_counts: byBucket("Waits for a worker, by bucket."),
    workers_busy_ms: workersBusyMs,
    front_end_busy_ms: count("Milliseconds that the main thread was busy."),
    waiting: count("Accepted requests that wait for a worker."),
    ...processLoad,
    machine_cores: cores,
    machine_busy_ms: coresBusyMs,
    machine_stolen_ms: coresStolenMs,
    worker_restarts: restarts,
    data_loads: count("Number of times bank data was loaded."),
    data_refusals: count("Number of times bank data was refused."),
  },
);

const history = component(
  "HistoryAnswer",
  "The work of every process in the last hour, in periods of ten seconds, the oldest first.",
  {
    bounds_ms: boundsMs,
    processes: listOf(
      component("ProcessHistory", "The periods of one process.", {
        number: numberOfProcess,
        periods: listOf(workPeriodSchema, "The periods, the oldest first."),
      }),
      "The processes that answered.",
    ),
  },
);

const state = component("StateAnswer", "Whether the service accepts requests or is stopping.", {
  status: serviceState,
});

export const serviceSchemas = { state, health, usage, metrics, processes, history };
