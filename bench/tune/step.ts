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
  /** Answers that were neither 200 nor 503, and connections that the server closed. */
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
  const before = { server: server.processorTime().all, own: ownTime() };
  const outcome = await generator.send({ port: Number(new URL(server.url).port), seconds, streams });
  const serviceSeconds = server.processorTime().all - before.server;
  const generatorSeconds = outcome.generatorSeconds + ownTime() - before.own;
  const foreignSeconds = Math.max(0, outcome.machineSeconds - serviceSeconds - generatorSeconds);
  return {
    ...ratesOf(outcome.streams, outcome.seconds),
    serviceCores: serviceSeconds / outcome.seconds,
    generatorCores: generatorSeconds / outcome.seconds,
    foreignCores: foreignSeconds / outcome.seconds,
  };
}

/** Returns the rates of a load from the results of its streams. */
export function ratesOf(
  streams: readonly StreamResult[],
  seconds: number,
): Omit<Sample, "serviceCores" | "generatorCores" | "foreignCores"> {
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
    failures: answered - good - refused + sum(({ lost }) => lost),
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
    failures: samples.reduce((sum, { failures }) => sum + failures, 0),
  };
}
