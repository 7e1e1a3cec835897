import { setTimeout as delay } from "node:timers/promises";
import type { IbanMix } from "../test/support/iban-mix.ts";
import { OpenLoopGenerator, type Stream, type StreamResult, type Target } from "./load/open-loop.ts";
import { list, page, paragraph, section, table } from "./report/page.ts";
import { figure } from "./report/statistics.ts";
import { type LoadKind, loadTitles, requestsOf, streamsOf } from "./tune/loads.ts";
import { ratesOf } from "./tune/step.ts";

/** How a service that runs elsewhere is tested. */
export interface TargetOptions {
  readonly url: URL;
  readonly key: string;
  /** Most single checks and most batches of 500 a second, in every load. */
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
export interface TargetStep {
  readonly load: string;
  /** Offered requests per second; undefined in a closed loop. */
  readonly offered: number | undefined;
  readonly sent: number;
  readonly answered: number;
  /** Share of the answers that were 503. */
  readonly refused: number;
  readonly p50: number;
  readonly p99: number;
  /** How late the generator sent what was due, milliseconds at p99; NaN in a closed loop. */
  readonly late: number;
  /** Answers that were neither 200 nor 503, requests without an answer within two seconds, and connections that were lost. */
  readonly failures: number;
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
const openConnections = 128;
const pauseMs = 200;
const minSeconds = 0.5;

/** How long all loads may take beyond their time where answers are late or do not come. */
const overrunMs = 5_000;

/** How many loads there are. */
const loads = closedLoads.length + Object.keys(loadTitles).length * openLevels.length;

/** The least that all loads take together, in seconds. */
export const minTargetSeconds = Math.ceil(loads * (minSeconds + pauseMs / 1_000));

/**
 * Puts the loads of the bench on a service that runs elsewhere: closed and open loop, single checks, batches, a mix, and
 * overload. Rejects if no bankcheck answers there, not with this key, or no check with 200; and where it cannot be reached
 * any longer, or its answers take so long that not all loads fit into the time.
 */
export async function runTarget(options: TargetOptions, mix: IbanMix): Promise<void> {
  const { url, key, maxSingles, maxBatches, measured, signal } = options;
  await expectService(url, key, signal);
  if (signal.aborted) return;
  const isTls = url.protocol === "https:";
  const target: Target = {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || (isTls ? 443 : 80)),
    isTls,
  };
  const requests = requestsOf(mix, { host: url.host, key, path: prefixOf(url) });
  const deadline = performance.now() + Math.max(options.seconds, minTargetSeconds) * 1_000;
  const generator = new OpenLoopGenerator();
  const stop = () => void generator.stop();
  signal.addEventListener("abort", stop);
  let done = 0;
  const measure = async (load: string, offered: number | undefined, streams: readonly Stream[]) => {
    // What answers outlasted one load is taken from the others.
    const left = deadline - performance.now();
    if (left < -overrunMs) {
      throw new Error(`${url.origin} answers so late that only ${done} of ${loads} loads fit into the time.`);
    }
    const seconds = Math.max(minSeconds, (left / (loads - done) - pauseMs) / 1_000);
    const outcome = await generator.send({ ...target, seconds, streams }).catch((error: Error) => {
      throw new Error(
        `${url.origin} cannot be reached any longer, after ${done} of ${loads} loads (${error.message}).`,
      );
    });
    const { goodput, ...rates } = ratesOf(outcome.streams, outcome.seconds);
    measured({ load, offered, answered: goodput, ...rates });
    if (done++ === 0 && goodput === 0) throw new Error(nothingAnswered(url, outcome.streams[0]!));
    await delay(pauseMs);
    return goodput;
  };
  const limits = { singles: maxSingles, batches: maxBatches };
  const reached = { singles: 0, batches: 0 };
  try {
    for (const [kind, connections] of closedLoads) {
      const title = `${loadTitles[kind]}, closed loop, ${connections} connection${connections === 1 ? "" : "s"}`;
      const stream = { perSecond: "closed" as const, maxPerSecond: limits[kind] };
      const rate = await measure(title, undefined, [
        { name: kind, ...stream, connections, requests: requests[kind] },
      ]);
      reached[kind] = Math.max(reached[kind], rate);
    }
    for (const kind of Object.keys(loadTitles) as LoadKind[]) {
      for (const level of openLevels) {
        const perSecond = offeredRate(kind, level, reached, limits);
        const title = `${loadTitles[kind]}, ${level > 1 ? "overload, " : ""}${level} × what the closed loop reached`;
        const streams = streamsOf(kind, perSecond, openConnections, requests);
        await measure(
          title,
          perSecond,
          streams.map((stream) => ({ ...stream, maxPerSecond: limits[stream.name as keyof typeof limits] })),
        );
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await generator.stop();
  }
}

/** The path before those of the service, without its last slash. */
function prefixOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, "");
}

/** Why a load test ends after the first load. */
function nothingAnswered({ origin }: URL, { sent, statuses }: StreamResult): string {
  const seen = Object.entries(statuses).map(([status, { count }]) => `${count} with ${status}`);
  const answers = seen.length === 0 ? "none within two seconds" : seen.join(", ");
  return `${origin} answered none of ${sent} single checks with 200 (${answers}): there is nothing to measure.`;
}

type Rates = Readonly<Record<"singles" | "batches", number>>;

/** Requests per second of an open loop; within the limits, not scaled to the service's capacity. */
function offeredRate(kind: LoadKind, level: number, reached: Rates, limits: Rates): number {
  if (kind !== "mix") return Math.max(1, Math.min(level * reached[kind], limits[kind]));
  // Of eleven requests of the mix ten are single checks and one is a batch.
  const capacity = 11 / (10 / Math.max(1, reached.singles) + 1 / Math.max(1, reached.batches));
  return Math.max(1, Math.min(level * capacity, 1.1 * limits.singles, 11 * limits.batches));
}

const pingMs = 10_000;

/** Rejects unless a bankcheck answers that knows the key; returns at once where the run is ended meanwhile. */
async function expectService(url: URL, key: string, ended: AbortSignal): Promise<void> {
  const address = `${url.origin}${prefixOf(url)}/v1/ping`;
  const signal = AbortSignal.any([AbortSignal.timeout(pingMs), ended]);
  const request: RequestInit = { headers: { "X-API-Key": key }, signal, redirect: "manual" };
  const answer = await fetch(address, request).catch((error: Error) => {
    if (!ended.aborted) throw new Error(unreachable(url, error));
  });
  if (answer === undefined) return;
  if (answer.status === 401) throw new Error(`${url.origin} does not know the API key in BANKCHECK_KEY.`);
  const to = answer.headers.get("location");
  if (answer.status !== 200) {
    throw new Error(
      `${address} answered ${answer.status}${to === null ? "" : ` (to ${to})`} instead of 200: is this the address of a bankcheck?`,
    );
  }
  const { message } = ((await answer.json().catch(() => undefined)) ?? {}) as { message?: unknown };
  if (message !== "Pong") throw new Error(`${address} is not answered by a bankcheck.`);
}

/** Why a service was not reached, in one sentence. */
function unreachable({ origin, hostname }: URL, error: Error): string {
  const { code = "", message = error.message } = (error.cause ?? {}) as NodeJS.ErrnoException;
  if (error.name === "TimeoutError") return `${origin} does not answer within ${pingMs / 1_000} seconds.`;
  if (code === "ECONNREFUSED") return `${origin} refuses connections: no service listens there.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `The host ${hostname} was not found.`;
  if (/CERT|SIGNATURE/.test(code)) {
    return `This machine does not trust the certificate of ${origin} (${code}); set NODE_EXTRA_CA_CERTS to the file of its issuer.`;
  }
  return `${origin} does not answer (${code || message}).`;
}

/** The steps in cells: a head, then a row for each. */
export function targetCells(steps: readonly TargetStep[]): readonly (readonly string[])[] {
  const rows = steps.map((step) => [
    step.load,
    step.offered === undefined ? "–" : figure(step.offered),
    figure(step.sent),
    figure(step.answered),
    figure(step.refused * 100),
    figure(step.p50),
    figure(step.p99),
    figure(step.late),
    String(step.failures),
  ]);
  const head = [
    "load",
    "offered/s",
    "sent/s",
    "200/s",
    "503 %",
    "p50 ms",
    "p99 ms",
    "late p99 ms",
    "failures",
  ];
  return [head, ...rows];
}

/** The report as one HTML file. */
export function targetReport(
  steps: readonly TargetStep[],
  { url, ...options }: TargetOptions,
  day: string,
): string {
  const atLimit = steps.filter(({ offered, load }) =>
    offered === undefined
      ? false
      : offered >= (load.startsWith(loadTitles.batches) ? options.maxBatches : options.maxSingles),
  );
  return page(`bankcheck: ${url.origin}`, `${day}; ${options.seconds} s of load in all.`, [
    section(
      "What the service did",
      paragraph(
        "Every answered check counts as usage of the key. A refusal (503 with Retry-After) is what the service answers beyond its ceiling.",
      ),
      table("Loads", targetCells(steps)),
    ),
    section(
      "How far to trust it",
      list([
        `At most ${figure(options.maxSingles)} single checks and ${figure(options.maxBatches)} batches a second were sent (--max-singles, --max-batches).`,
        ...(atLimit.length > 0
          ? [`In ${atLimit.length} loads this limit was below what the load would have offered.`]
          : []),
        "The latencies include the network between this machine and the service.",
        "Where sent/s is below offered/s, or the generator was milliseconds late, this machine was the limit, not the service.",
        "A closed loop sends the next request when the last is answered: a service that stalls receives fewer requests.",
      ]),
    ),
  ]);
}
