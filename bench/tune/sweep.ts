import { type Figures, mediansOf } from "../figures.ts";
import { OpenLoopGenerator, resultOf, type Stream } from "../load/open-loop.ts";
import { startServer, type TestServer } from "../load/process.ts";
import type { Requests } from "../load/requests.ts";
import { sample } from "../sample.ts";
import { bankcheck } from "../scenarios.ts";
import { type Capacity, capacityOf, type LoadKind, loadTitles, streamsOf } from "./loads.ts";

/** The medians of one load over its rounds. */
export type Step = Figures;

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

/** How long and how often a sweep measures, and where it reports how far it is. */
export interface SweepEffort {
  readonly rounds: number;
  readonly seconds: number;
  readonly progress: (line: string) => void;
}

/** The kinds of load. */
export const kinds = Object.keys(loadTitles) as LoadKind[];
const closedConnections = 32;
/** The best of this many counts: the first ones warm compilers and caches up. */
const closedRounds = 4;
/** What is offered at independent times to find out how much of it is answered, as multiples of what a closed loop reaches. */
const openLevels = [0.6, 0.7, 0.8, 0.9, 1];
/** Beyond the ceiling, so that the service refuses before the generator runs out of connections. */
const spareConnections = 128;

/** The samples of a sweep so far, also of one that is stopped. */
export class Samples {
  readonly #rounds = new Map<
    string,
    { readonly value: number; readonly kind: LoadKind; readonly all: Figures[] }
  >();

  /** Adds what one value did under one load. */
  add(value: number, kind: LoadKind, offered: number, figures: Figures): void {
    const key = `${value} ${kind} ${offered}`;
    const known = this.#rounds.get(key) ?? { value, kind, all: [] };
    known.all.push({ offered, ...figures });
    this.#rounds.set(key, known);
  }

  /** The medians of what was measured, by value and kind of load. */
  steps(): readonly Swept[] {
    const values = new Set([...this.#rounds.values()].map(({ value }) => value));
    const stepsOf = (value: number, kind: LoadKind) =>
      [...this.#rounds.values()]
        .filter((each) => each.value === value && each.kind === kind)
        .map(({ all }) => mediansOf(all));
    return [...values].map((value) => ({
      value,
      steps: {
        singles: stepsOf(value, "singles"),
        batches: stepsOf(value, "batches"),
        mix: stepsOf(value, "mix"),
      },
    }));
  }
}

/**
 * The services under test on this machine and the generator that loads them, each a separate process; `endAll` ends
 * those that still run.
 */
export class TestBed {
  readonly #requests: Requests;
  readonly #effort: SweepEffort;
  readonly #generator = new OpenLoopGenerator();

  constructor(requests: Requests, effort: SweepEffort) {
    this.#requests = requests;
    this.#effort = effort;
  }

  /**
   * Measures what a service with these settings does, in a closed loop when 32 connections send as fast as they are
   * answered, and in an open one: the highest goodput while the offered load rises to what the closed loop reached.
   *
   * A closed loop brings its requests in groups, one for each turn of the service and the generator; at independent times
   * each request costs both of them more.
   */
  async capacity(settings: PoolSettings): Promise<Readonly<Record<"closed" | "open", Capacity>>> {
    const server = await this.#start(settings);
    const connections = settings.size + settings.queue + spareConnections;
    const closed = async (kind: "singles" | "batches") => {
      const streams = streamsOf(kind, 0, closedConnections, this.#requests);
      return await this.#best(server, Array(closedRounds).fill([{ ...streams[0]!, perSecond: "closed" }]));
    };
    const capacity = capacityOf(await closed("singles"), await closed("batches"));
    const open = (kind: LoadKind) => {
      const rates = openLevels.map((level) => capacity[kind] * level);
      return this.#best(
        server,
        rates.map((rate) => streamsOf(kind, rate, connections, this.#requests)),
      );
    };
    const [singles, batches, mix] = [await open("singles"), await open("batches"), await open("mix")];
    await server.stop();
    return { closed: capacity, open: { singles, batches, mix } };
  }

  /**
   * Offers every load at every level to every service, and adds what they did to `samples`. In each step every service takes
   * its turn, so that a slow spell of the machine affects all of them.
   */
  async sweep(
    settings: ReadonlyMap<number, PoolSettings>,
    capacity: Capacity,
    levels: readonly number[],
    samples: Samples,
  ): Promise<void> {
    const { rounds, progress } = this.#effort;
    const ceilings = [...settings.values()].map(({ size, queue }) => size + queue);
    const connections = Math.max(...ceilings) + spareConnections;
    const servers: (readonly [value: number, server: TestServer])[] = [];
    for (const [value, pool] of settings) servers.push([value, await this.#start(pool)]);
    // Half the capacity of the mix, not counted: compilers and caches meet both kinds of request.
    const warmUp = streamsOf("mix", capacity.mix / 2, connections, this.#requests);
    for (const [, server] of servers) await this.#offer(server, warmUp);
    for (let round = 0; round < rounds; round++) {
      for (const kind of kinds) {
        for (const level of levels) {
          const offered = capacity[kind] * level;
          const streams = streamsOf(kind, offered, connections, this.#requests);
          for (const [value, server] of servers) {
            samples.add(value, kind, offered, await this.#offer(server, streams));
          }
        }
        progress(`measured round ${round + 1} of ${rounds}: ${loadTitles[kind].toLowerCase()}`);
      }
    }
    await Promise.all(servers.map(([, server]) => server.stop()));
  }

  async #start({ size, queue }: PoolSettings): Promise<TestServer> {
    const name = `bankcheck, POOL_SIZE=${size} POOL_QUEUE=${queue}`;
    const server = await startServer({ ...bankcheck(size, queue), name });
    this.#effort.progress(`started ${name}`);
    return server;
  }

  async #best(server: TestServer, loads: readonly (readonly Stream[])[]): Promise<number> {
    const rates: number[] = [];
    for (const streams of loads) rates.push((await this.#offer(server, streams)).goodput ?? 0);
    return Math.max(...rates);
  }

  #offer(server: TestServer, streams: readonly Stream[]): Promise<Figures> {
    const load = { port: Number(new URL(server.url).port), seconds: this.#effort.seconds, streams };
    return sample(server, async () => resultOf(await this.#generator.send(load)));
  }
}
