import { type Figures, mediansOf } from "../figures.ts";
import { type Capacity, capacityOf, kinds, type LoadKind, loadTitles } from "../load/loads.ts";
import { offer } from "../load/offer.ts";
import { startServer, type TestServer } from "../load/process.ts";
import { type Effort, type Load, type Row, runRounds, warmUp } from "../rounds.ts";
import { bankcheck } from "../servers.ts";

/** A pool under test: the settings of its service. */
export type Pool = Readonly<Record<"POOL_SIZE" | "POOL_QUEUE", number>>;

export type Setting = keyof Pool;

/** A load at a multiple of the capacity. */
export interface TuneLoad extends Load {
  readonly kind: LoadKind;
  readonly level: number;
}

/** What one load did with one value of the setting under test. */
export type TuneRow = Row<TuneLoad, number>;

const closedConnections = 32;
/** The best of this many counts: the first ones warm compilers and caches up. */
const closedRounds = 4;
/** What is offered at independent times to find out how much of it is answered, as multiples of what a closed loop reaches. */
const openLevels = [0.6, 0.7, 0.8, 0.9, 1];
/** Beyond the ceiling. */
const spareConnections = 128;

/** The medians of one value under one kind of load, by rising level. */
export function stepsOf(rows: readonly TuneRow[], value: number, kind: LoadKind): readonly Figures[] {
  return rows
    .filter(({ load, server }) => load.kind === kind && server === value)
    .sort((a, b) => a.load.level - b.load.level)
    .map(({ rounds }) => mediansOf(rounds));
}

function start({ POOL_SIZE, POOL_QUEUE }: Pool): Promise<TestServer> {
  const name = `bankcheck, POOL_SIZE=${POOL_SIZE} POOL_QUEUE=${POOL_QUEUE}`;
  return startServer({ ...bankcheck(POOL_SIZE, POOL_QUEUE), name });
}

/** Connections for what a pool takes and refuses: it refuses before the generator runs out of them. */
const connectionsTo = ({ POOL_SIZE, POOL_QUEUE }: Pool) => POOL_SIZE + POOL_QUEUE + spareConnections;

/**
 * Measures what a service with these settings does: the highest goodput at independent times, while the offered load rises
 * to what 32 connections reach in a closed loop. That brings its requests in groups, one for each turn of the service and
 * the generator; at independent times each request costs both of them more.
 */
export async function measureCapacity(pool: Pool, seconds: number): Promise<Capacity> {
  const server = await start(pool);
  const best = async (kind: LoadKind, rates: readonly (number | "closed")[], connections: number) => {
    let highest = 0;
    for (const rate of rates) {
      const { goodput = 0 } = await offer(server, seconds, kind, rate, connections);
      highest = Math.max(highest, goodput);
    }
    return highest;
  };
  const closedRates = Array<"closed">(closedRounds).fill("closed");
  const closed = capacityOf(
    await best("singles", closedRates, closedConnections),
    await best("batches", closedRates, closedConnections),
  );
  const open = (kind: LoadKind) => {
    const rates = openLevels.map((level) => level * closed[kind]);
    return best(kind, rates, connectionsTo(pool));
  };
  const [singles, batches, mix] = [await open("singles"), await open("batches"), await open("mix")];
  await server.stop();
  return { singles, batches, mix };
}

/** Offers every load at every level to a service with each of the pools, by value, and adds what they did to `rows`. */
export async function sweep(
  rows: TuneRow[],
  pools: ReadonlyMap<number, Pool>,
  capacity: Capacity,
  levels: readonly number[],
  effort: Effort,
): Promise<void> {
  const connections = Math.max(...[...pools.values()].map(connectionsTo));
  const load = (kind: LoadKind, level: number): TuneLoad => ({
    title: `${loadTitles[kind]}, ${Number(level.toPrecision(3))} of the capacity`,
    ...{ kind, level },
    send: (server, seconds) => offer(server, seconds, kind, level * capacity[kind], connections),
  });
  const servers = new Map<number, TestServer>();
  for (const [value, pool] of pools) servers.set(value, await start(pool));
  // Compilers and caches meet both kinds of request.
  await warmUp([load("mix", 0.5)], servers, effort.seconds);
  const loads = kinds.flatMap((kind) => levels.map((level) => load(kind, level)));
  await runRounds(rows, loads, servers, effort);
  await Promise.all([...servers.values()].map((server) => server.stop()));
}
