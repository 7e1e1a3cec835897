import { quantileOf } from "../../src/contract/durations.ts";
import type { OpenLoopGenerator, Stream, StreamResult } from "../load/open-loop.ts";
import type { TestServer } from "../load/process.ts";
import { median } from "../report/statistics.ts";

/** Result of one load on one server, as rates, shares and milliseconds. */
export interface Sample {
  /** Requests per second that were sent, and of those answered with 200. */
  readonly sent: number;
  readonly goodput: number;
  /** Share of the answers that were 503. */
  readonly refused: number;
  /** Latency of the 200s; of the slower kind where there are two. NaN for none. */
  readonly p50: number;
  readonly p99: number;
  /** How late the generator sent what was due, milliseconds at p99. */
  readonly late: number;
  /** Processor cores taken by the service, by the generator and by anything else on the machine. */
  readonly serviceCores: number;
  readonly generatorCores: number;
  readonly foreignCores: number;
  /** p99 of checks from their arrival in the main thread to the answer, which leaves sockets and clients out. */
  readonly p99Inside: number;
  /**
   * Delay by the run queue, in seconds a second: of the service's main thread, of its other threads together, and of the
   * generator.
   */
  readonly mainDelay: number;
  readonly workersDelay: number;
  readonly generatorDelay: number;
  /** Answers that were neither 200 nor 503, requests that were not answered, and connections that the server closed. */
  readonly failures: number;
}

/** The medians over the rounds of one step, with the lowest and the highest goodput. */
export interface Step extends Sample {
  readonly offered: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Offers one load to a server and returns the outcome. */
export async function offer(
  server: TestServer,
  generator: OpenLoopGenerator,
  streams: readonly Stream[],
  seconds: number,
): Promise<Sample> {
  const ownTime = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  const counted = await checkDurations(server);
  const before = { server: server.processorTime(), own: ownTime(), at: performance.now() };
  const outcome = await generator.send({ port: Number(new URL(server.url).port), seconds, streams });
  const after = server.processorTime();
  // Connections were opened before the load, and answers came after it.
  const elapsed = (performance.now() - before.at) / 1_000;
  const generatorSeconds = outcome.generatorSeconds + ownTime() - before.own;
  const durations = (await checkDurations(server)).map((count, bucket) => count - counted[bucket]!);
  const serviceSeconds = after.all - before.server.all;
  const foreignSeconds = Math.max(0, outcome.machineSeconds - serviceSeconds - generatorSeconds);
  const mainDelay = after.mainDelay - before.server.mainDelay;
  return {
    ...ratesOf(outcome.streams, outcome.seconds),
    serviceCores: serviceSeconds / outcome.seconds,
    generatorCores: generatorSeconds / outcome.seconds,
    foreignCores: foreignSeconds / outcome.seconds,
    p99Inside: quantileOf(durations, 0.99) ?? Number.NaN,
    mainDelay: mainDelay / elapsed,
    workersDelay: (after.allDelay - before.server.allDelay - mainDelay) / elapsed,
    generatorDelay: outcome.generatorDelay / outcome.seconds,
  };
}

/** How many checks a service has answered since its start, by bucket of the time they took inside it. */
async function checkDurations(server: TestServer): Promise<readonly number[]> {
  const { durations } = await server.ask<{ readonly durations: { readonly check: { counts: number[] } } }>(
    "/service/metrics",
  );
  return durations.check.counts;
}

/** Returns the rates of a load from the results of its streams. */
export function ratesOf(
  streams: readonly StreamResult[],
  seconds: number,
): Pick<Sample, "sent" | "goodput" | "refused" | "p50" | "p99" | "late" | "failures"> {
  const sum = (of: (stream: StreamResult) => number) =>
    streams.reduce((total, stream) => total + of(stream), 0);
  const counted = (status: string) => sum(({ statuses }) => statuses[status]?.count ?? 0);
  const slowest = (of: (stream: StreamResult) => number | undefined) => {
    const known = streams.map(of).filter((value) => value !== undefined && !Number.isNaN(value));
    return known.length === 0 ? Number.NaN : Math.max(...(known as number[]));
  };
  const answered = sum(({ statuses }) =>
    Object.values(statuses).reduce((total, { count }) => total + count, 0),
  );
  const [good, refused] = [counted("200"), counted("503")];
  return {
    sent: sum(({ sent }) => sent) / seconds,
    goodput: good / seconds,
    refused: answered === 0 ? 0 : refused / answered,
    p50: slowest(({ statuses }) => statuses["200"]?.p50),
    p99: slowest(({ statuses }) => statuses["200"]?.p99),
    late: slowest(({ lateP99 }) => lateP99),
    failures:
      answered -
      good -
      refused +
      Math.max(
        sum(({ sent }) => sent) - answered,
        sum(({ lost }) => lost),
      ),
  };
}

/** The medians of one step over its rounds. */
export function stepOf(offered: number, samples: readonly Sample[]): Step {
  const of = (pick: (sample: Sample) => number) =>
    median(samples.map(pick).filter((value) => !Number.isNaN(value)));
  const goodputs = samples.map(({ goodput }) => goodput);
  return {
    offered,
    sent: of(({ sent }) => sent),
    goodput: of(({ goodput }) => goodput),
    lowest: Math.min(...goodputs),
    highest: Math.max(...goodputs),
    refused: of(({ refused }) => refused),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    late: of(({ late }) => late),
    serviceCores: of(({ serviceCores }) => serviceCores),
    generatorCores: of(({ generatorCores }) => generatorCores),
    foreignCores: of(({ foreignCores }) => foreignCores),
    p99Inside: of(({ p99Inside }) => p99Inside),
    mainDelay: of(({ mainDelay }) => mainDelay),
    workersDelay: of(({ workersDelay }) => workersDelay),
    generatorDelay: of(({ generatorDelay }) => generatorDelay),
    failures: samples.reduce((sum, { failures }) => sum + failures, 0),
  };
}
