import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { exitOnSignals, optionsOf } from "./command.ts";
import { findGenerator } from "./load/generator.ts";
import { OpenLoopGenerator, type Stream, type StreamResult } from "./load/open-loop.ts";
import { startServer, type TestServer } from "./load/process.ts";
import { makeBodies, requestsOf } from "./load/requests.ts";
import { figure } from "./report/statistics.ts";
import { aligned } from "./report/table.ts";
import { servers } from "./scenarios.ts";
import { type Circumstances, limitOf } from "./tune/limit.ts";

/**
 * `npm run overload`: offers 0.5 to 10 times the service's capacity of batches, regardless of the answers, with single checks
 * beside, and fails where a bound is missed. `--short` is for CI: less time, and bounds for a machine that is shared, where a
 * speed is too low only if it is so in three runs.
 */
const options = optionsOf({ short: { type: "boolean", default: false } });

const factors = options.short ? [1, 4] : [0.5, 1, 2, 4, 10];
const seconds = options.short ? 2 : 5;
const maxRuns = options.short ? 3 : 1;
const floodConnections = 512;
const closedConnections = 16;

/** Requests per second beside the flood, whose latencies are taken one by one. */
const probesPerSecond = { batches: 100, singles: 200 };

/** Limits to keep; goodput is a share of the best over all factors. Source: the product's promise to operators. */
const bounds = options.short
  ? { goodputAt4: 0.3, goodputAt10: 0.2, refusalP99: 300, singleP99: 600, memoryMb: 100 }
  : { goodputAt4: 0.75, goodputAt10: 0.5, refusalP99: 20, singleP99: 50, memoryMb: 40 };

interface Step {
  readonly factor: number;
  readonly batches: StreamResult;
  readonly singles: StreamResult;
  /** Requests of the flood and of the probes per second, and batches answered with 200. */
  readonly sent: number;
  readonly goodput: number;
  readonly maxInside: number;
  readonly memoryMb: number;
  readonly mainMicroseconds: number;
  /** What was offered, and who had the processors meanwhile. */
  readonly circumstances: Circumstances;
}

exitOnSignals();
const mix = await shippedMix();
const bodies = makeBodies(mix);
const requests = requestsOf(mix);

const { name: generatorName, generate } = findGenerator();
const print = (text: string) => process.stdout.write(`${text}\n`);

// The queue is the service's default.
const { POOL_QUEUE: _, ...env } = servers["bankcheck-bounded"].env ?? {};
const server = await startServer({ ...servers["bankcheck-bounded"], env });
try {
  for (let run = 1; run <= maxRuns; run++) {
    const steps = await runSteps(server);
    print(table(steps));
    const missed = missedBounds(steps);
    for (const { line } of missed) print(`missed: ${line}`);
    process.exitCode = missed.length === 0 ? 0 : 1;
    if (missed.length === 0 || missed.some(({ isSpeed }) => !isSpeed)) break;
  }
} finally {
  await server.stop();
}

async function runSteps(server: TestServer): Promise<Step[]> {
  const { url, memory, processorTime } = server;
  const port = Number(new URL(url).port);
  const load = { url: `${url}/v1/iban`, seconds, bodies };
  await generate({ ...load, connections: closedConnections });
  const capacity = (await generate({ ...load, connections: closedConnections })).perSecond;
  print(
    `flood by ${generatorName}; capacity at ${closedConnections} connections: ${figure(capacity)} batches/s\n`,
  );
  const streams: readonly Stream[] = [
    { name: "batches", perSecond: probesPerSecond.batches, connections: 32, requests: requests.batches },
    { name: "singles", perSecond: probesPerSecond.singles, connections: 32, requests: requests.singles },
  ];
  const steps: Step[] = [];
  const prober = new OpenLoopGenerator();
  for (const factor of factors) {
    const before = processorTime();
    const begun = performance.now();
    const watch = watchInside(server);
    const pauseMs = (floodConnections * 1_000) / (factor * capacity);
    const [flood, probes] = await Promise.all([
      generate({ ...load, connections: floodConnections, pauseMs }),
      prober.send({ port, seconds, streams }),
    ]);
    const after = processorTime();
    const elapsed = (performance.now() - begun) / 1_000;
    const [batches, singles] = probes.streams as readonly [StreamResult, StreamResult];
    const answers = flood.answers + total(batches) + total(singles);
    const [sent, goodput] = [
      flood.answers / seconds + probesPerSecond.batches,
      flood.perSecond + count(batches, 200) / seconds,
    ];
    const serviceSeconds = after.all - before.all;
    const generatorSeconds = probes.generatorSeconds + (flood.generatorSeconds ?? 0);
    steps.push({
      ...{ factor, batches, singles, sent, goodput },
      maxInside: await watch(),
      memoryMb: memory(),
      mainMicroseconds: ((after.main - before.main) * 1e6) / answers,
      circumstances: {
        ...{ offered: factor * capacity, sent, goodput, lowest: goodput, highest: goodput },
        serviceCores: serviceSeconds / elapsed,
        generatorCores: generatorSeconds / seconds,
        foreignCores: Math.max(0, probes.machineSeconds - serviceSeconds - generatorSeconds) / seconds,
        mainDelay: (after.mainDelay - before.mainDelay) / elapsed,
        generatorDelay: probes.generatorDelay / probes.seconds,
      },
    });
  }
  await prober.stop();
  return steps;
}

