/** Durations counted by bucket; the last bucket is for what lies beyond all bounds. */
interface Counted {
  readonly counts: readonly number[];
}

/** What the Pool view takes from an answer of `GET /service/metrics`: counters since the start, and gauges. */
export interface Reading {
  readonly process: {
    readonly id: number;
    readonly uptime_seconds: number;
    readonly busy_ms: number;
    readonly event_loop_delay_p99_ms: number;
    readonly memory_mb: number;
  };
  readonly requests: {
    readonly by_route: readonly { readonly route: string; readonly status: number; readonly count: number }[];
    readonly checks: number;
    readonly refused: number;
  };
  readonly durations: {
    readonly bounds_ms: readonly number[];
    readonly check: Counted;
    readonly wait: Counted;
  };
  readonly pool: {
    readonly size: number;
    readonly inside: number;
    readonly waiting: number;
    readonly ceiling: number;
    readonly busy_ms: readonly number[];
    readonly restarts: number;
    readonly failing_task_kinds: number;
  };
  readonly data: {
    readonly edition: string;
    readonly age_days: number | null;
    readonly expired: boolean;
    readonly loads: number;
    readonly refusals: number;
  };
}
