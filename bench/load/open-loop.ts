import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Channel, within } from "../../src/process/calls.ts";
import { ended, endWithThisProcess } from "../../test/support/children.ts";
import type { Figures } from "../figures.ts";
import type { LoadResult } from "../sample.ts";

export interface Stream {
  readonly name: string;
  /**
   * Requests per second at independent times, as those of many clients come, regardless of the answers. What the generator
   * is more than a few milliseconds late with is left out: sent in one burst it would fill a queue as no client does.
   * "closed" sends the next request when the last is answered, on every connection.
   */
  readonly perSecond: number | "closed";
  /** Maximum number of requests per second, counted from the beginning; none if absent. */
  readonly maxPerSecond?: number;
  readonly connections: number;
  /** Whole HTTP requests as text, sent in turn. */
  readonly requests: readonly string[];
}

/** Where a load goes: this machine, and without TLS by default. */
export interface Target {
  readonly port: number;
  readonly host?: string;
  readonly isTls?: boolean;
}

/** An open-loop load, or a closed one for comparison, by the same generator. */
export interface OpenLoad extends Target {
  readonly seconds: number;
  readonly streams: readonly Stream[];
}

export interface LoadOutcome {
  readonly streams: readonly StreamResult[];
  /** Duration of the load, and the processor time of the generator, in seconds. */
  readonly seconds: number;
  readonly generatorSeconds: number;
  /** How long the generator was ready to run, but had no processor, in seconds. */
  readonly generatorDelaySeconds: number;
}

/** Latencies in milliseconds. */
export type Times = Readonly<Record<"p50" | "p90" | "p99" | "p999" | "max", number>>;

export interface StreamResult {
  readonly name: string;
  /** Requests that were due, and those that were sent; the rest found all connections taken, unless one of the next two counts them. */
  readonly due: number;
  readonly sent: number;
  /** Requests that were not sent since the generator was late, and since they were above the maximum. */
  readonly tooLate: number;
  readonly aboveLimit: number;
  /** By HTTP status: how many, how many of them asked to retry after two seconds, and milliseconds since they were sent. */
  readonly statuses: Readonly<
    Record<string, { readonly count: number; readonly retryAfter: number } & Times>
  >;
  /** Milliseconds between the time a request was due and the time it was sent; NaN for none. */
  readonly lateP99: number;
  /** Connections that were closed between two requests, and opened again. */
  readonly reopened: number;
  /** Connections that were closed before they answered at all, or with a request on its way; they are opened again too. */
  readonly lost: number;
}

export interface GeneratorOffers {
  send(load: OpenLoad): Promise<LoadOutcome>;
}

/** How long a generator may take beyond the load's own time before it counts as stuck. */
const graceMs = 20_000;

/** A generator in a separate process, so that neither side waits for the other's event loop. */
export class OpenLoopGenerator {
  readonly #child: ChildProcess;
  readonly #channel: Channel<GeneratorOffers>;

  constructor() {
    const file = fileURLToPath(new URL("open-loop-process.ts", import.meta.url));
    // The service under test needs the processors that helpers of a collection would take.
    const execArgv = ["--single-threaded-gc", "--import", "tsx"];
    this.#child = fork(file, { execArgv, serialization: "advanced" });
    endWithThisProcess(this.#child);
    this.#channel = new Channel(this.#child);
    // Between loads it does not keep this process alive.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** Sends a load; one at a time. Rejects when the generator ends, or takes far longer than the load. */
  send(load: OpenLoad): Promise<LoadOutcome> {
    return within(load.seconds * 1_000 + graceMs, this.#channel.call("send", load));
  }

  stop(): Promise<void> {
    return ended(this.#child);
  }
}

let shared: OpenLoopGenerator | undefined;

/** Sends one load by a generator that is started once. */
export async function sendLoad(load: OpenLoad): Promise<LoadResult> {
  shared ??= new OpenLoopGenerator();
  const outcome = await shared.send(load);
  const { streams, seconds: _, ...generator } = outcome;
  return { ...figuresOf(outcome, load.streams), ...generator, answers: answersOf(streams) };
}

export function sumOf(streams: readonly StreamResult[], of: (stream: StreamResult) => number): number {
  return streams.reduce((sum, stream) => sum + of(stream), 0);
}

/** Answers of a status over some streams, all answers for none. */
export function answersOf(streams: readonly StreamResult[], status?: string): number {
  return sumOf(streams, ({ statuses }) => {
    const seen = status === undefined ? Object.values(statuses) : [statuses[status]];
    return seen.reduce((sum, each) => sum + (each?.count ?? 0), 0);
  });
}

export function statusesOf(streams: readonly StreamResult[]): readonly string[] {
  return [...new Set(streams.flatMap(({ statuses }) => Object.keys(statuses)))];
}

/** The figures of a load: those of all its streams together, with the latencies of the slower one. */
export function figuresOf(
  { streams, seconds }: Pick<LoadOutcome, "streams" | "seconds">,
  asked: readonly Pick<Stream, "perSecond">[],
): Figures {
  const slowest = (values: readonly (number | undefined)[]) => {
    const known = values.filter((value) => value !== undefined && !Number.isNaN(value)) as number[];
    return known.length === 0 ? Number.NaN : Math.max(...known);
  };
  const times = (["p50", "p90", "p99", "p999", "max"] as const).map((name) => [
    name,
    slowest(streams.map(({ statuses }) => statuses["200"]?.[name])),
  ]);
  const [answers, good, busy] = [answersOf(streams), answersOf(streams, "200"), answersOf(streams, "503")];
  const [sent, lost] = [sumOf(streams, (stream) => stream.sent), sumOf(streams, (stream) => stream.lost)];
  return {
    offered: asked.reduce((total, { perSecond }) => total + Number(perSecond), 0),
    sent: sent / seconds,
    goodput: good / seconds,
    refused: answers === 0 ? 0 : busy / answers,
    failures: answers - good - busy + Math.max(sent - answers, lost),
    ...(Object.fromEntries(times) as Times),
    late: slowest(streams.map(({ lateP99 }) => lateP99)),
  };
}
