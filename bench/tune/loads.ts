import type { IbanMix } from "../../test/support/iban-mix.ts";
import { benchKey } from "../load/generator.ts";
import type { Stream } from "../load/open-loop.ts";

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

const batchSize = 500;
const singlesPerBatch = 10;
const bodies = 32;

/** Whole HTTP requests as they are sent, in turn. */
export interface Requests {
  readonly singles: readonly string[];
  readonly batches: readonly string[];
}

/** Makes the requests: singles and batches over all bank codes, one IBAN in ten with a wrong digit. */
export function requestsOf(
  mix: IbanMix,
  { host, key, path } = { host: "bench", key: benchKey, path: "" },
): Requests {
  const common = `Host: ${host}\r\nX-API-Key: ${key}\r\n`;
  const json = "Content-Type: application/json\r\nContent-Length: ";
  return {
    singles: mix.take(batchSize).map((iban) => `GET ${path}/v1/iban/${iban} HTTP/1.1\r\n${common}\r\n`),
    batches: Array.from({ length: bodies }, () => {
      const body = JSON.stringify({ ibans: mix.take(batchSize) });
      return `POST ${path}/v1/iban HTTP/1.1\r\n${common}${json}${body.length}\r\n\r\n${body}`;
    }),
  };
}

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
