import { setTimeout as delay } from "node:timers/promises";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { missedBounds } from "./bounds.ts";
import { exitOnSignals, print, reportFile } from "./command.ts";
import { type Figures, figure, type LoadFigures } from "./figures.ts";
import { streamsOf } from "./load/loads.ts";
import { offer } from "./load/offer.ts";
import { answersOf, OpenLoopGenerator, type StreamResult, sumOf } from "./load/open-loop.ts";
import { startServer, type TestServer } from "./load/process.ts";
import { type Requests, requestsOf } from "./load/requests.ts";
import { limitOf } from "./report/limit.ts";
import { ownGenerator, thisMachine } from "./report/machine.ts";
import { thisService, writeReport } from "./report/report.ts";
import { sample } from "./sample.ts";
import { servers } from "./servers.ts";

const floodConnections = 512;
const closedConnections = 16;

/** Requests per second beside the flood, and the connections of each kind. */
const probesPerSecond = { batches: 100, singles: 200 };
const probeConnections = 32;

/** A form of the run; bounds of speed need a machine with nothing else to do. */
interface Form {
  readonly factors: readonly number[];
  readonly seconds: number;
  readonly hasSpeedBounds: boolean;
}

const whole: Form = { factors: [0.5, 1, 2, 4, 10], seconds: 5, hasSpeedBounds: true };
/** Judges only what no slow machine explains. */
const short: Form = { factors: [1, 4], seconds: 2, hasSpeedBounds: false };

/** The product's promise to operators; goodput is compared with the best over all factors. */
function boundsOf({ load }: LoadFigures, { hasSpeedBounds }: Form, memoryBefore: number): Figures {
  const exact = { beyond: 0, failures: 0, silent: 0 };
  if (!hasSpeedBounds) return exact;
  const factor = Number.parseFloat(load);
  return {
    ...{ ...exact, belowBest: factor >= 10 ? 0.5 : factor >= 4 ? 0.25 : 1, memoryMb: memoryBefore + 40 },
    ...{ refusalP99: 20, singlesP99: 50, notServed: 0.5 },
  };
}

/**
 * Offers 0.5 to 10 times the service's capacity of batches, regardless of the answers, with single checks beside, and sets
 * exit code 1 where a bound is missed.
 */
export async function run(options: { readonly short?: boolean; readonly output?: string }): Promise<void> {
  const form = options.short === true ? short : whole;
  const output = reportFile("overload", options.output);
  exitOnSignals();
  const service = await thisService();
  const machine = thisMachine(ownGenerator);
  // The queue is the service's default.
  const { POOL_QUEUE: _, ...env } = servers.bankcheck.env ?? {};
  const server = await startServer({ ...servers.bankcheck, env });
  const prober = new OpenLoopGenerator();
  try {
    const loads = await measure(server, prober, requestsOf(await shippedMix()), form);
    const missedBy = (load: LoadFigures) => missedBounds(load, boundsOf(load, form, loads[0]!.memoryMb!));
    const missed = loads.flatMap(missedBy);
    const late = loads.filter((load) => missedBy(load).length > 0);
    const notes = [...missed, limitOf(late, machine.cores)];
    writeReport(
      output,
      {
        ...{ tool: "overload", machine, service, ended: null, loads },
        ...{ settings: { ...form, ...env, API_KEYS: undefined }, findings: { missed } },
      },
      [
        { title: "Loads", loads },
        { title: "Bounds", notes: missed.length === 0 ? ["All bounds were kept."] : notes },
      ],
    );
    process.exitCode = missed.length === 0 ? 0 : 1;
  } finally {
    await prober.stop();
    await server.stop();
  }
}

/** Puts the flood of each factor on a service, with single checks and batches beside it from a generator that has time. */
async function measure(
  server: TestServer,
  prober: OpenLoopGenerator,
  requests: Requests,
  { factors, seconds }: Form,
): Promise<readonly LoadFigures[]> {
  await offer(server, seconds, "batches", "closed", closedConnections);
  const { goodput: capacity = 0 } = await offer(server, seconds, "batches", "closed", closedConnections);
  print(`capacity at ${closedConnections} connections: ${figure(capacity)} batches/s\n`);
  const streams = (["batches", "singles"] as const).flatMap((kind) =>
    streamsOf(kind, probesPerSecond[kind], probeConnections, requests),
  );
  const port = Number(new URL(server.url).port);
  const loads: LoadFigures[] = [];
  for (const factor of factors) {
    const figures = await sample(server, async () => {
      const inside = watchInside(server);
      const [flood, beside] = await Promise.all([
        offer(server, seconds, "batches", factor * capacity, floodConnections),
        prober.send({ port, seconds, streams }),
      ]);
      return {
        ...{ ...flood, ...probeFigures(beside.streams), ...(await inside()) },
        answers: flood.answers + answersOf(beside.streams),
        generatorSeconds: flood.generatorSeconds + beside.generatorSeconds,
      };
    });
    loads.push({ load: `${factor} ×`, ...figures });
  }
  const best = Math.max(...loads.map(({ goodput }) => goodput!));
  return loads.map((load) => ({ ...load, belowBest: 1 - load.goodput! / best }));
}

/** Asks every 20 ms how many requests are inside; the function it returns ends that and returns the maximum. */
function watchInside(server: TestServer): () => Promise<Figures> {
  let [highest, beyond, isOver] = [0, 0, false];
  const asking = (async () => {
    while (!isOver) {
      const { pool } = await server.client.health();
      highest = Math.max(highest, pool.inside);
      beyond = Math.max(beyond, pool.inside - pool.ceiling);
      await delay(20);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return { inside: highest, beyond };
  };
}

/** What the requests beside the flood met: the latencies of refusals and single checks, and what must not happen. */
function probeFigures(streams: readonly StreamResult[]): Figures {
  const [batches, singles] = streams as readonly [StreamResult, StreamResult];
  const refusals = batches.statuses["503"];
  const [good, refused] = [answersOf(streams, "200"), answersOf(streams, "503")];
  return {
    ...(refusals === undefined ? {} : { refusalP99: refusals.p99 }),
    singlesP99: singles.statuses["200"]?.p99 ?? Number.NaN,
    notServed: 1 - answersOf([singles], "200") / (singles.due - singles.tooLate),
    failures: answersOf(streams) - good - refused + batches.lost + singles.lost,
    silent: refused - sumOf(streams, ({ statuses }) => statuses["503"]?.retryAfter ?? 0),
  };
}
