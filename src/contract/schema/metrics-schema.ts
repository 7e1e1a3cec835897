/** Upper bounds of the buckets of every duration histogram, in milliseconds. */
export const durationBounds = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000,
];

const count = (description: string) => ({ type: "integer", minimum: 0, description }) as const;
const quantile = (description: string) => ({ type: ["number", "null"], minimum: 0, description }) as const;

const durations = {
  type: "object",
  properties: {
    counts: {
      type: "array",
      items: { type: "integer", minimum: 0 },
      minItems: durationBounds.length + 1,
      maxItems: durationBounds.length + 1,
      description: "How many lie up to each bound and beyond the one before; the last beyond all.",
    },
    p50_ms: quantile("Median since the start, estimated from the counts; null where there is none."),
    p99_ms: quantile("99th percentile since the start, estimated from the counts; null where there is none."),
  },
  required: ["counts", "p50_ms", "p99_ms"],
  additionalProperties: false,
} as const;

/** What the holder of an API key is told of the work of one process. */
export const metricsSchema = {
  title: "MetricsAnswer",
  type: "object",
  description: "Counters since the start and present state of the process that answered.",
  properties: {
    process: {
      type: "object",
      properties: {
        id: { type: "integer", minimum: 1, description: "Distinguishes the processes that share the port." },
        uptime_seconds: count("Time since its start."),
        busy_ms: count("Milliseconds its front end, the main thread, was at work since then."),
        event_loop_delay_p99_ms: {
          type: "number",
          minimum: 0,
          description:
            "99th percentile of how late the event loop was since the last reading, in milliseconds.",
        },
        memory_mb: count("Resident memory in megabytes."),
      },
      required: ["id", "uptime_seconds", "busy_ms", "event_loop_delay_p99_ms", "memory_mb"],
      additionalProperties: false,
    },
    requests: {
      type: "object",
      properties: {
        total: count("All requests answered before this one."),
        by_status: {
          type: "array",
          items: {
            type: "object",
            properties: { status: count("HTTP status."), count: count("Answers with it.") },
            required: ["status", "count"],
            additionalProperties: false,
          },
        },
        by_route: {
          type: "array",
          items: {
            type: "object",
            properties: {
              method: { type: "string", description: "none for requests that led to no route." },
              route: { type: "string", description: "The route's pattern." },
              status: count("HTTP status."),
              count: count("Answers of the route with it."),
            },
            required: ["method", "route", "status", "count"],
            additionalProperties: false,
          },
        },
        checks: count("Checks answered: each single check, search and IBAN of a batch is one."),
        refused: count("Checks and searches that found no free place: 503 server_busy."),
      },
      required: ["total", "by_status", "by_route", "refused", "checks"],
      additionalProperties: false,
    },
    durations: {
      type: "object",
      description: "How long checks and searches took, and how long they waited for a worker.",
      properties: {
        bounds_ms: { type: "array", items: { type: "number" }, description: "Bounds of the counts." },
        check: durations,
        wait: durations,
      },
      required: ["bounds_ms", "check", "wait"],
      additionalProperties: false,
    },
    pool: {
      type: "object",
      properties: {
        size: count("Worker threads."),
        inside: count("Accepted requests in progress or waiting."),
        waiting: count("Accepted requests beyond the pool size."),
        ceiling: count("The most that may be inside."),
        busy_ms: {
          type: "array",
          items: { type: "integer", minimum: 0 },
          description: "By worker: milliseconds at work.",
        },
        restarts: count("Worker threads that ended and were replaced."),
        failing_task_kinds: count(
          "Kinds of task that fail without a worker because they kept killing workers.",
        ),
      },
      required: ["size", "inside", "waiting", "ceiling", "busy_ms", "restarts", "failing_task_kinds"],
      additionalProperties: false,
    },
    data: {
      type: "object",
      properties: {
        edition: {
          type: "string",
          description:
            "First day on which the German bank codes are valid; empty where no data could be loaded.",
        },
        age_days: { type: ["integer", "null"], description: "Days since then." },
        expired: { type: "boolean", description: "Whether its last day is over." },
        loads: count("How often data was loaded since the start."),
        refusals: count("How often data was refused since the start."),
      },
      required: ["edition", "age_days", "expired", "loads", "refusals"],
      additionalProperties: false,
    },
  },
  required: ["process", "requests", "durations", "pool", "data"],
  additionalProperties: false,
} as const;
