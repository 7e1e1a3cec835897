import type { ProcessesAnswer } from "../../contract/api-types.ts";
import { type Unit, poolTexts as words } from "../words.ts";
import { queueLimit, thresholds } from "./diagnosis.ts";
import type { Moment, Rates } from "./rates.ts";

export interface Line {
  readonly name: string;
  /** One of the design system: `--accent` and so on. */
  readonly colour: "accent" | "warning" | "wrong" | "soft" | "sixth" | "ink";
  readonly isDashed?: true;
  /** Whether zero is as it should be, so that no line lies at the bottom as long as it lasts. */
  readonly isQuiet?: true;
  readonly measure: keyof Rates;
}

export interface Chart {
  readonly title: string;
  readonly unit: Unit;
  /** The scale reaches at least this value; 1 unless it is given. */
  readonly minTop?: number;
  readonly lines: readonly Line[];
  /** From where on it is too much: drawn across, and named in the legend. */
  readonly threshold?: number | undefined;
}

export type ShownProcesses = ProcessesAnswer["processes"];

/** Returns the charts of processes, in the language of the page; one worker has one line. */
export function chartsFor(shown: ShownProcesses): readonly Chart[] {
  const workers = shown.reduce((sum, { metrics }) => sum + metrics.pool.size, 0);
  const frontEnd = shown.length > 1 ? words.busiestFrontEnd : words.frontEnd;
  const mean: Line = { name: words.mean, colour: "accent", measure: "workers" };
  const spread: readonly Line[] = [
    { name: words.busiest, colour: "warning", measure: "busiestWorker" },
    mean,
    { name: words.idlest, colour: "soft", measure: "idlestWorker" },
  ];
  return [
    {
      title: words.requests,
      unit: "perSecond",
      minTop: 5,
      lines: [
        { name: words.answered, colour: "accent", measure: "answered" },
        { name: words.refusalRate, colour: "warning", measure: "refused", isQuiet: true },
        { name: words.rejected, colour: "soft", measure: "rejected", isQuiet: true, isDashed: true },
        { name: words.failed, colour: "wrong", measure: "failed", isQuiet: true },
      ],
    },
    {
      title: words.checks,
      unit: "perSecond",
      minTop: 5,
      lines: [{ name: words.checks, colour: "accent", measure: "checks" }],
    },
    {
      title: words.latency,
      unit: "milliseconds",
      lines: [
        { name: words.median, colour: "accent", measure: "p50" },
        { name: words.p99, colour: "warning", measure: "p99" },
        { name: words.waitP99, colour: "soft", measure: "waitP99", isDashed: true },
      ],
    },
    {
      title: words.queue,
      unit: "requests",
      threshold: queueLimit(shown),
      lines: [{ name: words.queued, colour: "accent", measure: "waiting" }],
    },
    {
      title: words.utilisation,
      unit: "share",
      threshold: thresholds.utilisation.act,
      lines: [
        ...(workers > 1 ? spread : [mean]),
        { name: frontEnd, colour: "ink", measure: "frontEnd", isDashed: true },
        { name: words.wholeMachine, colour: "sixth", measure: "taken" },
        { name: words.stolen, colour: "wrong", measure: "stolen", isQuiet: true },
      ],
    },
    {
      title: words.delay,
      unit: "milliseconds",
      minTop: 5,
      threshold: thresholds.delayMs.act,
      lines: [{ name: words.p99, colour: "accent", measure: "delayMs" }],
    },
    {
      title: words.memory,
      unit: "megabytes",
      minTop: 50,
      lines: [{ name: words.resident, colour: "accent", measure: "memoryMb" }],
    },
  ];
}

/** Returns the values that a chart draws of a line; null if there is a gap. */
export function drawnValues(line: Line, moments: readonly Moment[]): (number | null)[] {
  const values = moments.map(({ rates }) => rates?.[line.measure] ?? null);
  if (!line.isQuiet) return values;
  const isNone = (index: number) => (values[index] ?? 0) === 0;
  return values.map((value, index) =>
    isNone(index - 1) && isNone(index) && isNone(index + 1) ? null : value,
  );
}
