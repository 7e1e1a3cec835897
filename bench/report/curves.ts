import { mediansOf } from "../figures.ts";
import type { ScenarioRow } from "../ratios.ts";
import type { ServerName } from "../servers.ts";
import { chart, type Point } from "./chart.ts";

const sizes = [1, 10, 50, 100, 500];

/** The pictures of a whole run by file name: IBANs per second over the size of a batch, and over the size of the pool. */
export function curves(rows: readonly ScenarioRow[]): Readonly<Record<string, string>> {
  const pointOf = (x: number, batch: number, id: string, name: ServerName): Point => {
    const row = rows.find(({ load, server }) => load.id === id && server === name);
    return [x, (mediansOf(row?.rounds ?? []).goodput ?? Number.NaN) * batch];
  };
  const bySize = (name: ServerName) => sizes.map((size) => pointOf(size, size, `batch-${size}-64`, name));
  const byPool = ([1, 3, 4] as const).map((size) => pointOf(size, 500, `pool-${size}`, `bankcheck-${size}`));
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
      series: { bankcheck: byPool.toSpliced(1, 0, pointOf(2, 500, "batch-500-64", "bankcheck")) },
    }),
  };
}
