import { OpenLoopGenerator } from "../load/open-loop.ts";
import { startServer, type TestServer } from "../load/process.ts";
import type { Requests } from "../load/requests.ts";
import { bankcheck } from "../scenarios.ts";
import { type Capacity, capacityOf, type LoadKind, loadTitles, streamsOf } from "./loads.ts";
import { offer, type Sample, type Step, stepOf } from "./step.ts";

/** One value of the setting under test, with the steps of rising load of each kind. */
export interface Swept {
  readonly value: number;
  readonly steps: Readonly<Record<LoadKind, readonly Step[]>>;
}

/** The settings of one service under test. */
export interface PoolSettings {
  readonly size: number;
  readonly queue: number;
}

/** How patiently a sweep measures. */
export interface Patience {
  readonly rounds: number;
  readonly seconds: number;
  readonly progress: (line: string) => void;
}

const kinds = Object.keys(loadTitles) as LoadKind[];
const closedConnections = 32;
/** The best of this many counts: the first ones warm compilers and caches up. */
const closedRounds = 4;
/** What is offered at independent times to find out how much of it is answered, as multiples of what a closed loop reaches. */
const openLevels = [0.6, 0.7, 0.8, 0.9, 1];
/** Beyond the ceiling, so that the service refuses before the generator runs out of connections. */
const spareConnections = 128;

/**
 * The services under test on this machine and the generator that loads them, each a separate process; `endAll` ends
 * those that still run.
 */
export class TestBed {
  readonly #requests: Requests;
  readonly #patience: Patience;
  readonly #generator = new OpenLoopGenerator();

  constructor(requests: Requests, patience: Patience) {
    this.#requests = requests;
    this.#patience = patience;
  }

  /**
   * Measures what a service with these settings does, in a closed loop when 32 connections send as fast as they are
   * answered, and in an open one: the highest goodput while the offered load rises to what the closed loop reached.
   *
   * A closed loop brings its requests in groups, one for each turn of the service and the generator; at independent times
   * each request costs both of them more.
   */
  async capacity(settings: PoolSettings): Promise<Readonly<Record<"closed" | "open", Capacity>>> {
    const { seconds } = this.#patience;
    const server = await this.#start(settings);
    const connections = settings.size + settings.queue + spareConnections;
    const closed = async (kind: "singles" | "batches") => {
      const [stream] = streamsOf(kind, 0, closedConnections, this.#requests);
      const streams = [{ ...stream!, perSecond: "closed" as const }];
      const rates: number[] = [];
      for (let round = 0; round < closedRounds; round++) {
        rates.push((await offer(server, this.#generator, streams, seconds)).goodput);
      }
      return Math.max(...rates);
    };
    const capacity = capacityOf(await closed("singles"), await closed("batches"));
    const open = async (kind: LoadKind) => {
      const rates: number[] = [];
      for (const level of openLevels) {
        const streams = streamsOf(kind, capacity[kind] * level, connections, this.#requests);
        rates.push((await offer(server, this.#generator, streams, seconds)).goodput);
      }
      return Math.max(...rates);
    };
    const [singles, batches, mix] = [await open("singles"), await open("batches"), await open("mix")];
    await server.stop();
    return { closed: capacity, open: { singles, batches, mix } };
  }

  /**
   * Offers every load at every level to every service. In each step every service takes its turn, so that a slow spell
   * of the machine meets all of them.
   */
  async sweep(
    settings: ReadonlyMap<number, PoolSettings>,
    capacity: Capacity,
    levels: readonly number[],
  ): Promise<readonly Swept[]> {
    const { rounds, seconds, progress } = this.#patience;
    const ceilings = [...settings.values()].map(({ size, queue }) => size + queue);
    const connections = Math.max(...ceilings) + spareConnections;
    const servers: (readonly [value: number, server: TestServer])[] = [];
    for (const [value, pool] of settings) servers.push([value, await this.#start(pool)]);
    const samples = new Map<string, Sample[]>();
    const keyOf = (value: number, kind: LoadKind, level: number) => `${value} ${kind} ${level}`;
    for (const [, server] of servers) await this.#warmUp(server, capacity, connections);
    for (let round = 0; round < rounds; round++) {
      for (const kind of kinds) {
        for (const level of levels) {
          const streams = streamsOf(kind, capacity[kind] * level, connections, this.#requests);
          for (const [value, server] of servers) {
            const sample = await offer(server, this.#generator, streams, seconds);
            const key = keyOf(value, kind, level);
            samples.set(key, [...(samples.get(key) ?? []), sample]);
          }
        }
        progress(`measured round ${round + 1} of ${rounds}: ${loadTitles[kind].toLowerCase()}`);
      }
    }
    await Promise.all(servers.map(([, server]) => server.stop()));
    return servers.map(([value]) => {
      const stepsOf = (kind: LoadKind) =>
        levels.map((level) => stepOf(capacity[kind] * level, samples.get(keyOf(value, kind, level))!));
      return {
        value,
        steps: { singles: stepsOf("singles"), batches: stepsOf("batches"), mix: stepsOf("mix") },
      };
    });
  }

  async #start({ size, queue }: PoolSettings): Promise<TestServer> {
    const name = `bankcheck, POOL_SIZE=${size} POOL_QUEUE=${queue}`;
    const server = await startServer({ ...bankcheck(size, queue), name });
    this.#patience.progress(`started ${name}`);
    return server;
  }

  /** Half the capacity of the mix, not counted: compilers and caches meet both kinds of request. */
  async #warmUp(server: TestServer, { mix }: Capacity, connections: number): Promise<void> {
    const streams = streamsOf("mix", mix / 2, connections, this.#requests);
    await offer(server, this.#generator, streams, this.#patience.seconds);
  }
}
