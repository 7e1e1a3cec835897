import type { ScenarioResult } from "./end-to-end.ts";
import { chart, type Point } from "./report/chart.ts";
import type { ServerName } from "./scenarios.ts";

const sizes = [1, 10, 50, 100, 500];
const pools: readonly ServerName[] = ["bankcheck-1", "bankcheck", "bankcheck-3", "bankcheck-4"];

/** The pictures of a whole run by file name: IBANs per second over the size of a batch, and over the size of the pool. */
export function curves(results: readonly ScenarioResult[]): Readonly<Record<string, string>> {
  const pointOf = (x: number, id: string, server: ServerName): Point => {
    const found = results.find(({ scenario }) => scenario.id === id);
    const row = found?.rows.find((each) => each.server === server);
    return [x, (row?.medians.goodput ?? Number.NaN) * (found?.scenario.batch ?? 1)];
  };
  const bySize = (server: ServerName) => sizes.map((size) => pointOf(size, `batch-${size}-64`, server));
  const byPool = pools.map((server, index) =>
    pointOf(index + 1, server === "bankcheck" ? "batch-500-64" : `pool-${index + 1}`, server),
  );
  const y = { label: "IBANs per second" };
  return {
    "batch-size.svg": chart({
      title: "Batches of 1 to 500 IBANs, 64 connections",
      x: { label: "IBANs per batch", isLog: true },
      y,
      series: { bankcheck: bySize("bankcheck"), "fastify + ibantools": bySize("fastify") },
    }),
    "pool-size.svg": chart({
      title: "Pools of 1 to 4 workers, batches of 500",
      x: { label: "workers (POOL_SIZE)" },
      y,
      series: { bankcheck: byPool },
    }),
  };
}
