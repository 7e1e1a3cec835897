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

/** Wide enough that no closed-loop scenario meets the ceiling. */
const openQueue = 512;

/** The servers of the bench. */
export const servers = {
  bankcheck: bankcheck(2, openQueue),
  "bankcheck-1": bankcheck(1, openQueue),
  "bankcheck-3": bankcheck(3, openQueue),
  "bankcheck-4": bankcheck(4, openQueue),
  "bankcheck-tls": { ...bankcheck(2, openQueue), name: "bankcheck over TLS, 2 workers" },
  before: { ...bankcheck(2, openQueue), name: "bankcheck before" },
  uws: { name: "uWebSockets.js, constant answer", args: [...tsx, "bench/baselines/uws-constant.ts"] },
  fastify: { name: "fastify + ibantools", args: [...tsx, "bench/baselines/fastify-ibantools.ts"] },
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

const peers: readonly ServerName[] = ["bankcheck", "uws", "fastify"];

function batches(size: number, connections: number, more: Partial<Scenario> = {}): Scenario {
  const title = `batch of ${size}, ${connections} connection${connections === 1 ? "" : "s"}`;
  return { id: `batch-${size}-${connections}`, title, connections, batch: size, servers: peers, ...more };
}

function singles(connections: number): Scenario {
  const title = `single check, ${connections} connection${connections === 1 ? "" : "s"}`;
  return { id: `single-${connections}`, title, connections, servers: peers };
}

/** The end-to-end scenarios. */
export const scenarios: readonly Scenario[] = [
  batches(500, 64, { servers: [...peers, "naive"] }),
  batches(500, 8),
  ...["reason", "explain", "suggest"].map((option) =>
    batches(500, 8, {
      id: `batch-500-8-${option}`,
      title: `batch of 500 with ${option}=1, 8 connections`,
      query: `${option}=1`,
      servers: ["bankcheck"],
    }),
  ),
  batches(500, 1),
  ...[1, 10, 50, 100].map((size) => batches(size, 64)),
  ...[256, 64, 8, 1].map(singles),
  ...[500, 4_000].map((pacedPerSecond) => ({
    id: `paced-${pacedPerSecond}`,
    title: `single check, ${pacedPerSecond} requests a second over 32 connections`,
    ...{ connections: 32, pacedPerSecond, servers: peers },
  })),
  {
    ...singles(64),
    id: "tls-single",
    title: "single check over TLS, 64 connections",
    servers: ["bankcheck", "bankcheck-tls"],
  },
  batches(500, 64, {
    id: "tls-batch",
    title: "batch of 500 over TLS, 64 connections",
    servers: ["bankcheck", "bankcheck-tls"],
  }),
  ...(["bankcheck-1", "bankcheck-3", "bankcheck-4"] as const).map((server) =>
    batches(500, 64, {
      id: `pool-${server.at(-1)}`,
      title: `batch of 500, 64 connections, pool of ${server.at(-1)}`,
      servers: [server],
    }),
  ),
];

const againstIds = [
  "single-64",
  "single-8",
  "single-1",
  "batch-500-64",
  "batch-500-8",
  "batch-500-1",
  "paced-500",
];

/** The scenarios that compare this checkout with another one: single checks beside the baselines too. */
export const againstScenarios: readonly Scenario[] = scenarios
  .filter(({ id }) => againstIds.includes(id))
  .map((scenario) => ({
    ...scenario,
    servers: [
      "before",
      "bankcheck",
      ...(scenario.id.startsWith("single") ? (["uws", "fastify"] as const) : []),
    ],
  }));
