/** What the service says of itself to everybody. */
export const serviceState = {
  type: "string",
  enum: ["up", "draining", "failing"],
  description:
    "up while checks are answered, draining while the service stops, failing where it has no bank data or its workers keep dying.",
} as const;

const textOrNull = (description: string) => ({ type: ["string", "null"], description }) as const;
const count = (description: string) => ({ type: "integer", minimum: 0, description }) as const;

/** What the service says of itself to the holder of an API key. */
export const healthSchema = {
  title: "HealthAnswer",
  type: "object",
  description: "State, version, pool and data of the service.",
  properties: {
    status: serviceState,
    version: { type: "string", description: "Version of the service." },
    pool: {
      type: "object",
      properties: {
        size: count("Worker threads."),
        queue: count("Accepted requests that may wait."),
        inside: count("Accepted requests in progress or waiting."),
        ceiling: count("The most that may be inside."),
      },
      required: ["size", "queue", "inside", "ceiling"],
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
        other_countries: { type: "string", description: "State of the other countries' banks." },
        valid_until: textOrNull("Last day of the edition."),
        expired: { type: "boolean", description: "Whether that day is over; the edition stays in use." },
        next_edition: textOrNull("First day of the next edition that is there already."),
        loaded_at: textOrNull("When the data in use was loaded."),
        loads: count("How often data was loaded since the start."),
        refusals: count("How often data was refused since the start."),
        last_refusal: {
          type: ["object", "null"],
          description: "The last time that data was refused, and why.",
          properties: { at: { type: "string" }, reason: { type: "string" } },
          required: ["at", "reason"],
          additionalProperties: false,
        },
        sepa_methods: {
          type: "string",
          enum: ["assumed", "directory"],
          description: "Whether SEPA methods are assumed or read from a directory of participants.",
        },
        sepa_edition: textOrNull("First day on which that directory is valid."),
      },
      required: [
        "edition",
        "age_days",
        "other_countries",
        "valid_until",
        "expired",
        "next_edition",
        "loaded_at",
        "loads",
        "refusals",
        "last_refusal",
        "sepa_methods",
        "sepa_edition",
      ],
      additionalProperties: false,
    },
    process: {
      type: "object",
      properties: {
        event_loop_delay_p99_ms: {
          type: "number",
          minimum: 0,
          description:
            "99th percentile of how late the event loop was since the last reading, in milliseconds.",
        },
        memory_mb: count("Resident memory in megabytes."),
      },
      required: ["event_loop_delay_p99_ms", "memory_mb"],
      additionalProperties: false,
    },
  },
  required: ["status", "version", "pool", "data", "process"],
  additionalProperties: false,
} as const;
