import { type Capacity, kinds, type LoadKind, loadTitles } from "../load/loads.ts";

export interface PlannedLoad {
  readonly title: string;
  readonly kind: LoadKind;
  readonly connections: number;
  /** Requests per second at independent times; "closed" sends the next one when the last is answered. */
  readonly perSecond: number | "closed";
}

/** Most single checks and batches a second, in every load. */
export type Limits = Omit<Capacity, "mix">;

export const closedPlan: readonly PlannedLoad[] = (
  [
    ["singles", 1],
    ["singles", 8],
    ["singles", 64],
    ["batches", 1],
    ["batches", 8],
  ] as const
).map(([kind, connections]) => ({
  title: closedTitle(kind, connections),
  ...{ kind, connections, perSecond: "closed" },
}));

/** Loads that come at independent times, as multiples of what the closed loop reached; the last is the overload. */
const openLevels = [0.25, 0.5, 0.75, 1.5] as const;
/** Connections of an open load: one for each request of a second, within these bounds. */
const [minConnections, maxConnections] = [8, 128];

/** Pause between two loads, and the shortest load, in seconds. */
export const pauseSeconds = 0.2;
export const minLoadSeconds = 0.5;

export const standardLoads = closedPlan.length + kinds.length * openLevels.length;

/** The least that they take together, in seconds. */
export const minTargetSeconds = Math.ceil(standardLoads * (minLoadSeconds + pauseSeconds));

/** One load as it is asked for: an open loop with `rate`, else a closed one. */
export function singleLoad(
  kind: LoadKind,
  rate: number | undefined,
  connections: number | undefined,
): PlannedLoad {
  if (rate === undefined) {
    const closed = connections ?? minConnections;
    return { title: closedTitle(kind, closed), kind, connections: closed, perSecond: "closed" };
  }
  const title = `${loadTitles[kind]}, ${rate} a second`;
  return { title, kind, connections: connections ?? connectionsFor(rate), perSecond: rate };
}

/** The open loops, at multiples of the rates that closed ones reached, and at most at the limits. */
export function openPlan(capacity: Capacity, limits: Limits): readonly PlannedLoad[] {
  // Of eleven requests of the mix ten are single checks and one is a batch.
  const most = { ...limits, mix: Math.min(1.1 * limits.singles, 11 * limits.batches) };
  return kinds.flatMap((kind) =>
    openLevels.map((level) => {
      const perSecond = Math.max(1, Math.min(level * capacity[kind], most[kind]));
      const reached = Number((perSecond / capacity[kind]).toFixed(2));
      const title = `${loadTitles[kind]}, ${reached} × what the closed loop reached`;
      return { title, kind, connections: connectionsFor(perSecond), perSecond };
    }),
  );
}

function closedTitle(kind: LoadKind, connections: number): string {
  return `${loadTitles[kind]}, closed loop, ${connections} connection${connections === 1 ? "" : "s"}`;
}

function connectionsFor(perSecond: number): number {
  return Math.min(maxConnections, Math.max(minConnections, Math.ceil(perSecond)));
}
