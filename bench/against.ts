import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { IbanMix } from "../test/support/iban-mix.ts";
import { fail } from "./command.ts";
import { type Effort, measure, type Sample } from "./end-to-end.ts";
import type { Generator } from "./load/generator.ts";
import { machineBusySeconds } from "./load/machine-time.ts";
import { startServer, type TestServer } from "./load/process.ts";
import { makeBodies } from "./load/requests.ts";
import { figure, median } from "./report/statistics.ts";
import { type Scenario, scenarios, servers } from "./scenarios.ts";

type Side = "before" | "now" | "uws" | "fastify";

/** Samples of one load in one round, one for each server. */
type Round = Readonly<Partial<Record<Side, Sample>>>;

/** The rounds of one load. */
export interface Comparison {
  readonly load: Scenario;
  readonly rounds: readonly Round[];
}

/** A comparison with another checkout. */
export interface ComparisonRun {
  readonly comparisons: readonly Comparison[];
  /** How many cores were busy with other things than these servers and their load. */
  readonly foreignCores: number;
}

const compared = [
  "single-64",
  "single-8",
  "single-1",
  "batch-500-64",
  "batch-500-8",
  "batch-500-1",
  "paced-500",
];

/**
 * Puts the same loads on this checkout and on another one, which is built in `folder`. In each round both of them take
 * their turn, and for single checks hello world and fastify as well, so that a slow spell of the machine meets all.
 */
export async function runAgainst(
  folder: string,
  isWanted: (id: string) => boolean,
  mix: IbanMix,
  generate: Generator,
  { rounds, seconds }: Effort,
): Promise<ComparisonRun> {
  const loads = scenarios.filter(({ id }) => compared.includes(id) && isWanted(id));
  if (!existsSync(resolve(folder, ...servers.bankcheck.args))) {
    fail(
      `--against takes the folder of another checkout, but ${folder} has no ${servers.bankcheck.args}: build it there.`,
    );
  }
  const bodies = makeBodies(mix);
  const running: Record<Side, TestServer> = {
    before: await startServer({ ...servers.bankcheck, folder: resolve(folder) }),
    now: await startServer(servers.bankcheck),
    uws: await startServer(servers.uws),
    fastify: await startServer(servers.fastify),
  };
  const kept = new Map(loads.map(({ id }): [string, Round[]] => [id, []]));
  const [begin, busyBefore] = [performance.now(), machineBusySeconds()];
  let own = 0;
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const load of loads) {
        const results: Partial<Record<Side, Sample>> = {};
        const sides = sidesOf(load);
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
          const sample = await measure(running[side], load, seconds, generate, () => bodies);
          own += (sample.generatorSeconds ?? 0) + (sample.allMicroseconds * sample.answers) / 1e6;
          results[side] = sample;
        }
        // Round 0 warms caches and compilers up and does not count.
        if (round > 0) kept.get(load.id)!.push(results);
      }
    }
  } finally {
    await Promise.all(Object.values(running).map((server) => server.stop()));
  }
  const passed = (performance.now() - begin) / 1_000;
  return {
    comparisons: loads.map((load) => ({ load, rounds: kept.get(load.id)! })),
    foreignCores: (machineBusySeconds() - busyBefore - own) / passed,
  };
}

function sidesOf({ batch: size, pacedPerSecond }: Scenario): readonly Side[] {
  return size === undefined && pacedPerSecond === undefined
    ? ["before", "now", "uws", "fastify"]
    : ["before", "now"];
}

/** A comparison in cells: medians, and the medians of the ratios within each round. */
export function comparisonCells({ comparisons }: ComparisonRun): readonly (readonly string[])[] {
  const head = ["load", "main µs", "", "all µs", "", "answers/s", "× uWS", "× fastify", "p50 ms", "p99 ms"];
  return [head, ...comparisons.map(rowOf)];
}

function rowOf({ load, rounds }: Comparison): readonly string[] {
  const of = (side: Side, key: "perSecond" | "mainMicroseconds" | "allMicroseconds" | "p50" | "p99") =>
    figure(median(rounds.map((round) => round[side]?.[key] ?? Number.NaN)));
  const change = (key: "mainMicroseconds" | "allMicroseconds") => {
    const part = median(rounds.map(({ before, now }) => now![key] / before![key])) - 1;
    return `${part > 0 ? "+" : ""}${Math.round(part * 100)} %`;
  };
  const ratioTo = (side: Side) =>
    figure(median(rounds.map((round) => round.now!.perSecond / (round[side]?.perSecond ?? Number.NaN))));
  return [
    load.title,
    `${of("before", "mainMicroseconds")} → ${of("now", "mainMicroseconds")}`,
    change("mainMicroseconds"),
    `${of("before", "allMicroseconds")} → ${of("now", "allMicroseconds")}`,
    change("allMicroseconds"),
    `${of("before", "perSecond")} → ${of("now", "perSecond")}`,
    ratioTo("uws"),
    ratioTo("fastify"),
    of("now", "p50"),
    of("now", "p99"),
  ];
}
