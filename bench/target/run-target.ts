import { setTimeout as delay } from "node:timers/promises";
import type { IbanMix } from "../../test/support/iban-mix.ts";
import { OpenLoopGenerator, type Stream, type StreamResult, type Target } from "../load/open-loop.ts";
import { requestsOf } from "../load/requests.ts";
import { type Capacity, capacityOf, type LoadKind, loadTitles, streamsOf } from "../tune/loads.ts";
import { ratesOf, type Sample } from "../tune/step.ts";
import { expectService, prefixOf } from "./reach.ts";

/** How a service that runs elsewhere is tested. */
export interface TargetOptions {
  readonly url: URL;
  readonly key: string;
  /** Maximum number of single checks and of batches of 500 a second, in every load. */
  readonly maxSingles: number;
  readonly maxBatches: number;
  /** How long all loads take together, in seconds; at least `minTargetSeconds`. */
  readonly seconds: number;
  /** Called with the result of each load when it is over. */
  readonly measured: (step: TargetStep) => void;
  /** Ends the run after the loads measured so far. */
  readonly signal: AbortSignal;
}

/** The result of one load. */
export interface TargetStep extends Pick<Sample, "sent" | "goodput" | "refused" | "p50" | "p99" | "late"> {
  readonly load: string;
  /** Offered requests per second; undefined in a closed loop. */
  readonly offered: number | undefined;
  /** Whether it was a closed loop that the limit of the run held down, not the service. */
  readonly isHeld: boolean;
  readonly streams: readonly StreamResult[];
}

/** Loads that send the next request when the last is answered: kind and connections. */
const closedLoads = [
  ["singles", 1],
  ["singles", 8],
  ["singles", 64],
  ["batches", 1],
  ["batches", 8],
] as const;

/** Loads that come at independent times, as multiples of what the closed loop reached; the last is the overload. */
const openLevels = [0.25, 0.5, 0.75, 1.5] as const;
/** Connections of an open load: one for each request of a second, within these bounds. */
const [minConnections, maxConnections] = [8, 128];
const pauseMs = 200;
const minSeconds = 0.5;

/** From which share of the limit on a closed loop counts as held down by it. */
const heldFrom = 0.9;

/** How long all loads may take beyond their time where answers are late or do not come. */
const overrunMs = 5_000;

/** How many loads there are. */
export const loads = closedLoads.length + Object.keys(loadTitles).length * openLevels.length;

/** The least that all loads take together, in seconds. */
export const minTargetSeconds = Math.ceil(loads * (minSeconds + pauseMs / 1_000));

/**
 * Puts the loads of the bench on a service that runs elsewhere: closed and open loop, single checks, batches, a mix, and
 * overload. Rejects if no bankcheck answers there, or not with this key; and where a load is answered with 200 no more, the
 * service cannot be reached, or its answers take so long that not all loads fit into the time.
 */
