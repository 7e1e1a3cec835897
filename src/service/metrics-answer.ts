import { performance } from "node:perf_hooks";
import type { MetricsAnswer } from "../contract/api-types.ts";
import { durationBounds, quantileOf } from "../contract/durations.ts";
import { routes } from "../contract/routes.ts";
import { machineTime } from "../metrics/machine.ts";
import type { DurationHistogram } from "../metrics/request-counts.ts";
import type { MetricSources } from "./metrics-table.ts";

/** Returns the counters and the state of this process: the answer of `GET /service/metrics`. */
export function metricsAnswer({ counts, pool, live, load }: MetricSources): MetricsAnswer {
  const { edition, age_days, expired, loads, refusals } = live.facts;
  const requests = counts.byRouteAndStatus;
  const byStatus = new Map<number, number>();
  for (const { status, count } of requests) byStatus.set(status, (byStatus.get(status) ?? 0) + count);
  const checks = routes.filter(({ pooled }) => pooled).map(({ number }) => counts.durations[number]!);
  return {
    process: {
      id: process.pid,
      uptime_seconds: Math.round(process.uptime()),
      busy_ms: Math.round(performance.eventLoopUtilization().active),
      ...load(),
    },
    machine: machineTime(),
    requests: {
      total: counts.answers,
      by_status: [...byStatus]
        .toSorted(([one], [other]) => one - other)
        .map(([status, count]) => ({ status, count })),
      by_route: requests,
      refused: Object.values(pool.admission.refused).reduce((sum, count) => sum + count, 0),
      abandoned: pool.counts.abandoned,
      checks: counts.checks,
    },
    durations: {
      bounds_ms: durationBounds,
      check: durationsOf(checks),
      wait: durationsOf([counts.queueWait]),
    },
    pool: {
      ...pool.load,
      waiting: pool.waiting,
      busy_ms: pool.busyMs.map(Math.round),
      restarts: pool.counts.restarts,
    },
    data: { edition, age_days, expired, loads, refusals },
  };
}

function durationsOf(histograms: readonly DurationHistogram[]): MetricsAnswer["durations"]["check"] {
  const counts = Array.from({ length: durationBounds.length + 1 }, (_, bucket) =>
    histograms.reduce((sum, histogram) => sum + histogram.counts[bucket]!, 0),
  );
  const round = (milliseconds: number | null) =>
    milliseconds === null ? null : Math.round(milliseconds * 1_000) / 1_000;
  return {
    counts,
    p50_ms: round(quantileOf(counts, 0.5)),
    p99_ms: round(quantileOf(counts, 0.99)),
  };
}
