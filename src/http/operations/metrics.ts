import { routes } from "../../contract/routes.ts";
import { durationBounds, type Reading } from "../../contract/work-period.ts";
import { DurationHistogram, type RequestCounts } from "../../metrics/request-counts.ts";
import type { CheckPool } from "../../pool/check-pool.ts";
import { frontEndBusyMs } from "../../process/facts.ts";
import type { Operation, OperationContext } from "./operation.ts";

/** `GET /service/metrics`: counters and gauges of this process. */
export const metrics: Operation = (context, { exchange }) => exchange.answerJson(200, readingOf(context));

/** `GET /service/metrics/processes`: the same of every process. */
export const processes: Operation = ({ work }, { exchange }) => {
  exchange.detach();
  void work.processes().then((answer) => exchange.answer(200, answer));
};

/** `GET /service/metrics/history`: the last hour of every process. */
export const history: Operation = ({ work }, { exchange }) => {
  exchange.detach();
  void work.history().then((answer) => exchange.answer(200, answer));
};

/** Returns the counters and gauges of this process as they are now. */
export function readingOf({
  counts,
  pool,
  about,
}: Pick<OperationContext, "counts" | "pool" | "about">): Reading {
  const { edition, age_days, expired, loads, refusals } = about.data();
  return {
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
  };
}

function refusedBy({ refused }: CheckPool): number {
  return Object.values(refused).reduce((sum, count) => sum + count, 0);
}

function requestsOf(counts: RequestCounts): Omit<Reading["requests"], "refused" | "checks"> {
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

function told(durations: DurationHistogram): Reading["durations"]["check"] {
  const round = (milliseconds: number | null) =>
    milliseconds === null ? null : Math.round(milliseconds * 1_000) / 1_000;
  return {
    counts: [...durations.counts],
    p50_ms: round(durations.quantile(0.5)),
    p99_ms: round(durations.quantile(0.99)),
  };
}
