import type { MetricsAnswer, ProcessesAnswer } from "../../../src/contract/api-types.ts";
import { durationBounds } from "../../../src/contract/durations.ts";

const none = { counts: [...durationBounds, 0].map(() => 0), p50_ms: null, p99_ms: null };

const idle: MetricsAnswer = {
  process: { id: 1, uptime_seconds: 60, busy_ms: 0, event_loop_delay_p99_ms: 1, memory_mb: 90 },
  machine: { cores: 2, busy_ms: 0, stolen_ms: 0 },
  requests: { total: 0, by_status: [], by_route: [], checks: 0, refused: 0, abandoned: 0 },
  durations: { bounds_ms: durationBounds, check: none, wait: none },
  pool: {
    size: 2,
    inside: 0,
    waiting: 0,
    ceiling: 18,
    large_ceiling: 18,
    busy_ms: [0, 0],
    restarts: 0,
    failing_task_kinds: 0,
  },
  data: { edition: "2026-09-07", age_days: 75, expired: false, loads: 1, refusals: 0 },
};

/** A reading of the metrics of a service that has done nothing, but for what is given. */
export function reading(
  changed: { readonly [Part in keyof MetricsAnswer]?: Partial<MetricsAnswer[Part]> } = {},
): MetricsAnswer {
  const parts = Object.entries(idle).map(([part, values]) => [
    part,
    { ...values, ...changed[part as keyof MetricsAnswer] },
  ]);
  return Object.fromEntries(parts) as MetricsAnswer;
}

/** An answer about processes whose numbers are their places. */
export function answered(...metrics: readonly MetricsAnswer[]): ProcessesAnswer {
  return { processes: metrics.map((one, number) => ({ number, metrics: one })), missing: [] };
}
