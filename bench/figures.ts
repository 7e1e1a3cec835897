/** Every figure that a load can have, by its name in JSON results, with its head in tables. Those in % are shares from 0 to 1. */
export const figureHeads = {
  offered: "offered/s",
  sent: "sent/s",
  goodput: "200/s",
  lowest: "lowest",
  highest: "highest",
  refused: "503 %",
  failures: "failures",
  p50: "p50 ms",
  p90: "p90 ms",
  p99: "p99 ms",
  p999: "p99.9 ms",
  max: "max ms",
  late: "late p99 ms",
  mainMicroseconds: "main µs",
  allMicroseconds: "all µs",
  memoryMb: "MB",
  serviceCores: "service cores",
  generatorCores: "generator cores",
  foreignCores: "other cores",
  mainDelay: "main waited %",
  workersDelay: "workers waited %",
  generatorDelay: "generator waited %",
} as const;

/** Name of a figure. */
export type FigureName = keyof typeof figureHeads;

/** The figures of one load; NaN, null in JSON, where unknown. */
export type Figures = Readonly<Partial<Record<FigureName, number>>>;

/** One load with its figures: an entry of `loads` in a JSON result. */
export interface LoadFigures extends Figures {
  readonly load: string;
  /** The server or setting that it was measured with, where there are several. */
  readonly server?: string;
}

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
    lowest: Math.min(...goodputs),
    highest: Math.max(...goodputs),
    failures: known("failures").reduce((sum, count) => sum + count, 0),
  };
}

/** A figure for people: three significant digits, thousands separated. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

/** Loads in cells: a head, then a row for each, with those of the named figures that any of them has. */
export function cellsOf(loads: readonly LoadFigures[], names: readonly FigureName[]): string[][] {
  const shown = names.filter((name) => loads.some((load) => Number.isFinite(load[name] ?? Number.NaN)));
  const hasServers = loads.some(({ server }) => server !== undefined);
  const text = (name: FigureName, value: number | undefined) =>
    figure(figureHeads[name].endsWith("%") && value !== undefined ? value * 100 : value);
  return [
    ["load", ...(hasServers ? [""] : []), ...shown.map((name) => figureHeads[name])],
    ...loads.map((load) => [
      load.load,
      ...(hasServers ? [load.server ?? ""] : []),
      ...shown.map((name) => text(name, load[name])),
    ]),
  ];
}
