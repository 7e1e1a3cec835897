import type { ScenarioResult } from "../end-to-end.ts";
import type { ServerName } from "../scenarios.ts";
import { type ChartPoint, chart } from "./chart.ts";

/** The pictures of a run by file name: IBANs per second over the batch size and over the pool size. */
export function charts(results: readonly ScenarioResult[]): Readonly<Record<string, string>> {
  const rateOf = (id: string, server: ServerName): number | undefined => {
    const found = results.find(({ scenario }) => scenario.id === id);
    const row = found?.rows.find((candidate) => candidate.server === server);
    return row === undefined ? undefined : row.perSecond * (found?.scenario.batch ?? 1);
  };
  const points = (pairs: readonly (readonly [label: string, rate: number | undefined])[]): ChartPoint[] =>
    pairs.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
  const sizes = [1, 10, 50, 100, 500];
  const bySize = (server: ServerName) =>
    points(sizes.map((size) => [String(size), rateOf(`batch-${size}-64`, server)] as const));
  const pools: readonly ServerName[] = ["bankcheck-1", "bankcheck", "bankcheck-3", "bankcheck-4"];
  const byPool = points(
    pools.map((server, index) => {
      const id = server === "bankcheck" ? "batch-500-64" : `pool-${index + 1}`;
      return [`${index + 1}`, rateOf(id, server)] as const;
    }),
  );
  return {
    "batch-size.svg": chart("IBANs per second over the size of a batch, 64 connections", "IBANs/s", [
      { name: "bankcheck", points: bySize("bankcheck") },
      { name: "fastify + ibantools", points: bySize("fastify") },
    ]),
    "pool-size.svg": chart("IBANs per second over the size of the pool, batches of 500", "IBANs/s", [
      { name: "bankcheck", points: byPool },
    ]),
  };
}
