import type { ProcessesAnswer } from "../../contract/api-types.ts";
import type { poolTexts } from "../words.ts";
import { type Recent, takenOf } from "./rates.ts";

/** What is to be said of the service: a fault, that there is capacity to spare, or else what limits it. */
type Limit = keyof typeof poolTexts.limits;

/** How bad it is: nothing to do, to be watched, to be acted on. */
export type Severity = "calm" | "watch" | "act";

export type SettingMaxima = Readonly<Record<"processes" | "poolSize" | "poolQueue", number>>;

export interface Diagnosis {
  readonly limit: Limit;
  readonly severity: Severity;
  /** A setting to paste, such as `POOL_SIZE=3`; `machine` where only another one helps. */
  readonly advice: string | undefined;
}

/** Values from which a figure needs watching, and from which it needs action. */
export const thresholds = {
  utilisation: { watch: 0.7, act: 0.85 },
  /** Of all processors, by anybody: the threads of the service share them, so that they may be busier than each. */
  machine: { watch: 0.85, act: 0.95 },
  /** As a share of `POOL_QUEUE`. */
  queue: { watch: 0.5, act: 0.9 },
  delayMs: { watch: 50, act: 100 },
  /** As a share of all requests. */
  refused: { watch: Number.MIN_VALUE, act: 0.1 },
} as const;

/** Returns how bad each figure is; calm where there is none. */
export function severitiesOf(recent: Recent | undefined, shown: ProcessesAnswer["processes"]) {
  const severityOf = (name: keyof typeof thresholds, value = 0): Severity => {
    const { watch, act } = thresholds[name];
    return value < watch ? "calm" : value < act ? "watch" : "act";
  };
  return {
    machine: severityOf("machine", recent && takenOf(recent)),
    frontEnd: severityOf("utilisation", recent?.frontEnd),
    workers: severityOf("utilisation", recent?.workers),
    refused: severityOf("refused", recent?.refusedShare),
    queue: severityOf("queue", recent && recent.waiting / Math.max(1, queueLimit(shown))),
    delay: severityOf("delayMs", recent?.delayMs),
  };
}

/** A front end below this share does nothing but answer the console and probes. */
const quiet = 0.05;

/** A shorter queue is not worth a restart. */
const minQueue = 32;

/**
 * Finds what limits the processes shown, which `recent` is of, and what to do; undefined as long as there are no rates.
 *
 * It judges by the figures that are shown: the sentence is about the worst of them, and of several about the one that the
 * others depend on.
 */
export function diagnose(
  recent: Recent | undefined,
  { processes, missing }: ProcessesAnswer,
  maxima: SettingMaxima,
  shown: ProcessesAnswer["processes"] = processes,
): Diagnosis | undefined {
  const first = shown[0]?.metrics;
  if (recent === undefined || first === undefined) return undefined;
  if (processes.some(({ metrics }) => metrics.data.edition === ""))
    return { limit: "noData", severity: "act", advice: undefined };
  if (processes.some(({ metrics }) => metrics.pool.failing_task_kinds > 0))
    return { limit: "failing", severity: "act", advice: undefined };
  const { refused, ...severities } = severitiesOf(recent, shown);
  const isLate = severities.delay === "act" && recent.requests > 1;
  const figures: readonly (readonly [Limit, Severity])[] = [
    ["machine", severities.machine],
    ["frontEnd", severities.frontEnd],
    ["workers", severities.workers],
    ["queue", refused],
    ["queue", severities.queue],
    ["stalls", isLate ? "act" : "calm"],
  ];
  const worst =
    figures.find(([, found]) => found === "act") ?? figures.find(([, found]) => found === "watch");
  if (worst === undefined) {
    const isIdle = recent.requests < 1 && recent.frontEnd < quiet;
    return { limit: isIdle ? "idle" : "spare", severity: "calm", advice: undefined };
  }
  const [limit, severity] = worst;
  const { size, ceiling } = first.pool;
  const queue = ceiling - size;
  const isCoreFree = recent.cores * (1 - takenOf(recent)) >= 1;
  const setting = (name: string, value: number, max: number) =>
    value > max ? undefined : `${name}=${value}`;
  const onMoreCores = (found: string | undefined) => (isCoreFree && found) || "machine";
  const anotherProcess = () =>
    onMoreCores(setting("PROCESSES", processes.length + missing.length + 1, maxima.processes));
  const advice = (): string | undefined => {
    if (limit === "queue" && refused !== "calm" && queue < maxima.poolQueue)
      return `POOL_QUEUE=${Math.min(maxima.poolQueue, Math.max(minQueue, 2 * queue))}`;
    if (limit === "queue") return refused === "calm" ? undefined : anotherProcess();
    if (severity !== "act" || limit === "stalls") return undefined;
    if (limit === "machine") return "machine";
    if (limit === "frontEnd") return anotherProcess();
    return onMoreCores(setting("POOL_SIZE", size + 1, maxima.poolSize) ?? anotherProcess());
  };
  return { limit, severity, advice: advice() };
}

/** Returns how many accepted requests may wait in these processes: each has `POOL_QUEUE`. */
export function queueLimit(shown: ProcessesAnswer["processes"]): number {
  return shown.reduce((sum, { metrics: { pool } }) => sum + pool.ceiling - pool.size, 0);
}
