import { type Metric, Registry } from "prom-client";
import { durationBounds } from "../contract/durations.ts";
import { type MetricName, type MetricRow, metricsTable } from "./metrics-table.ts";
import type { DurationHistogram } from "./request-counts.ts";

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
