import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { durationBounds } from "../contract/work-period.ts";
import { type MetricName, type MetricRow, metricsTable } from "./metrics-table.ts";
import type { DurationHistogram } from "./request-counts.ts";

/** One series of a metric. */
export interface Sample<Value = number> {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: Value;
}

/** How each metric of the table is read when it is asked for. */
export type MetricReadings = {
  readonly [Name in MetricName]: (typeof metricsTable)[Name]["type"] extends "histogram"
    ? () => Iterable<Sample<DurationHistogram>>
    : () => Iterable<Sample>;
};

const secondsPerMs = 1 / 1_000;

/** Makes the registry of all metrics of the table; they are read when it is scraped, and cost nothing in between. */
export function metricsRegistry(readings: MetricReadings): Registry {
  const registry = new Registry();
  for (const [name, row] of Object.entries<MetricRow>(metricsTable)) {
    const read = readings[name as MetricName];
    if (row.type === "histogram") {
      registry.registerMetric(new ReadHistogram(row, read as () => Iterable<Sample<DurationHistogram>>));
    } else {
      registry.registerMetric(readMetric(row, read as () => Iterable<Sample>));
    }
  }
  return registry;
}

function readMetric(row: MetricRow, read: () => Iterable<Sample>): Counter | Gauge {
  const { name, help, labels } = row;
  const options = { name, help, labelNames: labels, registers: [] };
  if (row.type === "gauge") {
    return new Gauge({
      ...options,
      collect() {
        this.reset();
        for (const sample of read()) this.set(sample.labels ?? {}, sample.value);
      },
    });
  }
  return new Counter({
    ...options,
    collect() {
      this.reset();
      for (const sample of read()) this.inc(sample.labels ?? {}, sample.value);
    },
  });
}

/** A histogram whose buckets are counted elsewhere: prom-client can only observe one duration after the other. */
class ReadHistogram extends Histogram {
  readonly #row: MetricRow;
  readonly #read: () => Iterable<Sample<DurationHistogram>>;

  constructor(row: MetricRow, read: () => Iterable<Sample<DurationHistogram>>) {
    super({ name: row.name, help: row.help, labelNames: row.labels, registers: [] });
    this.#row = row;
    this.#read = read;
  }

  override async get(): ReturnType<Histogram["get"]> {
    const { name, help } = this.#row;
    const values = [...this.#read()].flatMap((sample) => seriesOf(name, sample));
    return { name, help, type: "histogram", values, aggregator: "sum" } as unknown as Awaited<
      ReturnType<Histogram["get"]>
    >;
  }

  /** The registry asks for this one where it is there. */
  getForPromString(): ReturnType<Histogram["get"]> {
    return this.get();
  }
}

function seriesOf(name: string, { labels = {}, value: durations }: Sample<DurationHistogram>) {
  let below = 0;
  const buckets = [...durations.counts].map((count, bucket) => {
    below += count;
    const bound = durationBounds[bucket];
    const le = bound === undefined ? "+Inf" : bound * secondsPerMs;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: durations.sum * secondsPerMs },
    { metricName: `${name}_count`, labels, value: below },
  ];
}
