import { mediansOf } from "../figures.ts";
import type { ScenarioRow } from "../ratios.ts";
import type { ServerName } from "../servers.ts";
import { chart, type Point } from "./chart.ts";

const sizes = [1, 10, 50, 100, 500];

/** The picture of a whole run: IBANs per second over the size of a batch. */
export function batchSizeChart(rows: readonly ScenarioRow[]): string {
  const curve = (name: ServerName) =>
    sizes.map((size): Point => {
      const row = rows.find(({ load, server }) => load.id === `batch-${size}-64` && server === name);
      return [size, (mediansOf(row?.rounds ?? []).goodput ?? Number.NaN) * size];
    });
  return chart({
    title: "Batches of 1 to 500 IBANs, 64 connections",
    x: { label: "IBANs per batch", isLog: true },
    y: { label: "IBANs per second" },
    series: { bankcheck: curve("bankcheck"), "fastify + ibantools": curve("fastify") },
  });
}