export async function runTarget(options: TargetOptions, mix: IbanMix): Promise<void> {
  const { url, key, measured, signal } = options;
  await expectService(url, key, signal);
  if (signal.aborted) return;
  const isTls = url.protocol === "https:";
  const target: Target = {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || (isTls ? 443 : 80)),
    isTls,
  };
  const requests = requestsOf(mix, { host: url.host, key, path: prefixOf(url) });
  const limits = { singles: options.maxSingles, batches: options.maxBatches };
  const deadline = performance.now() + Math.max(options.seconds, minTargetSeconds) * 1_000;
  const generator = new OpenLoopGenerator();
  const stop = () => void generator.stop();
  signal.addEventListener("abort", stop);
  let done = 0;
  const measure = async (load: string, offered: number | undefined, streams: readonly Stream[]) => {
    // What answers outlasted one load is taken from the others.
    const left = deadline - performance.now();
    if (left < -overrunMs) {
      throw new Error(
        `${url.origin} is so slow to connect or to answer that only ${done} of ${loads} loads fit into the time.`,
      );
    }
    const seconds = Math.max(minSeconds, (left / (loads - done) - pauseMs) / 1_000);
    const outcome = await generator.send({ ...target, seconds, streams }).catch((error: Error) => {
      throw new Error(
        `${url.origin} cannot be reached any longer, after ${done} of ${loads} loads (${error.message}).`,
      );
    });
    const rates = ratesOf(outcome.streams, outcome.seconds);
    const isHeld = offered === undefined && rates.goodput > heldFrom * streams[0]!.maxPerSecond!;
    measured({ load, offered, isHeld, ...rates, streams: outcome.streams });
    const seen = outcome.streams.flatMap(({ statuses }) => Object.keys(statuses));
    // A service may refuse a whole load, and one at a low rate may have sent nothing.
    const isOver = rates.sent > 0 && seen.every((status) => status === "401" || status === "403");
    if (isOver || (done === 0 && rates.goodput === 0)) {
      throw new Error(nothingAnswered(url, load, outcome.streams, done));
    }
    done++;
    await delay(pauseMs);
    return rates.goodput;
  };
  const reached = { singles: 1, batches: 1 };
  try {
    for (const [kind, connections] of closedLoads) {
      const title = `${loadTitles[kind]}, closed loop, ${connections} connection${connections === 1 ? "" : "s"}`;
      const pace = { perSecond: "closed", maxPerSecond: limits[kind] } as const;
      const stream = { name: kind, ...pace, connections, requests: requests[kind] };
      reached[kind] = Math.max(reached[kind], await measure(title, undefined, [stream]));
    }
    const capacity = capacityOf(reached.singles, reached.batches);
    for (const kind of Object.keys(loadTitles) as LoadKind[]) {
      for (const level of openLevels) {
        const offered = offeredRate(kind, level * capacity[kind], limits);
        const streams = streamsOf(kind, offered, maxConnections, requests).map((stream) => ({
          ...stream,
          connections: Math.min(
            maxConnections,
            Math.max(minConnections, Math.ceil(Number(stream.perSecond))),
          ),
          maxPerSecond: limits[stream.name as keyof Rates],
        }));
        await measure(openTitle(kind, offered / capacity[kind], reached, limits), offered, streams);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await generator.stop();
  }
}

/** Why a load test ends before its last load. */
function nothingAnswered(
  { origin }: URL,
  load: string,
  streams: readonly StreamResult[],
  done: number,
): string {
  const sent = streams.reduce((sum, stream) => sum + stream.sent, 0);
  const seen = streams.flatMap(({ statuses }) =>
    Object.entries(statuses).map(([status, { count }]) => `${count} with ${status}`),
  );
  const answers = seen.length === 0 ? "none within two seconds" : seen.join(", ");
  const end = done === 0 ? "there is nothing to measure" : `the run ends after ${done} of ${loads} loads`;
  return `${origin} answered none of ${sent} requests with 200 (${load}: ${answers}): ${end}.`;
}

type Rates = Omit<Capacity, "mix">;

/** Requests per second of an open loop, as wanted or as the limits allow. */
function offeredRate(kind: LoadKind, wanted: number, limits: Rates): number {
  // Of eleven requests of the mix ten are single checks and one is a batch.
  const mix = Math.min(1.1 * limits.singles, 11 * limits.batches);
  return Math.max(1, Math.min(wanted, { ...limits, mix }[kind]));
}

/**
 * The name of an open load, at a multiple of what the closed loops reached. It is an overload only where these showed what
 * the service can do.
 */
export function openTitle(kind: LoadKind, level: number, reached: Rates, limits: Rates): string {
  const parts = kind === "mix" ? (["singles", "batches"] as const) : [kind];
  const isKnown = parts.every((part) => reached[part] <= heldFrom * limits[part]);
  const name = isKnown && level > 1.05 ? "overload, " : "";
  return `${loadTitles[kind]}, ${name}${Number(level.toFixed(2))} × what the closed loop reached`;
}
