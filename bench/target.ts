import { setTimeout as delay } from "node:timers/promises";
import type { IbanMix } from "../test/support/iban-mix.ts";
import { OpenLoopGenerator, type Stream, type Target } from "./load/open-loop.ts";
import { list, page, paragraph, section, table } from "./report/page.ts";
import { figure } from "./report/statistics.ts";
import { type LoadKind, loadTitles, type Requests, requestsOf, streamsOf } from "./tune/loads.ts";
import { ratesOf } from "./tune/step.ts";

/** How a service that runs elsewhere is tested. */
export interface TargetOptions {
  readonly url: URL;
  readonly key: string;
  /** Most single checks and most batches of 500 a second, in every load. */
  readonly maxSingles: number;
  readonly maxBatches: number;
  /** How long all loads take together, in seconds. */
  readonly seconds: number;
  readonly progress: (line: string) => void;
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
  /** Answers that were neither 200 nor 503, and connections that were lost. */
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

/** How many loads there are. */
const loads = closedLoads.length + Object.keys(loadTitles).length * openLevels.length;

/**
 * Puts the loads of the bench on a service that runs elsewhere: closed and open loop, single checks, batches, a mix, and
 * overload. Rejects if the service does not answer, or not with this key.
 */
export async function runTarget(options: TargetOptions, mix: IbanMix): Promise<readonly TargetStep[]> {
  const { url, key, maxSingles, maxBatches, progress } = options;
  await expectAnswer(url, key);
  const isTls = url.protocol === "https:";
  const target: Target = { host: url.hostname, port: Number(url.port || (isTls ? 443 : 80)), isTls };
  const requests = requestsOf(mix, { host: url.host, key });
  const seconds = Math.max(0.5, options.seconds / loads - pauseMs / 1_000);
  const generator = new OpenLoopGenerator();
  const steps: TargetStep[] = [];
  const measure = async (load: string, offered: number | undefined, streams: readonly Stream[]) => {
    const outcome = await generator.send({ ...target, seconds, streams });
    const { goodput, ...rates } = ratesOf(outcome.streams, outcome.seconds);
    steps.push({ load, offered, answered: goodput, ...rates });
    progress(load);
    await delay(pauseMs);
    return goodput;
  };
  const limits = { singles: maxSingles, batches: maxBatches };
  const reached = { singles: 0, batches: 0 };
  try {
    for (const [kind, connections] of closedLoads) {
      const title = `${loadTitles[kind]}, closed loop, ${connections} connection${connections === 1 ? "" : "s"}`;
      const rate = await measure(title, undefined, [closedStream(kind, connections, requests, limits[kind])]);
      reached[kind] = Math.max(reached[kind], rate);
    }
    for (const kind of Object.keys(loadTitles) as LoadKind[]) {
      for (const level of openLevels) {
        const perSecond = offeredRate(kind, level, reached, limits);
        const title = `${loadTitles[kind]}, ${level > 1 ? "overload, " : ""}${level} × what the closed loop reached`;
        await measure(title, perSecond, streamsOf(kind, perSecond, openConnections, requests));
      }
    }
    return steps;
  } finally {
    await generator.stop();
  }
}

type Rates = Readonly<Record<"singles" | "batches", number>>;

/** Requests per second of an open loop; within the limits, not scaled to the service's capacity. */
function offeredRate(kind: LoadKind, level: number, reached: Rates, limits: Rates): number {
  if (kind !== "mix") return Math.max(1, Math.min(level * reached[kind], limits[kind]));
  // Of eleven requests of the mix ten are single checks and one is a batch.
  const capacity = 11 / (10 / Math.max(1, reached.singles) + 1 / Math.max(1, reached.batches));
  return Math.max(1, Math.min(level * capacity, 1.1 * limits.singles, 11 * limits.batches));
}

function closedStream(
  kind: "singles" | "batches",
  connections: number,
  requests: Requests,
  maxPerSecond: number,
): Stream {
  return { name: kind, perSecond: "closed", maxPerSecond, connections, requests: requests[kind] };
}

async function expectAnswer(url: URL, key: string): Promise<void> {
  const answer = await fetch(new URL("/v1/ping", url), { headers: { "X-API-Key": key } }).catch(
    () => undefined,
  );
  if (answer === undefined) throw new Error(`${url.origin} does not answer.`);
  if (answer.status === 401) throw new Error(`${url.origin} does not know the API key in BANKCHECK_KEY.`);
  if (!answer.ok) throw new Error(`${url.origin} answers /v1/ping with ${answer.status} instead of 200.`);
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