/** Asks every 20 ms how many requests are inside; the function it returns ends that and returns the maximum. */
function watchInside(server: TestServer): () => Promise<number> {
  let most = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const { pool } = await server.ask<{ pool: { inside: number; ceiling: number } }>("/service/health");
      most = Math.max(most, pool.inside > pool.ceiling ? Number.POSITIVE_INFINITY : pool.inside);
      await delay(20);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return most;
  };
}

function count({ statuses }: StreamResult, status: number): number {
  return statuses[status]?.count ?? 0;
}

function p99({ statuses }: StreamResult, status: number): number {
  return statuses[status]?.p99 ?? 0;
}

function total({ statuses }: StreamResult): number {
  return Object.values(statuses).reduce((sum, { count }) => sum + count, 0);
}

function table(steps: readonly Step[]): string {
  const best = Math.max(...steps.map(({ goodput }) => goodput));
  const latency = ({ statuses }: StreamResult, status: number) =>
    statuses[status] === undefined
      ? "–"
      : `${figure(statuses[status].p50)} / ${figure(statuses[status].p99)}`;
  const rows = steps.map(({ factor, batches, singles, ...step }) => [
    `${factor} ×`,
    figure(step.sent),
    figure(step.goodput),
    figure(step.goodput / best),
    latency(batches, 503),
    latency(batches, 200),
    latency(singles, 200),
    figure(count(singles, 200) / Math.max(1, singles.due)),
    figure(step.maxInside),
    figure(step.mainMicroseconds),
    figure(step.circumstances.mainDelay * 100),
    figure(step.circumstances.foreignCores),
    figure(step.memoryMb),
  ]);
  const head = [
    ...["offered", "sent/s", "goodput/s", "of best", "503 p50/p99 ms", "200 p50/p99 ms"],
    ...["single p50/p99 ms", "singles answered", "max inside", "main µs", "main waited %"],
    ...["other cores", "MB"],
  ];
  return `${aligned([head, ...rows])}\n`;
}

/** Says in a line each which bounds were missed, and whether a slow machine may be why; after those of a load what set its limit. */
function missedBounds(steps: readonly Step[]): { readonly line: string; readonly isSpeed: boolean }[] {
  const best = Math.max(...steps.map(({ goodput }) => goodput));
  const missed: { line: string; isSpeed: boolean }[] = [];
  for (const { factor, batches, singles, goodput, maxInside, memoryMb, circumstances } of steps) {
    const before = missed.length;
    const expect = (holds: boolean, line: string, isSpeed = false) => {
      if (!holds) missed.push({ line: `at ${factor} × ${line}`, isSpeed });
    };
    const least = factor >= 10 ? bounds.goodputAt10 : factor >= 4 ? bounds.goodputAt4 : 0;
    expect(goodput >= least * best, `goodput is ${figure(goodput / best)} of the best`, true);
    expect(p99(batches, 503) <= bounds.refusalP99, "refusals take too long", true);
    expect(p99(singles, 200) <= bounds.singleP99, "single checks take too long", true);
    expect(count(singles, 200) > 0.5 * singles.due, "single checks are shut out", true);
    expect(Number.isFinite(maxInside), "more were inside than the ceiling allows");
    expect(batches.lost + singles.lost === 0, "connections were lost");
    expect(memoryMb <= steps[0]!.memoryMb + bounds.memoryMb, `memory grew to ${figure(memoryMb)} MB`, true);
    for (const stream of [batches, singles]) {
      const silent = count(stream, 503) - (stream.statuses[503]?.retryAfter ?? 0);
      expect(silent === 0, `${silent} refusals had no Retry-After`);
      const others = total(stream) - count(stream, 200) - count(stream, 503);
      expect(others === 0, `${others} answers were neither 200 nor 503`);
    }
    if (missed.length > before) {
      const line = `at ${factor} ×: ${limitOf([circumstances], availableParallelism()).sentence}`;
      missed.push({ line, isSpeed: true });
    }
  }
  return missed;
}
