import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { exitOnSignals, print, reportFile } from "./command.ts";
import { cellsOf, type Figures, figure, type LoadFigures } from "./figures.ts";
import { findGenerator, type Generator } from "./load/generator.ts";
import { answersOf, OpenLoopGenerator, type Stream, type StreamResult } from "./load/open-loop.ts";
import { startServer, type TestServer } from "./load/process.ts";
import { makeBodies, requestsOf } from "./load/requests.ts";
import { thisMachine } from "./report/machine.ts";
import { type Section, thisService, writeReport } from "./report/report.ts";
import { sample } from "./sample.ts";
import { servers } from "./scenarios.ts";
import { limitOf } from "./tune/limit.ts";

const floodConnections = 512;
const closedConnections = 16;

/** Requests per second beside the flood, whose latencies are taken one by one. */
const probesPerSecond = { batches: 100, singles: 200 };

/** A form of the run, with its bounds; goodput is a share of the best over all factors. A slow spell misses a speed in all of `runs`. */
interface Form {
  readonly factors: readonly number[];
  readonly seconds: number;
  readonly runs: number;
  readonly goodputAt4: number;
  readonly goodputAt10: number;
  readonly refusalP99: number;
  readonly singleP99: number;
  readonly memoryMb: number;
}

/** Source of the bounds: the product's promise to operators; those of the short form are for machines that are shared. */
const whole: Form = {
  ...{ factors: [0.5, 1, 2, 4, 10], seconds: 5, runs: 1 },
  ...{ goodputAt4: 0.75, goodputAt10: 0.5, refusalP99: 20, singleP99: 50, memoryMb: 40 },
};
const short: Form = {
  ...{ factors: [1, 4], seconds: 2, runs: 3 },
  ...{ goodputAt4: 0.3, goodputAt10: 0.2, refusalP99: 300, singleP99: 600, memoryMb: 100 },
};

interface Step {
  readonly factor: number;
  readonly batches: StreamResult;
  readonly singles: StreamResult;
  readonly maxInside: number;
  readonly figures: Figures;
}

/**
 * Offers 0.5 to 10 times the service's capacity of batches, regardless of the answers, with single checks beside, and sets
 * exit code 1 where a bound is missed.
 */
export async function run(options: { readonly short?: boolean; readonly output?: string }): Promise<void> {
  const form = options.short === true ? short : whole;
  const output = reportFile("overload", options.output);
  exitOnSignals();
  const mix = await shippedMix();
  const { name, generate } = findGenerator();
  const machine = thisMachine(name);
  // The queue is the service's default.
  const { POOL_QUEUE: _, ...env } = servers.bankcheck.env ?? {};
  const server = await startServer({ ...servers.bankcheck, env });
  try {
    for (let attempt = 1; attempt <= form.runs; attempt++) {
      const steps = await runSteps(server, mix, generate, form);
      const missed = missedBounds(steps, form);
      const loads = steps.flatMap(loadsOf);
      const names = [
        "offered",
        "sent",
        "goodput",
        "refused",
        "p50",
        "p99",
        "max",
        "mainMicroseconds",
        "mainDelay",
        "foreignCores",
        "memoryMb",
      ] as const;
      const sections: readonly Section[] = [
        { title: "Loads", tables: { Loads: cellsOf(loads, names) } },
        {
          title: "Bounds",
          notes: [
            ...(missed.length === 0
              ? ["All bounds were kept."]
              : missed.map(({ line }) => `missed: ${line}`)),
            `At most ${Math.max(...steps.map(({ maxInside }) => maxInside))} requests were inside at a time.`,
          ],
        },
      ];
      const settings = { ...form, ...env, API_KEYS: undefined };
      writeReport(
        output,
        "overload",
        {
          ...{ tool: "overload", machine, service: thisService(mix.edition), settings },
          ...{ ended: null, loads, findings: { missed } },
        },
        sections,
      );
      process.exitCode = missed.length === 0 ? 0 : 1;
      if (missed.length === 0 || missed.some(({ isSpeed }) => !isSpeed)) break;
    }
  } finally {
    await server.stop();
  }
}

