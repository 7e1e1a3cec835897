import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BankDirectory } from "../src/banks/directory.ts";
import { loadShippedDirectory } from "../src/banks/load.ts";
import { IbanMix } from "./iban-mix.ts";
import { benchKey } from "./load/generator.ts";
import { type Stream, type StreamResult, sendLoad } from "./load/open-loop.ts";
import { startServer, type TestServer } from "./load/process.ts";
import { figure } from "./report/statistics.ts";
import { aligned } from "./report/table.ts";
import { servers } from "./scenarios.ts";

/**
 * `npm run overload`: offers 0.5 to 10 times what the service can do, in an open loop, with single checks beside the
 * batches, and fails where a bound is missed. `--short` is for CI: less time, and bounds for a machine that is shared.
 */
const { values: options } = parseArgs({ options: { short: { type: "boolean", default: false } } });

const factors = options.short ? [1, 4] : [0.5, 1, 2, 4, 10];
const seconds = options.short ? 2 : 5;
const singlesPerSecond = 200;
const batchConnections = 512;
const closedConnections = 16;

/** What must hold; goodput as a share of the best over all factors. Source: the product's own promise to operators. */
const bounds = options.short
  ? { goodputAt4: 0.5, goodputAt10: 0.3, refusalP99: 60, singleP99: 150, memoryMb: 60 }
  : { goodputAt4: 0.75, goodputAt10: 0.5, refusalP99: 20, singleP99: 50, memoryMb: 40 };

interface Step {
  readonly factor: number;
  readonly batches: StreamResult;
  readonly singles: StreamResult;
  readonly goodput: number;
  readonly mostInside: number;
  readonly memoryMb: number;
  readonly mainMicroseconds: number;
}

const directory = new BankDirectory(
  await loadShippedDirectory(fileURLToPath(new URL("../data", import.meta.url))),
);
const mix = new IbanMix(directory);
const batchRequests = Array.from({ length: 32 }, () => {
  const body = JSON.stringify({ ibans: mix.take(500) });
  const head = `POST /v1/iban HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${benchKey}\r\nContent-Type: application/json\r\n`;
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
});
const singleRequests = mix
  .take(500)
  .map((iban) => `GET /v1/iban/${iban} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${benchKey}\r\n\r\n`);

const print = (text: string) => process.stdout.write(`${text}\n`);

