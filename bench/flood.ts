import { setTimeout as delay } from "node:timers/promises";
import type { IbanMix } from "../test/support/iban-mix.ts";
import type { Effort } from "./end-to-end.ts";
import type { Generator } from "./load/generator.ts";
import { OpenLoopGenerator, type StreamResult } from "./load/open-loop.ts";
import { startServer } from "./load/process.ts";
import { benchKey, getRequest, makeBodies, requestsOf } from "./load/requests.ts";
import { figure, median } from "./report/statistics.ts";
import { aligned } from "./report/table.ts";
import { servers } from "./scenarios.ts";

/** What a few requests at a steady rate met while a load ran, and what the service was like after it. */
interface Probe {
  readonly batches: StreamResult;
  /** Requests that the main thread answers alone. */
  readonly front: StreamResult;
  readonly eventLoopDelayP99: number;
  /** Accepted requests inside the pool when all was over. */
  readonly insideAfterwards: number;
}

/** Measures the service under far more requests than it can answer. */
export interface FloodResult {
  /** Batches per second at 64 connections that stay within the ceiling. */
  readonly saturated: number;
  /** Accepted and refused batches per second at 256 connections that ignore Retry-After. */
  readonly goodput: number;
  readonly refused: number;
  /** Processor time of the main thread for one answer, nearly all of them refusals, in µs. */
  readonly mainMicroseconds: number;
  readonly memoryMb: number;
  readonly probes: readonly Probe[];
}

const probesPerSecond = 50;
const settleMs = 500;

/** Measures goodput, the price of a refusal and latencies under 256 hammering connections, in interleaved rounds. */
export async function runFlood(
  mix: IbanMix,
  generate: Generator,
  { rounds, seconds }: Effort,
): Promise<FloodResult> {
  const bodies = makeBodies(mix);
  const steady = { perSecond: probesPerSecond, connections: 32 };
  const live = getRequest("/service/live", { host: "bench", key: benchKey, path: "" });
  const streams = [
    { name: "batches", ...steady, requests: requestsOf(mix).batches },
    { name: "front", ...steady, requests: [live] },
  ];
  const server = await startServer(servers["bankcheck-bounded"]);
  const prober = new OpenLoopGenerator();
  try {
    const url = `${server.url}/v1/iban`;
    const port = Number(new URL(url).port);
    const saturated: number[] = [];
    const goodput: number[] = [];
    const refused: number[] = [];
    const main: number[] = [];
    const probes: Probe[] = [];
    await generate({ url, connections: 64, seconds: 1, bodies });
    for (let round = 0; round < rounds; round++) {
      saturated.push((await generate({ url, connections: 64, seconds, bodies })).perSecond);
      // The delay of the event loop counts from here.
      await server.ask("/service/health");
      const before = server.processorTime();
      const [result, probed] = await Promise.all([
        generate({ url, connections: 256, seconds, bodies }),
        prober.send({ port, seconds, streams }),
      ]);
      goodput.push(result.perSecond);
      refused.push(result.refusedPerSecond);
      main.push(((server.processorTime().main - before.main) * 1e6) / result.answers);
      await delay(settleMs);
      const { process, pool } = await server.ask<Health>("/service/health");
      const [batches, front] = probed.streams as readonly [StreamResult, StreamResult];
      probes.push({
        ...{ batches, front },
        eventLoopDelayP99: process.event_loop_delay_p99_ms,
        insideAfterwards: pool.inside,
      });
    }
    return {
      saturated: median(saturated),
      goodput: median(goodput),
      refused: median(refused),
      mainMicroseconds: median(main),
      memoryMb: server.memory(),
      probes,
    };
  } finally {
    await Promise.all([prober.stop(), server.stop()]);
  }
}

interface Health {
  readonly process: { readonly event_loop_delay_p99_ms: number };
  readonly pool: { readonly inside: number };
}

/** The result as lines of text. */
export function floodTable(result: FloodResult): string {
  return `${aligned(floodCells(result))}\n`;
}

/** The result in cells: a head, then a row for each figure. */
export function floodCells(result: FloodResult): readonly (readonly string[])[] {
  const latency = (of: "batches" | "front", status: number) => {
    const seen = result.probes.flatMap((probe) => probe[of].statuses[status] ?? []);
    return (["p50", "p99"] as const)
      .map((key) => figure(median(seen.map((times) => times[key]))))
      .join(" / ");
  };
  return [
    ["256 hammering connections, batches of 500", ""],
    ["saturated batches/s (64 connections)", figure(result.saturated)],
    ["goodput batches/s", figure(result.goodput)],
    ["goodput / saturated", figure(result.goodput / result.saturated)],
    ["refused per second", figure(result.refused)],
    ["main thread µs per answer", figure(result.mainMicroseconds)],
    ["accepted p50 / p99 ms", latency("batches", 200)],
    ["refused p50 / p99 ms", latency("batches", 503)],
    ["GET of the front end p50 / p99 ms", latency("front", 200)],
    [
      "event-loop delay p99 ms",
      figure(median(result.probes.map(({ eventLoopDelayP99 }) => eventLoopDelayP99))),
    ],
    [
      "inside the pool afterwards",
      String(Math.max(...result.probes.map(({ insideAfterwards }) => insideAfterwards))),
    ],
    ["resident memory MB", figure(result.memoryMb)],
  ];
}
