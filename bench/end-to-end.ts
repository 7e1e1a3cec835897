import { resolve } from "node:path";
import { makeCertificate } from "../test/support/certificate.ts";
import type { IbanMix } from "../test/support/iban-mix.ts";
import { progress, temporaryFolder } from "./command.ts";
import {
  cellsOf,
  type Figures,
  figure,
  figureHeads,
  type LoadFigures,
  median,
  mediansOf,
} from "./figures.ts";
import type { Generator } from "./load/generator.ts";
import { startServer, type TestServer } from "./load/process.ts";
import { makeBodies } from "./load/requests.ts";
import type { Cells } from "./report/report.ts";
import { sample } from "./sample.ts";
import { type Scenario, type ServerName, servers } from "./scenarios.ts";

/** How long and how often the scenarios run. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
}

/** What one server did in one scenario. */
export interface Row {
  readonly server: ServerName;
  readonly rounds: readonly Figures[];
  readonly medians: Figures;
}

/** All rows of one scenario. */
export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly rows: readonly Row[];
}

const singleIban = "/v1/iban/DE89370400440532013000";

/**
 * Runs the scenarios: in each round every server takes its turn, in alternating order, so that a slow spell of the machine
 * affects all of them. Servers start when first needed and stay, idle, to the end; `before` is the checkout in `folder`.
 */
export async function runScenarios(
  wanted: readonly Scenario[],
  mix: IbanMix,
  generate: Generator,
  effort: Effort,
  folder = ".",
): Promise<readonly ScenarioResult[]> {
  const running = new Map<ServerName, TestServer>();
  const bodies = new Map<number, readonly string[]>();
  const start = async (name: ServerName) => {
    const server = running.get(name) ?? (await startServer(specOf(name, folder)));
    running.set(name, server);
    return server;
  };
  try {
    const results: ScenarioResult[] = [];
    for (const scenario of wanted) {
      const { batch } = scenario;
      if (batch !== undefined && !bodies.has(batch)) bodies.set(batch, makeBodies(mix, batch));
      const kept = new Map<ServerName, Figures[]>(scenario.servers.map((name) => [name, []]));
      for (let round = 0; round <= effort.rounds; round++) {
        for (const name of round % 2 === 0 ? scenario.servers : scenario.servers.toReversed()) {
          const server = await start(name);
          // Round 0 warms caches and compilers up and does not count.
          const seconds = round === 0 ? Math.min(1, effort.seconds) : effort.seconds;
          const load = loadOf(scenario, server.url, seconds, bodies.get(batch ?? 0));
          const figures = await sample(server, () => generate(load));
          if (round > 0) kept.get(name)!.push(figures);
        }
      }
      const rows = [...kept].map(([server, rounds]) => ({ server, rounds, medians: mediansOf(rounds) }));
      results.push({ scenario, rows });
      progress(`measured: ${scenario.title}`);
    }
    return results;
  } finally {
    await Promise.all([...running.values()].map((server) => server.stop()));
  }
}

function specOf(name: ServerName, folder: string) {
  const spec = servers[name];
  if (name === "before") return { ...spec, folder: resolve(folder) };
  if (name !== "bankcheck-tls") return spec;
  return { ...spec, env: { ...servers.bankcheck.env, ...makeCertificate(temporaryFolder(), "bench") } };
}

function loadOf(
  { connections, batch, query, pacedPerSecond }: Scenario,
  url: string,
  seconds: number,
  bodies: readonly string[] | undefined,
) {
  return {
    url: url + (batch === undefined ? singleIban : `/v1/iban${query === undefined ? "" : `?${query}`}`),
    ...{ connections, seconds },
    ...(bodies === undefined ? {} : { bodies }),
    ...(pacedPerSecond === undefined ? {} : { pauseMs: (connections * 1_000) / pacedPerSecond }),
  };
}

/** The loads of a result with their figures. */
export function loadsOf(results: readonly ScenarioResult[]): readonly LoadFigures[] {
  return results.flatMap(({ scenario, rows }) =>
    rows.map(({ server, medians }) => ({ load: scenario.title, server: servers[server].name, ...medians })),
  );
}

const peers = { uws: "× uWS", fastify: "× fastify", before: "× before" } as const;
const costs = ["mainMicroseconds", "allMicroseconds"] as const;

/** The median over the rounds of the ratio between two servers in the same round; NaN where one is missing. */
export function ratio(
  { rows }: ScenarioResult,
  own: ServerName,
  peer: ServerName,
  name: keyof Figures,
): number {
  const [mine, theirs] = [own, peer].map((server) => rows.find((row) => row.server === server)?.rounds ?? []);
  return median(
    mine!.map((round, index) => (round[name] ?? Number.NaN) / (theirs![index]?.[name] ?? Number.NaN)),
  );
}

/** One scenario in cells: a row for each server, with its ratios to the baselines of the same rounds. */
export function scenarioCells(result: ScenarioResult): Cells {
  const present = (Object.keys(peers) as (keyof typeof peers)[]).filter((peer) =>
    result.rows.some(({ server }) => server === peer),
  );
  const withBefore = present.includes("before") ? costs : [];
  const cells = cellsOf(
    result.rows.map(({ server, medians }) => ({ load: servers[server].name, ...medians })),
    ["goodput", "lowest", "highest", "refused", "p50", "p90", "p99", "p999", "max", ...costs, "memoryMb"],
  );
  const ratios = result.rows.map(({ server }) => [
    ...present.map((peer) => figure(ratio(result, server, peer, "goodput"))),
    ...withBefore.map((cost) => figure(ratio(result, server, "before", cost))),
  ]);
  const heads = [
    ...present.map((peer) => peers[peer]),
    ...withBefore.map((cost) => `${figureHeads[cost]} × before`),
  ];
  return cells.map((row, index) => [...row, ...(index === 0 ? heads : ratios[index - 1]!)]);
}