/** The service with its default queue. */
const { POOL_QUEUE: _, ...env } = servers["bankcheck-bounded"].env ?? {};
const server = await startServer({ ...servers["bankcheck-bounded"], env });
try {
  const steps = await runSteps(server);
  print(table(steps));
  const missed = missedBounds(steps);
  for (const line of missed) print(`missed: ${line}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await server.stop();
}

async function runSteps({ url, memory, processorTime }: TestServer): Promise<Step[]> {
  const port = Number(new URL(url).port);
  const batches = (perSecond: Stream["perSecond"], connections: number): Stream => ({
    name: "batches",
    perSecond,
    connections,
    requests: batchRequests,
  });
  const closed = () => sendLoad({ port, seconds, streams: [batches("closed", closedConnections)] });
  await closed();
  const capacity = (answered((await closed())[0]!)?.count ?? 0) / seconds;
  print(`capacity with this generator, ${closedConnections} connections: ${figure(capacity)} batches/s\n`);
  const steps: Step[] = [];
  for (const factor of factors) {
    const singles: Stream = {
      name: "singles",
      perSecond: singlesPerSecond,
      connections: 64,
      requests: singleRequests,
    };
    const before = processorTime();
    const watch = watchInside(url);
    const streams = [batches(capacity * factor, batchConnections), singles];
    const [batchResult, singleResult] = await sendLoad({ port, seconds, streams });
    const answers = total(batchResult!) + total(singleResult!);
    steps.push({
      factor,
      batches: batchResult!,
      singles: singleResult!,
      goodput: (answered(batchResult!)?.count ?? 0) / seconds,
      mostInside: await watch(),
      memoryMb: memory(),
      mainMicroseconds: ((processorTime().main - before.main) * 1e6) / answers,
    });
  }
  return steps;
}

/** Asks every 20 ms how many requests are inside; the function it gives ends that and tells the most. */
function watchInside(url: string): () => Promise<number> {
  let most = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const answer = await fetch(`${url}/service/health`, { headers: { "X-API-Key": benchKey } });
      const { pool } = (await answer.json()) as { pool: { inside: number; ceiling: number } };
      most = Math.max(most, pool.inside > pool.ceiling ? Number.POSITIVE_INFINITY : pool.inside);
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return most;
  };
}

function answered({ statuses }: StreamResult) {
  return statuses["200"];
}

function refused({ statuses }: StreamResult) {
  return statuses["503"];
}

function total({ statuses }: StreamResult): number {
  return Object.values(statuses).reduce((sum, { count }) => sum + count, 0);
}

function table(steps: readonly Step[]): string {
  const best = Math.max(...steps.map(({ goodput }) => goodput));
  const rows = steps.map(({ factor, batches, singles, goodput, mostInside, memoryMb, mainMicroseconds }) => [
    `${factor} ×`,
    figure(batches.sent / seconds),
    figure(batches.sent / batches.due),
    figure(goodput),
    figure(goodput / best),
    figure((refused(batches)?.count ?? 0) / seconds),
    `${figure(refused(batches)?.p50 ?? Number.NaN)} / ${figure(refused(batches)?.p99 ?? Number.NaN)}`,
    `${figure(answered(batches)?.p50 ?? Number.NaN)} / ${figure(answered(batches)?.p99 ?? Number.NaN)}`,
    `${figure(answered(singles)?.p50 ?? Number.NaN)} / ${figure(answered(singles)?.p99 ?? Number.NaN)}`,
    figure((answered(singles)?.count ?? 0) / Math.max(1, singles.due)),
    figure(mostInside),
    figure(mainMicroseconds),
    figure(memoryMb),
  ]);
  const head = [
    ...["offered", "sent/s", "sent/due", "goodput/s", "of best", "503/s", "503 p50/p99 ms", "200 p50/p99 ms"],
    ...["single p50/p99 ms", "singles answered", "most inside", "main µs", "MB"],
  ];
  return `${aligned([head, ...rows])}\n`;
}

/** Says in a line each which bounds were missed. */
function missedBounds(steps: readonly Step[]): string[] {
  const best = Math.max(...steps.map(({ goodput }) => goodput));
  const missed: string[] = [];
  const expect = (holds: boolean, line: string) => {
    if (!holds) missed.push(line);
  };
  for (const { factor, batches, singles, goodput, mostInside, memoryMb } of steps) {
    const at = `at ${factor} ×`;
    const least = factor >= 10 ? bounds.goodputAt10 : factor >= 4 ? bounds.goodputAt4 : 0;
    expect(goodput >= least * best, `${at} goodput is ${figure(goodput / best)} of the best`);
    expect((refused(batches)?.p99 ?? 0) <= bounds.refusalP99, `${at} refusals take too long`);
    expect((answered(singles)?.p99 ?? 0) <= bounds.singleP99, `${at} single checks take too long`);
    expect((answered(singles)?.count ?? 0) > 0.5 * singles.due, `${at} single checks are shut out`);
    expect(Number.isFinite(mostInside), `${at} more were inside than the ceiling allows`);
    expect(batches.lost + singles.lost === 0, `${at} connections were lost`);
    expect(memoryMb <= steps[0]!.memoryMb + bounds.memoryMb, `${at} memory grew to ${figure(memoryMb)} MB`);
    for (const stream of [batches, singles]) {
      const silent = (refused(stream)?.count ?? 0) - (refused(stream)?.retryAfter ?? 0);
      expect(silent === 0, `${at} ${silent} refusals did not tell when to come again`);
      const others = total(stream) - (answered(stream)?.count ?? 0) - (refused(stream)?.count ?? 0);
      expect(others === 0, `${at} ${others} answers were neither 200 nor 503`);
    }
  }
  return missed;
}
