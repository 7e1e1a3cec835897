import type { Stream } from "../load/open-loop.ts";
import type { Requests } from "../load/requests.ts";

/** The kinds of load a sweep offers. */
export const loadTitles = {
  singles: "Single checks",
  batches: "Batches of 500",
  mix: "Ten single checks to each batch of 500",
} as const;

/** One kind of load. */
export type LoadKind = keyof typeof loadTitles;

/** Requests per second of each kind that the service can do. */
export type Capacity = Readonly<Record<LoadKind, number>>;

const singlesPerBatch = 10;

/** The capacity of all kinds from those of singles and batches: in the mix each kind takes its share of the time. */
export function capacityOf(singles: number, batches: number): Capacity {
  const mix = (singlesPerBatch + 1) / (singlesPerBatch / singles + 1 / batches);
  return { singles, batches, mix };
}

/**
 * The streams that offer `perSecond` requests of a kind at independent times, over up to `connections` connections in
 * all: beyond the capacity requests wait in them, so that a load with more of them would wait longer.
 */
export function streamsOf(
  kind: LoadKind,
  perSecond: number,
  connections: number,
  requests: Requests,
): readonly Stream[] {
  const stream = (name: "singles" | "batches", rate: number, connections: number): Stream => ({
    ...{ name, connections, isRandom: true, perSecond: rate, requests: requests[name] },
  });
  if (kind !== "mix") return [stream(kind, perSecond, connections)];
  const batchesPerSecond = perSecond / (singlesPerBatch + 1);
  const half = Math.ceil(connections / 2);
  return [
    stream("singles", batchesPerSecond * singlesPerBatch, half),
    stream("batches", batchesPerSecond, half),
  ];
}
