import { type Metric as PrometheusMetric, Registry } from "prom-client";
import { durationBounds } from "../contract/durations.ts";
import type { DurationHistogram } from "./request-counts.ts";

/** The value of a series; null for one that is left out. */
type Value = number | DurationHistogram | null;

/** A metric, and how it is read. */
export interface Metric<Sources> {
  /** Name as Prometheus knows it, with its unit. */
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly labels?: readonly string[];
  readonly help: string;
  /** Returns its only value, or one for each of its series. */
  read(
    sources: Sources,
  ): Value | readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: Value }[];
}

const secondsPerMs = 1 / 1_000;

/** Returns the registry of some metrics; they are read on each scrape, and cost nothing otherwise. */
export function metricsRegistry<Sources>(metrics: readonly Metric<Sources>[], sources: Sources): Registry {
  const registry = new Registry();
  for (const metric of metrics) {
    const { name } = metric;
    const get = async () => {
      const read = metric.read(sources);
      const samples = Array.isArray(read) ? read : [{ value: read }];
      return { ...metric, values: samples.flatMap(({ labels, value }) => seriesOf(name, value, labels)) };
    };
    // The registry asks a metric for no more than this. prom-client's own metrics count, and these are counted elsewhere.
    registry.registerMetric({ name, get } as unknown as PrometheusMetric);
  }
  return registry;
}

function seriesOf(name: string, value: Value, labels = {}): readonly object[] {
  if (value === null) return [];
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
