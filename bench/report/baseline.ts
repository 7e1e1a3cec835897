import type { ScenarioResult } from "../end-to-end.ts";
import type { MicroResult } from "../micro/run.ts";
import { figure } from "./statistics.ts";

/** What is kept of a run to compare later ones with: ratios within the run only, never times. */
export interface Baseline {
  readonly machine: Readonly<Record<string, string | number>>;
  /** Per scenario: answers per second as a multiple of the slowest peer's, fastify, and of the constant answer's, uWS. */
  readonly endToEnd: Readonly<Record<string, { readonly uws: number; readonly fastify: number }>>;
  /** Per micro bench: its time as a multiple of the yardstick's in the same run. */
  readonly micro: Readonly<Record<string, number>>;
}

/** The micro bench all others are measured by: native code of Node that no change of ours can speed up. */
const yardstick = "JSON.parse of a batch";

/** How far a ratio may fall behind the baseline before it counts as a regression; noise stays within. */
const bounds = { endToEnd: 0.6, micro: 2.5 } as const;

/** Takes the ratios out of a run. */
export function ratiosOf(
  machine: Baseline["machine"],
  results: readonly ScenarioResult[],
  micro: readonly MicroResult[],
): Baseline {
  const endToEnd = results.flatMap(({ scenario, rows }) => {
    const rateOf = (server: string) => rows.find((row) => row.server === server)?.perSecond;
    const [own, uws, fastify] = ["bankcheck", "uws", "fastify"].map(rateOf);
    if (own === undefined || uws === undefined || fastify === undefined) return [];
    return [[scenario.id, { uws: rounded(own / uws), fastify: rounded(own / fastify) }] as const];
  });
  const unit = micro.find(({ name }) => name === yardstick)?.nanoseconds;
  const times =
    unit === undefined
      ? []
      : micro.map(({ name, nanoseconds }) => [name, rounded(nanoseconds / unit)] as const);
  return { machine, endToEnd: Object.fromEntries(endToEnd), micro: Object.fromEntries(times) };
}

/** Names every ratio that has fallen behind the baseline by more than noise explains; what either run lacks is passed over. */
export function regressions(now: Baseline, before: Baseline): readonly string[] {
  const endToEnd = Object.entries(now.endToEnd).flatMap(([id, ratios]) => {
    const old = before.endToEnd[id];
    if (old === undefined) return [];
    return (["uws", "fastify"] as const)
      .filter((peer) => ratios[peer] < old[peer] * bounds.endToEnd)
      .map((peer) => `${id}: ${figure(ratios[peer])} × ${peer}, was ${figure(old[peer])}`);
  });
  const micro = Object.entries(now.micro).flatMap(([name, ratio]) => {
    const old = before.micro[name];
    if (old === undefined || ratio <= old * bounds.micro) return [];
    return [`${name}: ${figure(ratio)} × ${yardstick}, was ${figure(old)}`];
  });
  return [...endToEnd, ...micro];
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
