import { setTimeout as delay } from "node:timers/promises";
import type { Generator } from "./load/generator.ts";
import type { LoadKind } from "./load/loads.ts";
import { offer } from "./load/offer.ts";
import type { TestServer } from "./load/process.ts";
import type { Load } from "./rounds.ts";
import { checkFile, rowFiles, sendStream, sendStreams } from "./row-loads.ts";
import type { ServerName } from "./servers.ts";

/** One row of measurements: the same load on several servers in turn. */
export interface Scenario extends Load {
  readonly id: string;
  readonly servers: readonly ServerName[];
  /** Whether it is measured only where `--only` names it. */
  readonly isExtra?: boolean;
}

const peers: readonly ServerName[] = ["bankcheck", "uws", "fastify"];
const own: readonly ServerName[] = ["bankcheck"];
const singlePath = "/v1/iban/DE89370400440532013000";
/** Streams begin before what is measured beside them, and end after it. */
const streamLeadMs = 500;

const plural = (connections: number) => `${connections} connection${connections === 1 ? "" : "s"}`;

/** The end-to-end scenarios, with what sends closed loops, and the rows of files. */
export function scenariosWith(generator: Pick<Generator, "send">, rows: number): readonly Scenario[] {
  const closed =
    (path: string, connections: number, batch?: number): Load["send"] =>
    ({ url }, seconds) =>
      generator.send({ url: url + path, connections, seconds, batch });
  const batches = (size: number, connections: number, more: Partial<Scenario> = {}): Scenario => ({
    id: `batch-${size}-${connections}`,
    title: `batch of ${size}, ${plural(connections)}`,
    ...{ servers: peers, send: closed("/v1/iban", connections, size), ...more },
  });
  const singles = (connections: number, more: Partial<Scenario> = {}): Scenario => ({
    id: `single-${connections}`,
    title: `single check, ${plural(connections)}`,
    ...{ servers: peers, send: closed(singlePath, connections), ...more },
  });
  const withTls: readonly ServerName[] = ["bankcheck", "bankcheck-tls"];
  return [
    batches(500, 64),
    batches(500, 8),
    ...["reason", "explain", "suggest"].map((option) =>
      batches(500, 8, {
        id: `batch-500-8-${option}`,
        title: `batch of 500 with ${option}=1, 8 connections`,
        ...{ servers: own, send: closed(`/v1/iban?${option}=1`, 8, 500) },
      }),
    ),
    batches(500, 1),
    ...[1, 10, 50, 100].map((size) => batches(size, 64)),
    ...[256, 64, 8, 1].map((connections) => singles(connections)),
    ...[500, 4_000].map((perSecond) => ({
      id: `paced-${perSecond}`,
      title: `single check, ${perSecond} requests a second over 32 connections`,
      servers: peers,
      send: (server: TestServer, seconds: number) => offer(server, seconds, "singles", perSecond, 32),
    })),
    singles(64, { id: "tls-single", title: "single check over TLS, 64 connections", servers: withTls }),
    batches(500, 64, { id: "tls-batch", title: "batch of 500 over TLS, 64 connections", servers: withTls }),
    ...rowScenarios(rows),
  ];
}

/** Files by streams and by the command line, and other requests beside streams. */
function rowScenarios(rows: number): readonly Scenario[] {
  const columns = { "fields=status": "status alone", "": "all columns" } as const;
  const [both, extra] = [Object.entries(columns), { isExtra: true, servers: own }];
  const beside = (kind: LoadKind, perSecond: number, query: string | undefined): Scenario => ({
    id: `beside-${kind}${query === undefined ? "" : `-${query}`}`,
    title: `${perSecond} ${kind} a second${query === undefined ? "" : ` beside ten streams of ${columns[query as ""]}`}`,
    ...extra,
    send: async (server, seconds) => {
      const lasting = seconds + (2 * streamLeadMs) / 1_000;
      const streams = query === undefined ? undefined : sendStreams(server, rows, query, lasting);
      await delay(streamLeadMs);
      const [result] = await Promise.all([offer(server, seconds, kind, perSecond, 8), streams]);
      return result;
    },
  });
  return [
    ...Object.keys(rowFiles).flatMap((name) =>
      both.map(([query, title]) => ({
        id: `stream-${name}-${query || "all"}`,
        title: `rows of ${name} by a stream, ${title}`,
        ...extra,
        send: (server: TestServer) => sendStream(server, name, rows, query),
      })),
    ),
    ...["ibans.csv", "quoted.csv", "accounts.csv"].flatMap((name) =>
      [false, true].map((isOffline) => ({
        id: `file-${name}${isOffline ? "-offline" : ""}`,
        title: `rows of ${name} by the command line${isOffline ? ", offline" : ""}`,
        ...extra,
        send: (server: TestServer) => checkFile(server, name, rows, isOffline),
      })),
    ),
    ...[undefined, ...Object.keys(columns)].flatMap((query) => [
      beside("singles", 200, query),
      beside("batches", 100, query),
    ]),
  ];
}

const againstIds = /^(single-(64|8|1)|batch-500-(64|8|1)|paced-500|stream-.*)$/;

/** The scenarios that compare this checkout with another one: single checks beside the baselines too. */
export function againstScenarios(scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios
    .filter(({ id }) => againstIds.test(id))
    .map((scenario) => ({
      ...scenario,
      servers: [
        "before",
        "bankcheck",
        ...(scenario.id.startsWith("single") ? (["uws", "fastify"] as const) : []),
      ],
    }));
}
