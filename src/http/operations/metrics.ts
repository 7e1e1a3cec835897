import { routes } from "../../contract/routes.ts";
import { durationBounds } from "../../contract/schema/service-schemas.ts";
import { DurationHistogram, type RequestCounts } from "../../metrics/request-counts.ts";
import type { CheckPool } from "../../pool/check-pool.ts";
import { frontEndBusyMs } from "../../process/load.ts";
import type { Operation } from "./operation.ts";

/** `GET /service/metrics`: counters and gauges of this process. */
export const metrics: Operation = ({ counts, pool, about }, { exchange }) => {
  const { edition, age_days, expired, loads, refusals } = about.data();
  exchange.answerJson(200, {
    process: {
      id: process.pid,
      uptime_seconds: Math.round(process.uptime()),
      busy_ms: Math.round(frontEndBusyMs()),
      ...about.load(),
    },
    requests: { ...requestsOf(counts), refused: refusedBy(pool), checks: counts.checks },
    durations: {
      bounds_ms: durationBounds,
      check: told(checkDurations(counts)),
      wait: told(counts.queueWait),
    },
    pool: {
      size: pool.size,
      inside: pool.inside,
      waiting: pool.waiting,
      ceiling: pool.ceiling,
      busy_ms: pool.busyMs.map(Math.round),
      restarts: pool.restarts,
      failing_task_kinds: pool.failingKinds,
    },
    data: { edition, age_days, expired, loads, refusals },
  });
};

function refusedBy({ refused }: CheckPool): number {
  return Object.values(refused).reduce((sum, count) => sum + count, 0);
}

function requestsOf(counts: RequestCounts): object {
  const all = [...counts.byRouteAndStatus()];
  const byStatus = new Map<number, number>();
  for (const { status, count } of all) byStatus.set(status, (byStatus.get(status) ?? 0) + count);
  return {
    total: all.reduce((sum, { count }) => sum + count, 0),
    by_status: [...byStatus]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => ({ status, count })),
    by_route: all,
  };
}

/** The durations of all checks and searches together. */
function checkDurations({ durations }: RequestCounts): DurationHistogram {
  const all = new DurationHistogram();
  for (const [index, { pooled }] of routes.entries()) {
    if (pooled) all.add(durations[index + 1]!);
  }
  return all;
}

function told(durations: DurationHistogram): object {
  const round = (milliseconds: number | null) =>
    milliseconds === null ? null : Math.round(milliseconds * 1_000) / 1_000;
  return {
    counts: [...durations.counts],
    p50_ms: round(durations.quantile(0.5)),
    p99_ms: round(durations.quantile(0.99)),
  };
}
