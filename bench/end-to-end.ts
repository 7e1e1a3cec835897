import type { IbanMix } from "../test/support/iban-mix.ts";
import type { Generator, LoadResult } from "./load/generator.ts";
import { startServer, type TestServer } from "./load/process.ts";
import { makeBodies } from "./load/requests.ts";
import { median } from "./report/statistics.ts";
import { type Scenario, type ServerName, servers } from "./scenarios.ts";

/** How long and how often the end-to-end scenarios run. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
}

/** One load on one server, with what it cost the server. */
export interface Sample extends LoadResult {
  /** Processor time of the server's main thread and of all its threads, in µs per answer. */
  readonly mainMicroseconds: number;
  readonly allMicroseconds: number;
  readonly memoryMb: number;
}

/** The median figures of one server in one scenario, with the spread of its rate over the rounds. */
export interface Row extends Sample {
  readonly server: ServerName;
  readonly lowest: number;
  readonly highest: number;
}

/** All rows of one scenario. */
export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly rows: readonly Row[];
}

const singleIban = "/v1/iban/DE89370400440532013000";

/**
 * Runs the scenarios: in each round every server takes its turn, so that a slow spell of the machine meets all of them,
 * and the median over the rounds counts. Servers start when first needed and stay, idle, to the end.
 */
export async function runScenarios(
  wanted: readonly Scenario[],
  mix: IbanMix,
  generate: Generator,
  effort: Effort,
  progress: (line: string) => void,
): Promise<readonly ScenarioResult[]> {
  const running = new Map<ServerName, TestServer>();
  const bodies = new Map<number, readonly string[]>();
  const bodiesOf = (batch: number) => {
    const known = bodies.get(batch) ?? makeBodies(mix, batch);
    bodies.set(batch, known);
    return known;
  };
  try {
    const results: ScenarioResult[] = [];
    for (const scenario of wanted) {
      const samples = new Map<ServerName, Sample[]>(scenario.servers.map((name) => [name, []]));
      for (let round = 0; round <= effort.rounds; round++) {
        for (const name of scenario.servers) {
          const server = running.get(name) ?? (await startServer(servers[name]));
          running.set(name, server);
          // Round 0 warms caches and compilers up and does not count.
          const seconds = round === 0 ? 1 : effort.seconds;
          const sample = await measure(server, scenario, seconds, generate, bodiesOf);
          if (round > 0) samples.get(name)!.push(sample);
        }
      }
      results.push({ scenario, rows: scenario.servers.map((name) => toRow(name, samples.get(name)!)) });
      progress(scenario.title);
    }
    return results;
  } finally {
    await Promise.all([...running.values()].map((server) => server.stop()));
  }
}

/** Puts the load of a scenario on a server, and returns what it answered and what that cost it. */
export async function measure(
  server: TestServer,
  { connections, batch, query = "", pacedPerSecond }: Scenario,
  seconds: number,
  generate: Generator,
  bodiesOf: (batch: number) => readonly string[],
): Promise<Sample> {
  const url = server.url + (batch === undefined ? singleIban : `/v1/iban?${query}`.replace(/\?$/, ""));
  const before = server.processorTime();
  const result = await generate({
    url,
    connections,
    seconds,
    ...(batch === undefined ? {} : { bodies: bodiesOf(batch) }),
    ...(pacedPerSecond === undefined ? {} : { pauseMs: (connections * 1_000) / pacedPerSecond }),
  });
  const after = server.processorTime();
  return {
    ...result,
    mainMicroseconds: ((after.main - before.main) * 1e6) / result.answers,
    allMicroseconds: ((after.all - before.all) * 1e6) / result.answers,
    memoryMb: server.memory(),
  };
}

function toRow(server: ServerName, samples: readonly Sample[]): Row {
  const of = (pick: (sample: Sample) => number) => median(samples.map(pick));
  const rates = samples.map(({ perSecond }) => perSecond);
  return {
    server,
    perSecond: of((sample) => sample.perSecond),
    lowest: Math.min(...rates),
    highest: Math.max(...rates),
    refusedPerSecond: of((sample) => sample.refusedPerSecond),
    answers: of((sample) => sample.answers),
    p50: of((sample) => sample.p50),
    p99: of((sample) => sample.p99),
    socketErrors: samples.reduce((sum, sample) => sum + sample.socketErrors, 0),
    generatorSeconds: of((sample) => sample.generatorSeconds ?? Number.NaN),
    mainMicroseconds: of((sample) => sample.mainMicroseconds),
    allMicroseconds: of((sample) => sample.allMicroseconds),
    memoryMb: of((sample) => sample.memoryMb),
  };
}
