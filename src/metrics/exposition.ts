import { type Metric, Registry } from "prom-client";
import type { MetricsAnswer } from "../contract/api-types.ts";
import { durationBounds, quantileOf } from "../contract/durations.ts";
import { routes } from "../contract/routes.ts";
import { machineTime } from "./machine.ts";
import { type MetricName, type MetricRow, metricsTable } from "./metrics-table.ts";
import { DurationHistogram } from "./request-counts.ts";

/** One series of a metric. */
export interface Sample<Value = number> {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: Value;
}

/** Functions that read the metrics of the table on request. */
export type MetricReadings = {
  readonly [Name in MetricName]: (typeof metricsTable)[Name]["type"] extends "histogram"
    ? () => Iterable<Sample<DurationHistogram>>
    : () => Iterable<Sample>;
};

type GaugeName = {
  readonly [Name in MetricName]: (typeof metricsTable)[Name]["type"] extends "histogram" ? never : Name;
}[MetricName];

const secondsPerMs = 1 / 1_000;

/** Returns the registry of all metrics of the table; they are read on each scrape, and cost nothing otherwise. */
export function metricsRegistry(readings: MetricReadings): Registry {
  const registry = new Registry();
  for (const [name, row] of Object.entries<MetricRow>(metricsTable)) {
    const read: () => Iterable<Sample<number | DurationHistogram>> = readings[name as MetricName];
    const get = async () => ({ ...row, values: [...read()].flatMap((sample) => seriesOf(row.name, sample)) });
    // The registry asks a metric for no more than this. prom-client's own metrics count, and these are counted elsewhere.
    registry.registerMetric({ name: row.name, get } as unknown as Metric);
  }
  return registry;
}

function seriesOf(
  name: string,
  { labels = {}, value }: Sample<number | DurationHistogram>,
): readonly object[] {
  if (typeof value === "number") return [{ labels, value }];
  let below = 0;
  const buckets = [...value.counts].map((count, bucket) => {
    below += count;
    const bound = durationBounds[bucket];
    const le = bound === undefined ? "+Inf" : bound * secondsPerMs;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: value.sum * secondsPerMs },
    { metricName: `${name}_count`, labels, value: below },
  ];
}

const msPerSecond = 1_000;
const secondsPerDay = 86_400;
const bytesPerMb = 1_048_576;

/** The routes whose checks a worker does. */
const checkRoutes = new Set(
  routes.filter(({ pooled }) => pooled).map(({ method, path }) => `${method} ${path}`),
);

/** Returns the metrics of this process as JSON has them: the answer of `GET /service/metrics`. */
export function readingOf(read: MetricReadings): MetricsAnswer {
  const samples = (name: GaugeName) => [...read[name]()];
  const value = (name: GaugeName) => sumOf(samples(name));
  const ms = (name: GaugeName) => Math.round(value(name) * msPerSecond);
  const requests = samples("requests").map(({ labels, value: count }) => {
    const { method, route, status } = labels as Readonly<Record<"method" | "route" | "status", string>>;
    return { method, route, status: Number(status), count };
  });
  const checks = [...read.requestDuration()].filter(({ labels }) =>
    checkRoutes.has(`${labels?.["method"]} ${labels?.["route"]}`),
  );
  const [age] = samples("dataAge");
  return {
    process: {
      id: process.pid,
      uptime_seconds: Math.round(process.uptime()),
      busy_ms: ms("frontEndBusy"),
      event_loop_delay_p99_ms: Math.round(value("eventLoopDelay") * msPerSecond * 10) / 10,
      memory_mb: Math.round(value("memory") / bytesPerMb),
    },
    machine: machineTime(),
    requests: {
      total: requests.reduce((sum, { count }) => sum + count, 0),
      by_status: countsByStatus(requests),
      by_route: requests,
      refused: value("refused"),
      abandoned: value("abandoned"),
      checks: value("checks"),
    },
    durations: {
      bounds_ms: durationBounds,
      check: durationsOf(checks),
      wait: durationsOf(read.queueWait()),
    },
    pool: {
      size: value("workers"),
      inside: value("inside"),
      waiting: value("queueDepth"),
      ceiling: value("ceiling"),
      large_ceiling: value("largeCeiling"),
      busy_ms: samples("workerBusy").map((busy) => Math.round(busy.value * msPerSecond)),
      restarts: value("workerRestarts"),
      failing_task_kinds: value("failingTasks"),
    },
    data: {
      edition: samples("dataInfo")[0]!.labels!["edition"]!,
      age_days: age === undefined ? null : age.value / secondsPerDay,
      expired: value("dataExpired") === 1,
      loads: value("dataLoads"),
      refusals: value("dataRefusals"),
    },
  };
}

function sumOf(samples: readonly Sample[]): number {
  return samples.reduce((sum, { value }) => sum + value, 0);
}

function countsByStatus(
  requests: MetricsAnswer["requests"]["by_route"],
): MetricsAnswer["requests"]["by_status"] {
  const counts = new Map<number, number>();
  for (const { status, count } of requests) counts.set(status, (counts.get(status) ?? 0) + count);
  return [...counts].toSorted(([one], [other]) => one - other).map(([status, count]) => ({ status, count }));
}

function durationsOf(samples: Iterable<Sample<DurationHistogram>>): MetricsAnswer["durations"]["check"] {
  const all = new DurationHistogram();
  for (const { value } of samples) all.add(value);
  const round = (milliseconds: number | null) =>
    milliseconds === null ? null : Math.round(milliseconds * 1_000) / 1_000;
  return {
    counts: [...all.counts],
    p50_ms: round(quantileOf(all.counts, 0.5)),
    p99_ms: round(quantileOf(all.counts, 0.99)),
  };
}
