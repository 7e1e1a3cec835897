import type { ScenarioResult } from "../end-to-end.ts";
import type { ServerName } from "../scenarios.ts";
import { type ChartPoint, chart } from "./chart.ts";

/** The pictures of a run by file name: IBANs per second over the batch size and over the pool size. */
export function charts(results: readonly ScenarioResult[]): Readonly<Record<string, string>> {
  const pointOf = (x: number, id: string, server: ServerName): ChartPoint[] => {
    const found = results.find(({ scenario }) => scenario.id === id);
    const row = found?.rows.find((candidate) => candidate.server === server);
    if (row === undefined) return [];
    const batch = found?.scenario.batch ?? 1;
    return [{ x, y: row.perSecond * batch, low: row.lowest * batch, high: row.highest * batch }];
  };
  const sizes = [1, 10, 50, 100, 500];
  const bySize = (server: ServerName) => sizes.flatMap((size) => pointOf(size, `batch-${size}-64`, server));
  const pools: readonly ServerName[] = ["bankcheck-1", "bankcheck", "bankcheck-3", "bankcheck-4"];
  const byPool = pools.flatMap((server, index) =>
    pointOf(index + 1, server === "bankcheck" ? "batch-500-64" : `pool-${index + 1}`, server),
  );
  const y = { label: "IBANs/s" };
  return {
    "batch-size.svg": chart({
      title: "IBANs per second over the size of a batch, 64 connections",
      x: { label: "IBANs per batch", scale: "log", ticks: sizes },
      y,
      series: [
        { name: "bankcheck", points: bySize("bankcheck") },
        { name: "fastify + ibantools", points: bySize("fastify") },
      ],
      withValues: true,
    }),
    "pool-size.svg": chart({
      title: "IBANs per second over the size of the pool, batches of 500",
      x: { label: "worker threads (POOL_SIZE)", ticks: [1, 2, 3, 4] },
      y,
      series: [{ name: "bankcheck", points: byPool }],
      withValues: true,
    }),
  };
}
