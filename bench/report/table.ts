import type { ScenarioResult } from "../end-to-end.ts";
import type { MicroResult } from "../micro/run.ts";
import { type ServerName, servers } from "../scenarios.ts";
import { figure } from "./statistics.ts";

const head = [
  "server",
  "answers/s",
  "low–high",
  "IBANs/s",
  "× uWS",
  "× fastify",
  "p50 ms",
  "p99 ms",
  "main µs",
  "all µs",
  "503/s",
];

/** The micro benches in cells. */
export function microCells(micro: readonly MicroResult[]): readonly (readonly string[])[] {
  return [["micro bench", "ns"], ...micro.map(({ name, nanoseconds }) => [name, figure(nanoseconds)])];
}

/** The result of one scenario as lines of text. */
export function scenarioTable(result: ScenarioResult): string {
  return `${result.scenario.title}\n${aligned(scenarioCells(result))}\n`;
}

/** The result of one scenario in cells: a head, then a row for each server with ratios against the baselines of the same run. */
export function scenarioCells({ scenario, rows }: ScenarioResult): readonly (readonly string[])[] {
  const rateOf = (name: ServerName) => rows.find((row) => row.server === name)?.perSecond ?? Number.NaN;
  const uws = rateOf("uws");
  const fastify = rateOf("fastify");
  const cells = rows.map((row) => [
    servers[row.server].name,
    figure(row.perSecond),
    `${figure(row.lowest)}–${figure(row.highest)}`,
    figure(row.perSecond * (scenario.batch ?? 1)),
    figure(row.perSecond / uws),
    figure(row.perSecond / fastify),
    figure(row.p50),
    figure(row.p99),
    figure(row.mainMicroseconds),
    figure(row.allMicroseconds),
    figure(row.refusedPerSecond),
  ]);
  return [head, ...cells];
}

/** Lays rows out in columns: the first to the left, the others to the right. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join("  "),
    )
    .join("\n");
}
