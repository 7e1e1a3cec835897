import { progress } from "./command.ts";
import { type Figures, type LoadFigures, mediansOf } from "./figures.ts";
import type { TestServer } from "./load/process.ts";
import { type LoadResult, sample } from "./sample.ts";

/** A load that every command can put on a server. */
export interface Load {
  readonly title: string;
  /** What it needs it makes when it is first called, which is to warm up. */
  send(server: TestServer, seconds: number): Promise<LoadResult>;
}

/** What one load did to one server, round by round. */
export interface Row<L extends Load, S> {
  readonly load: L;
  readonly server: S;
  readonly rounds: Figures[];
}

/** How long and how often each load is measured. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
}

/** Puts each load on each server once and keeps nothing: compilers and caches warm up. */
export async function warmUp(
  loads: readonly Load[],
  servers: ReadonlyMap<unknown, TestServer>,
  seconds: number,
): Promise<void> {
  for (const load of loads) {
    for (const server of servers.values()) await load.send(server, Math.min(1, seconds));
  }
}

/**
 * Puts each load on each server in each round, and adds what it did to `rows`, which hold what was measured when a run is
 * stopped. The servers take turns in alternating order, so that a slow spell of the machine affects all of them.
 */
export async function runRounds<L extends Load, S>(
  rows: Row<L, S>[],
  loads: readonly L[],
  servers: ReadonlyMap<S, TestServer>,
  { rounds, seconds }: Effort,
): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    for (const load of loads) {
      for (const [name, server] of round % 2 === 1 ? [...servers] : [...servers].toReversed()) {
        const figures = await sample(server, () => load.send(server, seconds));
        const row = rows.find((each) => each.load === load && each.server === name);
        if (row === undefined) rows.push({ load, server: name, rounds: [figures] });
        else row.rounds.push(figures);
      }
      progress(`measured round ${round} of ${rounds}: ${load.title}`);
    }
  }
}

/** The medians of each row, with the name of its server. */
export function loadsOf<S>(
  rows: readonly Row<Load, S>[],
  nameOf: (server: S) => string,
): readonly LoadFigures[] {
  return rows.map(({ load, server, rounds }) => ({
    ...{ load: load.title, server: nameOf(server) },
    ...mediansOf(rounds),
  }));
}