async function runSteps(
  server: TestServer,
  mix: Awaited<ReturnType<typeof shippedMix>>,
  generate: Generator,
  { factors, seconds }: Form,
): Promise<readonly Step[]> {
  const requests = requestsOf(mix);
  const load = { url: `${server.url}/v1/iban`, seconds, bodies: makeBodies(mix) };
  await generate({ ...load, connections: closedConnections });
  const capacity = (await generate({ ...load, connections: closedConnections })).goodput!;
  print(`capacity at ${closedConnections} connections: ${figure(capacity)} batches/s\n`);
  const streams: readonly Stream[] = (["batches", "singles"] as const).map((name) => ({
    ...{ name, perSecond: probesPerSecond[name], connections: 32, requests: requests[name] },
  }));
  const steps: Step[] = [];
  const prober = new OpenLoopGenerator();
  const port = Number(new URL(server.url).port);
  for (const factor of factors) {
    const offered = factor * capacity;
    const watch = watchInside(server);
    let probes: readonly StreamResult[] = [];
    const figures = await sample(server, async () => {
      const [flood, probed] = await Promise.all([
        generate({ ...load, connections: floodConnections, pauseMs: (floodConnections * 1_000) / offered }),
        prober.send({ port, seconds, streams }),
      ]);
      probes = probed.streams;
      return {
        ...flood,
        answers: flood.answers + answersOf(probes),
        generatorSeconds: flood.generatorSeconds + probed.generatorSeconds,
        generatorDelaySeconds: probed.generatorDelay,
      };
    });
    const [batches, singles] = probes as readonly [StreamResult, StreamResult];
    const { goodput } = figures;
    steps.push({
      ...{ factor, batches, singles, maxInside: await watch() },
      figures: { ...figures, offered, lowest: goodput!, highest: goodput! },
    });
  }
  await prober.stop();
  return steps;
}

/** Asks every 20 ms how many requests are inside; the function it returns ends that and returns the maximum, infinite beyond the ceiling. */
function watchInside(server: TestServer): () => Promise<number> {
  let highest = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const { pool } = await server.ask<{ pool: { inside: number; ceiling: number } }>("/service/health");
      highest = Math.max(highest, pool.inside > pool.ceiling ? Number.POSITIVE_INFINITY : pool.inside);
      await delay(20);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return highest;
  };
}

/** The flood, and the latencies of the probes beside it. */
function loadsOf({ factor, figures, batches, singles }: Step): readonly LoadFigures[] {
  const probe = (server: string, status: string, { statuses }: StreamResult): LoadFigures => ({
    load: `${factor} ×`,
    server,
    ...statuses[status],
  });
  return [
    { load: `${factor} ×`, server: "flood of batches", ...figures },
    probe("batches answered", "200", batches),
    probe("batches refused", "503", batches),
    probe("single checks answered", "200", singles),
  ];
}

/** Says in a line each which bounds were missed, and whether a slow machine may be why; after those of a load what set its limit. */
function missedBounds(
  steps: readonly Step[],
  bounds: Form,
): readonly { readonly line: string; readonly isSpeed: boolean }[] {
  const best = Math.max(...steps.map(({ figures }) => figures.goodput!));
  const p99 = ({ statuses }: StreamResult, status: number) => statuses[status]?.p99 ?? 0;
  const memoryBefore = steps[0]!.figures.memoryMb!;
  return steps.flatMap(({ factor, batches, singles, maxInside, figures }) => {
    const missed: { line: string; isSpeed: boolean }[] = [];
    const expect = (holds: boolean, line: string, isSpeed = false) => {
      if (!holds) missed.push({ line: `at ${factor} × ${line}`, isSpeed });
    };
    const share = figures.goodput! / best;
    const memory = figures.memoryMb!;
    expect(
      share >= (factor >= 10 ? bounds.goodputAt10 : factor >= 4 ? bounds.goodputAt4 : 0),
      `goodput is ${figure(share)} of the best`,
      true,
    );
    expect(p99(batches, 503) <= bounds.refusalP99, "refusals take too long", true);
    expect(p99(singles, 200) <= bounds.singleP99, "single checks take too long", true);
    expect(answersOf([singles], "200") > 0.5 * singles.due, "single checks are shut out", true);
    expect(Number.isFinite(maxInside), "more were inside than the ceiling allows");
    expect(batches.lost + singles.lost === 0, "connections were lost");
    expect(memory <= memoryBefore + bounds.memoryMb, `memory grew to ${figure(memory)} MB`, true);
    for (const stream of [batches, singles]) {
      const busy = answersOf([stream], "503");
      const silent = busy - (stream.statuses[503]?.retryAfter ?? 0);
      expect(silent === 0, `${silent} refusals had no Retry-After`);
      const others = answersOf([stream]) - answersOf([stream], "200") - busy;
      expect(others === 0, `${others} answers were neither 200 nor 503`);
    }
    if (missed.length === 0) return [];
    const limit = limitOf([figures], availableParallelism()).sentence;
    return [...missed, { line: `at ${factor} ×: ${limit}`, isSpeed: true }];
  });
}
