/** Every figure that a load can have, by its name in JSON results, with its head in tables. Those in % are shares from 0 to 1. */
export const figureHeads = {
  offered: "offered/s",
  sent: "sent/s",
  goodput: "200/s",
  lowest: "lowest",
  highest: "highest",
  belowBest: "below the best %",
  refused: "503 %",
  refusalP99: "503 p99 ms",
  singlesP99: "single checks p99 ms",
  notServed: "single checks not served %",
  silent: "503 without Retry-After",
  failures: "failures",
  inside: "inside",
  beyond: "beyond the ceiling",
  p50: "p50 ms",
  p90: "p90 ms",
  p99: "p99 ms",
  p999: "p99.9 ms",
  max: "max ms",
  late: "late p99 ms",
  mainMicroseconds: "main µs",
  allMicroseconds: "all µs",
  nanoseconds: "ns",
  memoryMb: "MB",
  serviceCores: "service cores",
  generatorCores: "generator cores",
  foreignCores: "other cores",
  mainDelay: "main waited %",
  workersDelay: "workers waited %",
  generatorDelay: "generator waited %",
  timesUws: "× uWS",
  mainTimesUws: "main µs × uWS",
  timesFastify: "× fastify",
  timesBefore: "× before",
  mainTimesBefore: "main µs × before",
  allTimesBefore: "all µs × before",
  timesYardstick: "× JSON.parse",
} as const;

export type FigureName = keyof typeof figureHeads;

const allNames = Object.keys(figureHeads) as FigureName[];

/** Figures that only the HTML report and the JSON result have: a terminal is narrow. */
const details: ReadonlySet<FigureName> = new Set<FigureName>([
  "late",
  "serviceCores",
  "generatorCores",
  "foreignCores",
  "mainDelay",
  "workersDelay",
  "generatorDelay",
]);

/** The figures of one load; NaN, null in JSON, where unknown. */
export type Figures = Readonly<Partial<Record<FigureName, number>>>;

/** One load with its figures: an entry of `loads` in a JSON result. */
export interface LoadFigures extends Figures {
  readonly load: string;
  /** The server or setting that it was measured with, where there are several. */
  readonly server?: string;
}

/** Rows of cells, the head first. */
export type Cells = readonly (readonly string[])[];

/** The middle value; the mean of the two middle ones where there is an even number. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The medians of each figure over the rounds, with the lowest and the highest goodput, and the failures of all rounds. */
export function mediansOf(rounds: readonly Figures[]): Figures {
  const names = Object.keys(rounds[0] ?? {}) as FigureName[];
  const known = (name: FigureName) =>
    rounds.map((round) => round[name] ?? Number.NaN).filter((value) => !Number.isNaN(value));
  const goodputs = known("goodput");
  return {
    ...Object.fromEntries(names.map((name) => [name, median(known(name))])),
    ...(goodputs.length === 0 ? {} : { lowest: Math.min(...goodputs), highest: Math.max(...goodputs) }),
    ...(names.includes("failures")
      ? { failures: known("failures").reduce((sum, count) => sum + count, 0) }
      : {}),
  };
}

/** A figure for people: three significant digits, thousands separated. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

/** A figure as tables show it: shares in percent. */
export function shownFigure(name: FigureName, value: number | null | undefined): string {
  return figure(figureHeads[name].endsWith("%") && typeof value === "number" ? value * 100 : value);
}

/**
 * Loads in tables by title: one for each load where servers or settings are compared, else one of all loads. A table has
 * the figures that any of its loads has; `isWhole` adds the details.
 */
export function tablesOf(loads: readonly LoadFigures[], isWhole: boolean): ReadonlyMap<string, Cells> {
  const groups = new Map<string, LoadFigures[]>();
  for (const load of loads) {
    const title = load.server === undefined ? "Loads" : load.load;
    groups.set(title, [...(groups.get(title) ?? []), load]);
  }
  return new Map([...groups].map(([title, group]) => [title, cellsOf(group, isWhole)]));
}

function cellsOf(loads: readonly LoadFigures[], isWhole: boolean): Cells {
  const isShown = (name: FigureName) => loads.some((load) => Number.isFinite(load[name] ?? Number.NaN));
  const names = allNames.filter((name) => (isWhole || !details.has(name)) && isShown(name));
  return [
    ["", ...names.map((name) => figureHeads[name])],
    ...loads.map((load) => [load.server ?? load.load, ...names.map((name) => shownFigure(name, load[name]))]),
  ];
}
