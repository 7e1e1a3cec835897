import type { ServerSpec } from "./load/process.ts";
import { benchKey } from "./load/requests.ts";

const tsx = ["--import", "tsx"];

/** The compiled service with a pool of its own size and queue. */
export const bankcheck = (workers: number, queue: number): ServerSpec => ({
  name: `bankcheck, ${workers} worker${workers === 1 ? "" : "s"}`,
  args: [".dist/src/main.js"],
  env: {
    PORT: "0",
    API_KEYS: `bench:${benchKey}`,
    POOL_SIZE: String(workers),
    POOL_QUEUE: String(queue),
  },
});

/** Wide enough that no closed-loop scenario but the overload meets the ceiling. */
const openQueue = 512;

/** The servers of the bench. */
export const servers = {
  bankcheck: bankcheck(2, openQueue),
  "bankcheck-1": bankcheck(1, openQueue),
  "bankcheck-3": bankcheck(3, openQueue),
  "bankcheck-4": bankcheck(4, openQueue),
  "bankcheck-bounded": { ...bankcheck(2, 64), name: "bankcheck, 2 workers, queue 64" },
  uws: { name: "uWebSockets.js, constant answer", args: [...tsx, "bench/baselines/uws-constant.ts"] },
  fastify: { name: "fastify + ibantools", args: [...tsx, "bench/baselines/fastify-ibantools.ts"] },
  express: { name: "express + iban.js", args: [...tsx, "bench/baselines/express-iban.ts"] },
  naive: {
    name: "naive Piscina (objects), 2 workers",
    args: [...tsx, "bench/baselines/naive-piscina.ts"],
    env: { POOL_SIZE: "2" },
  },
} as const satisfies Record<string, ServerSpec>;

/** Name of a server of the bench. */
export type ServerName = keyof typeof servers;

/** One row of measurements: the same load on several servers in turn. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly connections: number;
  /** Requests per second over all connections, at independent times; as many as are answered where absent. */
  readonly pacedPerSecond?: number;
  /** IBANs per batch; a single GET check where absent. */
  readonly batch?: number;
  /** Query of a batch. */
  readonly query?: string;
  readonly servers: readonly ServerName[];
}

const batchPeers: readonly ServerName[] = ["bankcheck", "uws", "fastify"];

/** The end-to-end scenarios. */
export const scenarios: readonly Scenario[] = [
  {
    id: "batch-500-64",
    title: "batch of 500, 64 connections",
    connections: 64,
    batch: 500,
    servers: [...batchPeers, "express", "naive"],
  },
  {
    id: "batch-500-8",
    title: "batch of 500, 8 connections",
    connections: 8,
    batch: 500,
    servers: batchPeers,
  },
  ...(["reason=1", "explain=1", "suggest=1"] as const).map((query) => ({
    id: `batch-500-8-${query.slice(0, query.indexOf("="))}`,
    title: `batch of 500 with ${query}, 8 connections`,
    connections: 8,
    batch: 500,
    query,
    servers: ["bankcheck"] as const,
  })),
  { id: "batch-500-1", title: "batch of 500, 1 connection", connections: 1, batch: 500, servers: batchPeers },
  ...[1, 10, 50, 100].map((batch) => ({
    id: `batch-${batch}-64`,
    title: `batch of ${batch}, 64 connections`,
    connections: 64,
    batch,
    servers: batchPeers,
  })),
  {
    id: "single-256",
    title: "single check, 256 connections",
    connections: 256,
    servers: ["bankcheck", "uws", "fastify"],
  },
  {
    id: "single-64",
    title: "single check, 64 connections",
    connections: 64,
    servers: ["bankcheck", "uws", "fastify", "express"],
  },
  {
    id: "single-8",
    title: "single check, 8 connections",
    connections: 8,
    servers: ["bankcheck", "uws", "fastify"],
  },
  {
    id: "single-1",
    title: "single check, 1 connection",
    connections: 1,
    servers: ["bankcheck", "uws", "fastify"],
  },
  ...[500, 4_000].map((pacedPerSecond) => ({
    id: `paced-${pacedPerSecond}`,
    title: `single check, ${pacedPerSecond} requests a second over 32 connections: processor time counts`,
    ...{ connections: 32, pacedPerSecond },
    servers: ["bankcheck", "uws", "fastify"] as const,
  })),
  ...(["bankcheck-1", "bankcheck-3", "bankcheck-4"] as const).map((server) => ({
    id: `pool-${server.at(-1)}`,
    title: `batch of 500, 64 connections, pool of ${server.at(-1)}`,
    connections: 64,
    batch: 500,
    servers: [server],
  })),
];
