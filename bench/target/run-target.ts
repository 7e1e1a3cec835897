import { setTimeout as delay } from "node:timers/promises";
import type { IbanMix } from "../../test/support/iban-mix.ts";
import type { LoadFigures } from "../figures.ts";
import { capacityOf, streamsOf } from "../load/loads.ts";
import {
  answersOf,
  figuresOf,
  OpenLoopGenerator,
  type StreamResult,
  statusesOf,
  sumOf,
} from "../load/open-loop.ts";
import { requestsOf } from "../load/requests.ts";
import {
  closedPlan,
  type Limits,
  minLoadSeconds,
  minTargetSeconds,
  openPlan,
  type PlannedLoad,
  pauseSeconds,
  standardLoads,
} from "./plan.ts";
import { prefixOf } from "./reach.ts";

/** How a service that runs elsewhere is tested. */
export interface TargetOptions {
  readonly url: URL;
  readonly key: string;
  readonly limits: Limits;
  /** How long all loads take together, in seconds; at least `minTargetSeconds`, or `minLoadSeconds` for one. */
  readonly seconds: number;
  /** The only load; the standard ones where absent. */
  readonly only?: PlannedLoad;
  /** Called with the result of each load when it is over. */
  readonly measured: (step: TargetStep) => void;
}

export interface TargetStep {
  readonly load: PlannedLoad;
  readonly figures: LoadFigures;
  readonly streams: readonly StreamResult[];
}

/**
 * Puts loads on a service that runs elsewhere: one, or closed and open loops of single checks, batches and a mix up to
 * overload. Rejects where a load is no longer answered with 200, the service cannot be reached, or its answers take so long
 * that not all loads fit into the time.
 */
export async function runTarget(options: TargetOptions, mix: IbanMix): Promise<void> {
  const { url, key, limits, measured, only } = options;
  const isTls = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const target = { host, port: Number(url.port || (isTls ? 443 : 80)), isTls };
  const requests = requestsOf(mix, { host: url.host, key, path: prefixOf(url) });
  const loads = only === undefined ? standardLoads : 1;
  const least = only === undefined ? minTargetSeconds : minLoadSeconds;
  const totalMs = Math.max(options.seconds, least) * 1_000;
  const deadline = performance.now() + totalMs;
  const generator = new OpenLoopGenerator();
  let done = 0;
  const measure = async (load: PlannedLoad): Promise<number> => {
    // What answers outlasted one load is taken from the others.
    const left = deadline - performance.now();
    if (left < -totalMs) {
      throw new Error(
        `${url.origin} is so slow to connect or to answer that only ${done} of ${loads} loads fit into twice the time.`,
      );
    }
    const pause = only === undefined ? pauseSeconds : 0;
    const seconds = Math.max(minLoadSeconds, left / (loads - done) / 1_000 - pause);
    const streams = streamsOf(load.kind, load.perSecond, load.connections, requests).map((stream) => ({
      ...stream,
      maxPerSecond: limits[stream.name as keyof Limits],
    }));
    const outcome = await generator.send({ ...target, seconds, streams }).catch((error: Error) => {
      throw new Error(
        `${url.origin} cannot be reached any longer, after ${done} of ${loads} loads (${error.message}).`,
      );
    });
    const figures = figuresOf(outcome, streams);
    const goodput = figures.goodput!;
    measured({ load, figures: { load: load.title, ...figures }, streams: outcome.streams });
    // A service may refuse a whole load, and one at a low rate may have sent nothing.
    const isDenied = statusesOf(outcome.streams).every((status) => status === "401" || status === "403");
    const isOver = figures.sent! > 0 && isDenied;
    if (isOver || (done === 0 && goodput === 0)) {
      const end = done === 0 ? "there is nothing to measure" : `the run ends after ${done} of ${loads} loads`;
      throw new Error(`${url.origin} answered none of ${sentAndSeen(load, outcome.streams)}: ${end}.`);
    }
    done++;
    await delay(pause * 1_000);
    return goodput;
  };
  try {
    if (only !== undefined) {
      await measure(only);
      return;
    }
    const reached = { singles: 1, batches: 1 };
    for (const load of closedPlan) {
      const kind = load.kind as keyof Limits;
      reached[kind] = Math.max(reached[kind], await measure(load));
    }
    for (const load of openPlan(capacityOf(reached.singles, reached.batches), limits)) await measure(load);
  } finally {
    await generator.stop();
  }
}

function sentAndSeen({ title }: PlannedLoad, streams: readonly StreamResult[]): string {
  const sent = sumOf(streams, (stream) => stream.sent);
  const seen = statusesOf(streams).map((status) => `${answersOf(streams, status)} with ${status}`);
  const answers = seen.length === 0 ? "none within two seconds" : seen.join(", ");
  return `${sent} requests with 200 (${title}: ${answers})`;
}
