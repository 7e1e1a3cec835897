import { type FigureName, type Figures, type LoadFigures, median } from "./figures.ts";
import { loadsOf, type Row } from "./rounds.ts";
import type { Scenario } from "./scenarios.ts";
import { type ServerName, servers } from "./servers.ts";

/** What one scenario did to one server. */
export type ScenarioRow = Row<Scenario, ServerName>;

/** The figures that compare a server with another one: which one, by which figure. */
const ratioFigures = {
  timesUws: ["uws", "goodput"],
  mainTimesUws: ["uws", "mainMicroseconds"],
  timesFastify: ["fastify", "goodput"],
  timesBefore: ["before", "goodput"],
  mainTimesBefore: ["before", "mainMicroseconds"],
  allTimesBefore: ["before", "allMicroseconds"],
} as const satisfies Partial<Record<FigureName, readonly [peer: ServerName, figure: FigureName]>>;

/** The median over the rounds of the ratios between a server and each of its peers in the same round. */
function ratiosOf(row: ScenarioRow, rows: readonly ScenarioRow[]): Figures {
  const ratios = Object.entries(ratioFigures).flatMap(([name, [peer, figure]]) => {
    const theirs = rows.find(({ load, server }) => load === row.load && server === peer);
    if (theirs === undefined) return [];
    const each = row.rounds.map(
      (round, index) => round[figure]! / (theirs.rounds[index]?.[figure] ?? Number.NaN),
    );
    return [[name, median(each)] as const];
  });
  return Object.fromEntries(ratios);
}

/** The loads of a run, with the ratios to the servers measured beside. */
export function scenarioLoads(rows: readonly ScenarioRow[]): readonly LoadFigures[] {
  const loads = loadsOf(rows, (server) => servers[server].name);
  return rows.map((row, index) => ({ ...loads[index]!, ...ratiosOf(row, rows) }));
}
