import type { ProcessesAnswer } from "../../contract/api-types.ts";
import { type Unit, poolTexts as words } from "../words.ts";
import { queueLimit, takenOf, thresholds } from "./diagnosis.ts";
import { type Moment, meanUtilisation, type Rates } from "./rates.ts";

/** Colours of the design system: `--accent` and so on. */
type LineColour = "accent" | "second" | "warning" | "wrong" | "soft" | "sixth" | "ink";

export interface Line {
  readonly name: string;
  readonly colour: LineColour;
  readonly isDashed?: true;
  /** Whether zero is as it should be, so that no line lies at the bottom as long as it lasts. */
  readonly isQuiet?: true;
  /** Null where there is nothing to draw. */
  value(rates: Rates): number | null;
}

export interface Chart {
  readonly title: string;
  readonly unit: Unit;
  /** The scale reaches at least this value. */
  readonly minTop: number;
  readonly lines: readonly Line[];
  /** From where on it is too much: drawn across, and named in the legend. */
  readonly threshold?: number | undefined;
}

/** The process, or the processes together, that charts are drawn of. */
export type ShownProcesses = ProcessesAnswer["processes"];

/** Returns the charts of processes, in the language of the page; one worker has one line. */
export function chartsFor(shown: ShownProcesses): readonly Chart[] {
  const perSecond = { unit: "perSecond", minTop: 5 } as const;
  const quiet = { isQuiet: true } as const;
  return [
    {
      title: words.requests,
      ...perSecond,
      lines: [
        { name: words.answered, colour: "accent", value: ({ requests }) => requests.answered },
        { name: words.refusalRate, colour: "warning", ...quiet, value: ({ requests }) => requests.refused },
        {
          name: words.rejected,
          colour: "soft",
          ...quiet,
          isDashed: true,
          value: ({ requests }) => requests.rejected,
        },
        { name: words.failed, colour: "wrong", ...quiet, value: ({ requests }) => requests.failed },
      ],
    },
    {
      title: words.checks,
      ...perSecond,
      lines: [{ name: words.checks, colour: "accent", value: ({ checks }) => checks }],
    },
    {
      title: words.latency,
      unit: "milliseconds",
      minTop: 1,
      lines: [
        { name: words.median, colour: "accent", value: ({ p50 }) => p50 },
        { name: words.p99, colour: "warning", value: ({ p99 }) => p99 },
        { name: words.waitP99, colour: "soft", isDashed: true, value: ({ waitP99 }) => waitP99 },
      ],
    },
    {
      title: words.queue,
      unit: "requests",
      minTop: 1,
      threshold: queueLimit(shown),
      lines: [{ name: words.queued, colour: "accent", value: ({ waiting }) => waiting }],
    },
    {
      title: words.utilisation,
      unit: "share",
      minTop: 1,
      threshold: thresholds.utilisation.act,
      lines: threads(shown),
    },
    {
      title: words.delay,
      unit: "milliseconds",
      minTop: 5,
      threshold: thresholds.delayMs.act,
      lines: [{ name: words.p99, colour: "accent", value: ({ delayMs }) => delayMs }],
    },
    {
      title: words.memory,
      unit: "megabytes",
      minTop: 50,
      lines: [{ name: words.resident, colour: "accent", value: ({ memoryMb }) => memoryMb }],
    },
  ];
}

/** Returns the values that a chart draws of a line; null if there is a gap. */
export function drawnValues(line: Line, moments: readonly Moment[]): (number | null)[] {
  const values = moments.map(({ rates }) => (rates === undefined ? null : line.value(rates)));
  if (!line.isQuiet) return values;
  const isNone = (index: number) => (values[index] ?? 0) === 0;
  return values.map((value, index) =>
    isNone(index - 1) && isNone(index) && isNone(index + 1) ? null : value,
  );
}

function threads(shown: ShownProcesses): readonly Line[] {
  const workers = shown.reduce((sum, { metrics }) => sum + metrics.pool.size, 0);
  const frontEnd: Line = {
    name: shown.length > 1 ? words.busiestFrontEnd : words.frontEnd,
    colour: "ink",
    isDashed: true,
    value: ({ frontEnds }) => Math.max(...frontEnds),
  };
  const machine: readonly Line[] = [
    { name: words.wholeMachine, colour: "sixth", value: (rates) => takenOf(rates.machine) },
    { name: words.stolen, colour: "wrong", isQuiet: true, value: (rates) => rates.machine.stolen },
  ];
  const mean: Line = { name: words.mean, colour: "accent", value: meanUtilisation };
  const spread: readonly Line[] = [
    { name: words.busiest, colour: "warning", value: (rates) => Math.max(...rates.workers) },
    mean,
    { name: words.idlest, colour: "soft", value: (rates) => Math.min(...rates.workers) },
  ];
  return [...(workers > 1 ? spread : [mean]), frontEnd, ...machine];
}
