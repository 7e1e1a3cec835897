import type { Effort, ScenarioResult } from "../end-to-end.ts";
import { type FloodResult, floodCells } from "../flood.ts";
import { type IdleResult, idleCells } from "../idle.ts";
import type { MicroResult } from "../micro/run.ts";
import type { Comparison } from "./baseline.ts";
import { type Machine, machineLine } from "./machine.ts";
import { chartRow, list, page, paragraph, section, subtitle, table } from "./page.ts";
import { figure } from "./statistics.ts";
import { microCells, scenarioCells } from "./table.ts";

/** A run of the bench. */
export interface BenchRun {
  readonly machine: Machine;
  readonly effort: Effort;
  readonly day: string;
  readonly micro: readonly MicroResult[];
  readonly results: readonly ScenarioResult[];
  readonly overload?: FloodResult;
  readonly idle?: IdleResult;
  /** Describes the baseline in one sentence; `comparisons` has the ratios of both runs. */
  readonly baselineNote: string;
  readonly comparisons: readonly Comparison[];
  /** SVG pictures. */
  readonly pictures: readonly string[];
}

/** The report of `npm run bench` as one HTML file. Parts that were not measured are left out. */
export function benchReport(run: BenchRun): string {
  const { results, micro, overload, idle, pictures, effort } = run;
  const parts = [
    pictures.length > 0 ? section("Curves", chartRow(pictures)) : "",
    section("Against the committed baseline", paragraph(run.baselineNote), comparisonTable(run.comparisons)),
    results.length > 0
      ? section(
          "Against the baselines of this run",
          paragraph("Only the ratios (× uWS, × fastify) can be compared between machines."),
          ...results.flatMap((result) => [
            subtitle(result.scenario.title),
            table(result.scenario.title, scenarioCells(result)),
          ]),
        )
      : "",
    overload === undefined ? "" : section("Overload", table("Overload", floodCells(overload))),
    idle === undefined ? "" : section("Idle", table("Idle", idleCells(idle))),
    micro.length > 0 ? section("Micro benches", table("Micro benches", microCells(micro))) : "",
    results.length > 0 ? section("How far to trust it", list(limits(effort, results))) : "",
  ];
  const summary = `${machineLine(run.machine)}; ${run.day}, medians of ${effort.rounds} interleaved round${effort.rounds === 1 ? "" : "s"} of ${effort.seconds} s.`;
  return page(
    "bankcheck: bench",
    summary,
    parts.filter((part) => part !== ""),
  );
}

function comparisonTable(comparisons: readonly Comparison[]): string {
  if (comparisons.length === 0) return paragraph("The baseline has none of the ratios of this run.");
  const rows = comparisons.map(({ name, peer, now, before, gain, isRegression }) => [
    name,
    peer,
    figure(now),
    figure(before),
    figure(gain),
    isRegression ? "slower" : "within bounds",
  ]);
  return table("Ratios and those of the baseline", [
    ["what", "measured by", "ratio now", "ratio of the baseline", "gain", "verdict"],
    ...rows,
  ]);
}

function limits({ rounds, seconds }: Effort, results: readonly ScenarioResult[]): string[] {
  const rows = results.flatMap((result) => result.rows);
  const spreads = rows.map(({ lowest, highest, perSecond }) => (highest - lowest) / perSecond);
  // Kept results have null if nothing was known.
  const shares = rows
    .map(({ generatorSeconds }) => (generatorSeconds ?? Number.NaN) / seconds)
    .filter((share) => Number.isFinite(share) && share > 0);
  const errors = rows.reduce((sum, { socketErrors }) => sum + socketErrors, 0);
  const most = (values: readonly number[]) => values.reduce((high, value) => Math.max(high, value), 0);
  return [
    errors === 0
      ? "Every request was answered, and no connection was lost."
      : `${figure(errors)} requests were not answered, or connections were lost: look into that first.`,
    ...(rounds > 1
      ? [
          `The slowest and the fastest round of a row differ by at most ${figure(most(spreads) * 100)} % of its median. A wide range means that the machine was busy with something else.`,
        ]
      : []),
    shares.length > 0
      ? `The load generator ran on the same machine and took up to ${figure(most(shares))} cores.`
      : "The load generator ran on the same machine; its share is not known.",
    "A closed loop sends the next request when the last is answered: its p99 looks better than that of an open loop, and at many connections it is mostly queueing.",
    "Loopback is not a network.",
  ];
}
