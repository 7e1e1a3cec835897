import { type Cells, type FigureName, figureHeads, type LoadFigures, shownFigure } from "../figures.ts";
import type { Result } from "./report.ts";

/** The figures of two runs that are compared. */
const compared: readonly FigureName[] = [
  ...(["goodput", "p50", "p90", "p99", "refused"] as const),
  ...(["mainMicroseconds", "allMicroseconds", "nanoseconds"] as const),
];

/** Two runs side by side, in cells: the loads that both have, each figure before and now with the change in percent. */
export function comparisonCells(
  before: readonly LoadFigures[],
  now: readonly LoadFigures[],
  names: readonly FigureName[] = compared,
): Cells {
  const rows = now.flatMap((load) => {
    const old = before.find((each) => each.load === load.load && each.server === load.server);
    if (old === undefined) return [];
    const cells = names.map((name) => {
      const [was, is] = [old[name] ?? Number.NaN, load[name] ?? Number.NaN];
      if (!Number.isFinite(was) || !Number.isFinite(is)) return "–";
      const change = was === 0 ? "" : ` (${is >= was ? "+" : ""}${Math.round((is / was - 1) * 100)} %)`;
      return `${shownFigure(name, was)} → ${shownFigure(name, is)}${change}`;
    });
    return [[[load.load, load.server].filter(Boolean).join(", "), ...cells]];
  });
  return [["load", ...names.map((name) => figureHeads[name])], ...rows];
}

/** What makes two results hard to compare, in sentences. */
export function comparisonNotes(before: Result, now: Result): readonly string[] {
  const differing = (what: string, of: (result: Result) => unknown) => {
    const [was, is] = [of(before), of(now)].map((value) => JSON.stringify(value) ?? "unknown");
    return was === is ? [] : [`${what}: ${was} before, ${is} now.`];
  };
  const settings = new Set([...Object.keys(before.settings), ...Object.keys(now.settings)]);
  return [
    ...differing("Processor", ({ machine }) => machine.processor),
    ...differing("Cores", ({ machine }) => machine.cores),
    ...differing("Node", ({ machine }) => machine.node),
    ...differing("Generator", ({ machine }) => machine.generator),
    ...differing("Version", ({ service }) => service.version),
    ...differing("Edition", ({ service }) => service.edition),
    ...[...settings].flatMap((name) => differing(`Setting ${name}`, (result) => result.settings[name])),
    ...[before, now].flatMap(({ ended }) => (ended === null ? [] : [`A run ended early: ${ended}`])),
  ];
}
