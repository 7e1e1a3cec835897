import type { ProcessesAnswer } from "../../client/api-types.ts";
import type { Moment } from "./history.ts";
import { allRequests, meanUtilisation } from "./rates.ts";

/** What limits the service, as far as the last readings show it. */
export type Limit =
  | "idle"
  | "roomy"
  | "frontEndFull"
  | "workersFull"
  | "workersFullAndRefusing"
  | "burstsRefused"
  | "stalls"
  | "failing"
  | "noData";

/** How bad it is: nothing to do, to be watched, to be acted on. */
export type Severity = "calm" | "watch" | "act";

/** What limits the service, and the setting that would change it. */
export interface Diagnosis {
  readonly limit: Limit;
  readonly severity: Severity;
  /** To paste: `POOL_SIZE=3`. */
  readonly setting: string | undefined;
}

/** From which values on a figure is to be watched, and to be acted on. */
export const thresholds = {
  utilisation: { watch: 0.7, act: 0.85 },
  /** As a share of `POOL_QUEUE`. */
  queue: { watch: 0.5, act: 0.9 },
  delayMs: { watch: 50, act: 100 },
  refused: { watch: Number.MIN_VALUE, act: Number.POSITIVE_INFINITY },
} as const;

/** How bad a value is. */
export function severityOf(name: keyof typeof thresholds, value: number | undefined): Severity {
  const { watch, act } = thresholds[name];
  if (value === undefined || value < watch) return "calm";
  return value < act ? "watch" : "act";
}

/** So many seconds are looked at, so that one busy second decides nothing. */
const lookedAtSeconds = 15;
const quiet = 0.05;

const severities: Readonly<Record<Limit, Severity>> = {
  idle: "calm",
  roomy: "calm",
  frontEndFull: "act",
  workersFull: "watch",
  workersFullAndRefusing: "act",
  burstsRefused: "watch",
  stalls: "act",
  failing: "act",
  noData: "act",
};

/**
 * Tells from the last seconds what limits the service; undefined as long as there are no rates. The first condition that
 * holds wins: no data, failing tasks, full front ends, full workers, bursts, stalls.
 */
export function diagnose(
  moments: readonly Moment[],
  { processes, missing }: ProcessesAnswer,
): Diagnosis | undefined {
  const last = moments.at(-1)?.at ?? 0;
  const looked = moments.flatMap(({ at, rates }) =>
    rates !== undefined && at > last - lookedAtSeconds ? [rates] : [],
  );
  const first = processes[0]?.metrics;
  if (looked.length === 0 || first === undefined) return undefined;
  const mean = (value: (rates: (typeof looked)[number]) => number) =>
    looked.reduce((sum, rates) => sum + value(rates), 0) / looked.length;
  const frontEnd = mean(({ frontEnds }) => Math.max(...frontEnds));
  const workers = mean(meanUtilisation);
  const refused = mean(({ requests }) => requests.refused);
  const requests = mean(allRequests);
  const late = mean(({ delayMs }) => delayMs);
  const full = thresholds.utilisation.act;
  const limit = ((): Limit => {
    if (processes.some(({ metrics }) => metrics.data.edition === "")) return "noData";
    if (processes.some(({ metrics }) => metrics.pool.failing_task_kinds > 0)) return "failing";
    if (frontEnd >= full) return "frontEndFull";
    if (workers >= full) return refused > 0 ? "workersFullAndRefusing" : "workersFull";
    if (refused > 0) return "burstsRefused";
    if (late >= thresholds.delayMs.act && requests > 1) return "stalls";
    return requests < 1 && frontEnd < quiet ? "idle" : "roomy";
  })();
  const { size, ceiling } = first.pool;
  const moreWorkers = `POOL_SIZE=${size + 1}`;
  const settings: Readonly<Partial<Record<Limit, string>>> = {
    frontEndFull: `PROCESSES=${processes.length + missing.length + 1}`,
    workersFull: moreWorkers,
    workersFullAndRefusing: moreWorkers,
    burstsRefused: `POOL_QUEUE=${2 * (ceiling - size)}`,
  };
  return { limit, severity: severities[limit], setting: settings[limit] };
}
