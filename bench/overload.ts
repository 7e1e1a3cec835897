import type { BankDirectory } from "../src/banks/directory/directory.ts";
import { IbanMix } from "../test/support/iban-mix.ts";
import type { Generator } from "./load/generator.ts";
import { type ProbeResult, probeDuring } from "./load/probe.ts";
import { startServer } from "./load/process.ts";
import { figure, median } from "./report/statistics.ts";
import { aligned } from "./report/table.ts";
import { servers } from "./scenarios.ts";

/** Measures the service under far more requests than it can answer. */
export interface OverloadResult {
  /** Batches per second at 64 connections that stay within the ceiling. */
  readonly saturated: number;
  /** Accepted and refused batches per second at 256 connections that ignore Retry-After. */
  readonly goodput: number;
  readonly refused: number;
  /** Processor time of the main thread for one answer, nearly all of them refusals, in µs. */
  readonly mainMicroseconds: number;
  readonly memoryMb: number;
  readonly probes: readonly ProbeResult[];
}

const bodyCount = 32;

/** Measures goodput, the price of a refusal and latencies under 256 hammering connections, in interleaved rounds. */
export async function runOverload(
  directory: BankDirectory,
  generate: Generator,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<OverloadResult> {
  const mix = new IbanMix(directory);
  const bodies = Array.from({ length: bodyCount }, () => JSON.stringify({ ibans: mix.take(500) }));
  const server = await startServer(servers["bankcheck-bounded"]);
  try {
    const url = `${server.url}/v1/iban`;
    const saturated: number[] = [];
    const goodput: number[] = [];
    const refused: number[] = [];
    const main: number[] = [];
    const probes: ProbeResult[] = [];
    await generate({ url, connections: 64, seconds: 1, bodies });
    for (let round = 0; round < rounds; round++) {
      saturated.push((await generate({ url, connections: 64, seconds, bodies })).perSecond);
      const before = server.processorTime();
      const load = generate({ url, connections: 256, seconds, bodies });
      probes.push(await probeDuring(server.url, bodies[0]!, load));
      const result = await load;
      goodput.push(result.perSecond);
      refused.push(result.refusedPerSecond);
      main.push(((server.processorTime().main - before.main) * 1e6) / result.answers);
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
    await server.stop();
  }
}

/** The result as lines of text. */
export function overloadTable(result: OverloadResult): string {
  return `${aligned(overloadCells(result))}\n`;
}

/** The result in cells: a head, then a row for each figure. */
export function overloadCells(result: OverloadResult): readonly (readonly string[])[] {
  const of = (kind: string, pick: "p50" | "p99") =>
    figure(median(result.probes.flatMap(({ kinds }) => kinds[kind]?.[pick] ?? [])));
  return [
    ["256 hammering connections, batches of 500", ""],
    ["saturated batches/s (64 connections)", figure(result.saturated)],
    ["goodput batches/s", figure(result.goodput)],
    ["goodput / saturated", figure(result.goodput / result.saturated)],
    ["refused per second", figure(result.refused)],
    ["main thread µs per answer", figure(result.mainMicroseconds)],
    ["accepted p50 / p99 ms", `${of("POST 200", "p50")} / ${of("POST 200", "p99")}`],
    ["refused p50 / p99 ms", `${of("POST 503", "p50")} / ${of("POST 503", "p99")}`],
    ["GET of the front end p50 / p99 ms", `${of("GET 200", "p50")} / ${of("GET 200", "p99")}`],
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
