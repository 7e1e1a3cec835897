import { type Cells, type FigureName, figureHeads, type LoadFigures, shownFigure } from "../figures.ts";
import type { Result } from "./report.ts";

/** The figures of two runs that are compared. */
const compared: readonly FigureName[] = [
  ...(["goodput", "p50", "p90", "p99", "refused"] as const),
  ...(["mainMicroseconds", "allMicroseconds", "nanoseconds"] as const),
];

/** Two runs side by side, in cells: the loads that both have, each figure before and now with the change in percent. */
export function comparisonCells(before: readonly LoadFigures[], now: readonly LoadFigures[]): Cells {
  const rows = now.flatMap((load) => {
    const old = before.find((each) => each.load === load.load && each.server === load.server);
    if (old === undefined) return [];
    const cells = compared.map((name) => {
      const [was, is] = [old[name] ?? Number.NaN, load[name] ?? Number.NaN];
      if (!Number.isFinite(was) || !Number.isFinite(is)) return "–";
      const change = was === 0 ? "" : ` (${is >= was ? "+" : ""}${Math.round((is / was - 1) * 100)} %)`;
      return `${shownFigure(name, was)} → ${shownFigure(name, is)}${change}`;
    });
    return [[[load.load, load.server].filter(Boolean).join(", "), ...cells]];
  });
  return [["load", ...compared.map((name) => figureHeads[name])], ...rows];
}

/** What makes two results hard to compare, in sentences: every difference of machine, service and settings. */
export function comparisonNotes(before: Result, now: Result): readonly string[] {
  const circumstances = ({ machine, service, settings }: Result): Readonly<Record<string, unknown>> => ({
    ...machine,
    ...service,
    ...settings,
  });
  const [was, is] = [circumstances(before), circumstances(now)];
  const differences = Object.keys({ ...was, ...is }).flatMap((name) => {
    const [old, current] = [was, is].map((each) => JSON.stringify(each[name]) ?? "unknown");
    return old === current ? [] : [`${name}: ${old} before, ${current} now.`];
  });
  const ended = [before, now].flatMap((run) =>
    run.ended === null ? [] : [`A run ended early: ${run.ended}`],
  );
  return [...differences, ...ended];
}
