const count = (description: string) => ({ type: "integer", minimum: 0, description }) as const;

const figures = {
  today: count("Checks of the day, which is that of UTC."),
  month: count("Checks of the day's month."),
  total: count("All checks there ever were."),
} as const;

const days = {
  type: "array",
  description: "The checks of each of the last days in order, today last; only where days were asked for.",
  items: {
    type: "object",
    properties: {
      day: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "A day in UTC." },
      checks: count("Checks of the day."),
    },
    required: ["day", "checks"],
    additionalProperties: false,
  },
} as const;

/** What the holder of an API key is told of its usage. */
export const usageSchema = {
  title: "UsageAnswer",
  type: "object",
  description:
    "How many checks were counted: each single check, each search and each IBAN of a batch is one.",
  properties: {
    name: { type: "string", description: "Name of the key's holder." },
    day: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "Today, in UTC." },
    key: {
      type: "object",
      description: "The calling key.",
      properties: {
        id: { type: "string", pattern: "^[0-9a-f]{16}$", description: "Distinguishes the holder's keys." },
        ...figures,
        days,
      },
      required: ["id", "today", "month", "total"],
      additionalProperties: false,
    },
    all_keys: {
      type: "object",
      description: "All keys of that name together, those no longer valid too.",
      properties: { ...figures, days },
      required: ["today", "month", "total"],
      additionalProperties: false,
    },
  },
  required: ["name", "day", "key", "all_keys"],
  additionalProperties: false,
} as const;
