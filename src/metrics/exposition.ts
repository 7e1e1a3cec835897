import { type Metric as PrometheusMetric, Registry } from "prom-client";
import { durationBounds } from "../contract/durations.ts";
import type { DurationHistogram } from "./request-counts.ts";

/** The value of a series; null for one that is left out. */
type Value = number | DurationHistogram | null;

export interface Metric<Sources> {
  readonly type?: "histogram";
  readonly labels?: readonly string[];
  readonly help: string;
  /** Returns its only value or, for each of its series, what the labels say, and the value. */
  read(sources: Sources): Value | readonly (readonly [...string[], Value])[];
}

const secondsPerMs = 1 / 1_000;

/** Returns the type of a metric, which the name of a counter says, as Prometheus has it: `…_total`. */
export function typeOf(name: string, { type }: Pick<Metric<never>, "type">) {
  return type ?? (name.endsWith("_total") ? "counter" : "gauge");
}

/** Returns the registry of metrics by their names; they are read on each scrape, and cost nothing otherwise. */
export function metricsRegistry<Sources>(
  metrics: Readonly<Record<string, Metric<Sources>>>,
  sources: Sources,
): Registry {
  const registry = new Registry();
  for (const [name, metric] of Object.entries(metrics)) {
    const get = async () => {
      const read = metric.read(sources);
      const values = (Array.isArray(read) ? read : [[read]]).flatMap((row) => {
        const labels = metric.labels?.map((label, index) => [label, row[index]]) ?? [];
        return seriesOf(name, Object.fromEntries(labels), row.at(-1));
      });
      return { name, help: metric.help, type: typeOf(name, metric), values };
    };
    // The registry asks a metric for no more than this. prom-client's own metrics count, and these are counted elsewhere.
    registry.registerMetric({ name, get } as unknown as PrometheusMetric);
  }
  return registry;
}

function seriesOf(name: string, labels: object, value: Value): readonly object[] {
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
