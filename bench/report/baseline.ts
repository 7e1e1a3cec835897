import { ratio, type ScenarioResult } from "../end-to-end.ts";
import { figure } from "../figures.ts";
import type { MicroResult } from "../micro/run.ts";
import { classDistance, type Machine, machineClass } from "./machine.ts";
import type { Cells } from "./report.ts";

/** The part of a run that later runs are compared with: ratios within the run only, never times. */
export interface Baseline {
  readonly machine: Machine;
  /**
   * Per scenario: answers per second as a multiple of the slowest peer's, fastify, and of the constant answer's, uWS; and
   * processor time of the main thread for an answer as a multiple of uWS's, which older baselines lack.
   */
  readonly endToEnd: Readonly<
    Record<string, { readonly uws: number; readonly fastify: number; readonly main?: number }>
  >;
  /** Per micro bench: its time as a multiple of the yardstick's in the same run. */
  readonly micro: Readonly<Record<string, number>>;
}

/** The committed baselines by machine class. */
export type Baselines = Readonly<Record<string, Baseline>>;

/** A baseline to compare with, and whether it is of the same machine class or only of the nearest. */
export interface FoundBaseline {
  readonly name: string;
  readonly baseline: Baseline;
  readonly isSameClass: boolean;
}

/** A ratio beside that of the baseline. */
export interface Comparison {
  readonly name: string;
  readonly peer: string;
  readonly now: number;
  readonly before: number;
  /** How much better than the baseline: 1 for as good, less for slower. */
  readonly gain: number;
  readonly isRegression: boolean;
}

/** The micro bench all others are measured by: native code of Node that no change of ours can speed up. */
export const yardstick = "JSON.parse of a batch";

/** Below which gain a ratio counts as a regression: noise stays above, and on another class the difference of machines. */
const bounds = {
  sameClass: { endToEnd: 0.6, micro: 1 / 2.5 },
  otherClass: { endToEnd: 0.2, micro: 1 / 8 },
} as const;

/** Takes the ratios out of a run. */
export function ratiosOf(
  machine: Machine,
  results: readonly ScenarioResult[],
  micro: readonly MicroResult[],
): Baseline {
  const endToEnd = results.flatMap((result) => {
    const uws = rounded(ratio(result, "bankcheck", "uws", "goodput"));
    const fastify = rounded(ratio(result, "bankcheck", "fastify", "goodput"));
    if (Number.isNaN(uws) || Number.isNaN(fastify)) return [];
    const main = rounded(ratio(result, "bankcheck", "uws", "mainMicroseconds"));
    return [[result.scenario.id, { uws, fastify, ...(Number.isNaN(main) ? {} : { main }) }] as const];
  });
  const unit = micro.find(({ name }) => name === yardstick)?.nanoseconds;
  const times =
    unit === undefined
      ? []
      : micro.map(({ name, nanoseconds }) => [name, rounded(nanoseconds / unit)] as const);
  return { machine, endToEnd: Object.fromEntries(endToEnd), micro: Object.fromEntries(times) };
}

/** Puts a run into the baselines: its class only, and of that only what it measured. */
export function withRun(baselines: Baselines, run: Baseline): Baselines {
  const name = machineClass(run.machine);
  const before = baselines[name];
  const merged = {
    machine: run.machine,
    endToEnd: { ...before?.endToEnd, ...run.endToEnd },
    micro: { ...before?.micro, ...run.micro },
  };
  return { ...baselines, [name]: merged };
}

/** The baseline of a machine's class, or else of the nearest class; undefined if there is none at all. */
export function baselineFor(baselines: Baselines, machine: Machine): FoundBaseline | undefined {
  const name = machineClass(machine);
  const own = baselines[name];
  if (own !== undefined) return { name, baseline: own, isSameClass: true };
  const [nearest] = Object.entries(baselines).sort(
    ([, a], [, b]) => classDistance(a.machine, machine) - classDistance(b.machine, machine),
  );
  return nearest && { name: nearest[0], baseline: nearest[1], isSameClass: false };
}

/** Says what a run is compared with, in a sentence. */
export function baselineText(machine: Machine, found: FoundBaseline | undefined): string {
  const name = machineClass(machine);
  if (found === undefined)
    return `There is no baseline yet, so nothing is compared; --save creates one for ${name}.`;
  if (found.isSameClass) return `Compared with the committed baseline of this machine class (${name}).`;
  return `There is no baseline of this machine class (${name}) yet: compared with the nearest one (${found.name}), within wide bounds. --save creates one.`;
}

/** Sets every ratio beside that of the baseline; what either run lacks is passed over. */
export function compared(now: Baseline, { baseline, isSameClass }: FoundBaseline): readonly Comparison[] {
  const least = isSameClass ? bounds.sameClass : bounds.otherClass;
  const endToEnd = Object.entries(now.endToEnd).flatMap(([name, ratios]) => {
    const old = baseline.endToEnd[name];
    if (old === undefined) return [];
    const rates = (["uws", "fastify"] as const).map((peer) => {
      const gain = ratios[peer] / old[peer];
      const isRegression = gain < least.endToEnd;
      return { name, peer, now: ratios[peer], before: old[peer], gain, isRegression };
    });
    if (ratios.main === undefined || old.main === undefined) return rates;
    const gain = old.main / ratios.main;
    const time = { name, peer: "uws, main µs", now: ratios.main, before: old.main, gain };
    return [...rates, { ...time, isRegression: gain < least.endToEnd }];
  });
  const micro = Object.entries(now.micro).flatMap(([name, ratio]) => {
    const before = baseline.micro[name];
    if (before === undefined) return [];
    const gain = before / ratio;
    return [{ name, peer: yardstick, now: ratio, before, gain, isRegression: gain < least.micro }];
  });
  return [...endToEnd, ...micro];
}

/** Ratios and those of the baseline, in cells. */
export function comparedCells(comparisons: readonly Comparison[]): Cells {
  const rows = comparisons.map(({ name, peer, now, before, gain, isRegression }) => [
    ...[name, peer, figure(now), figure(before), figure(gain)],
    isRegression ? "slower" : "within bounds",
  ]);
  return [["what", "measured by", "ratio now", "ratio of the baseline", "gain", "verdict"], ...rows];
}

/** Names every ratio that has fallen behind the baseline by more than noise explains. */
export function regressions(comparisons: readonly Comparison[]): readonly string[] {
  return comparisons
    .filter(({ isRegression }) => isRegression)
    .map(({ name, peer, now, before }) => `${name}: ${figure(now)} × ${peer}, was ${figure(before)}`);
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
