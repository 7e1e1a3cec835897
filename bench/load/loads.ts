import type { Stream } from "./open-loop.ts";
import type { Requests } from "./requests.ts";

/** The kinds of load that the generator offers. */
export const loadTitles = {
  singles: "Single checks",
  batches: "Batches of 500",
  mix: "Ten single checks to each batch of 500",
} as const;

export type LoadKind = keyof typeof loadTitles;

export const kinds = Object.keys(loadTitles) as LoadKind[];

/** Requests per second of each kind that the service can do. */
export type Capacity = Readonly<Record<LoadKind, number>>;

const singlesPerBatch = 10;

/** The capacity of all kinds from those of singles and batches: in the mix each kind takes its share of the time. */
export function capacityOf(singles: number, batches: number): Capacity {
  const mix = (singlesPerBatch + 1) / (singlesPerBatch / singles + 1 / batches);
  return { singles, batches, mix };
}

/**
 * The streams that offer `perSecond` requests of a kind, over up to `connections` connections in all: beyond the capacity
 * requests wait in them, so that a load with more of them would wait longer.
 */
export function streamsOf(
  kind: LoadKind,
  perSecond: Stream["perSecond"],
  connections: number,
  requests: Requests,
): readonly Stream[] {
  const stream = (name: "singles" | "batches", rate: Stream["perSecond"], connections: number): Stream => ({
    ...{ name, connections, perSecond: rate, requests: requests[name] },
  });
  if (kind !== "mix") return [stream(kind, perSecond, connections)];
  const half = Math.ceil(connections / 2);
  const share = (of: number) =>
    perSecond === "closed" ? perSecond : (perSecond * of) / (singlesPerBatch + 1);
  return [stream("singles", share(singlesPerBatch), half), stream("batches", share(1), half)];
}
