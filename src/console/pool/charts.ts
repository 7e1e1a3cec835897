import { filled } from "../filled.ts";
import type { Moment } from "./history.ts";
import type { Unit } from "./numbers.ts";
import type { Reading } from "./reading.ts";
import type { PoolWords } from "./words.ts";

/** Colours by what they say, as `pool.css` has them: `--line-calm` and so on. */
type LineColour = "calm" | "second" | "warning" | "wrong" | "soft" | "fifth" | "sixth" | "ink";

/** One line of a chart. */
export interface Line {
  readonly name: string;
  readonly colour: LineColour;
  readonly isDashed?: true;
  /** Whether zero is as it should be, so that no line lies at the bottom as long as it lasts. */
  readonly isQuiet?: true;
  /** Undefined or null where there is nothing to draw. */
  value(moment: Moment): number | null | undefined;
}

/** One chart of the view. */
export interface Chart {
  readonly title: string;
  readonly unit: Unit;
  /** The scale reaches at least so far up. */
  readonly least: number;
  readonly lines: readonly Line[];
}

/** With more workers than this, they are told together. */
const mostWorkerLines = 6;

const workerColours: readonly LineColour[] = ["calm", "second", "warning", "fifth", "sixth", "soft"];

/** The charts for a service, in a language; the lines depend on its number of workers. */
export function chartsFor({ pool }: Reading, words: PoolWords): readonly Chart[] {
  return [
    {
      title: words.requests,
      unit: "perSecond",
      least: 5,
      lines: [
        { name: words.answered, colour: "calm", value: ({ rates }) => rates?.requests.answered },
        {
          name: words.refusals,
          colour: "warning",
          isQuiet: true,
          value: ({ rates }) => rates?.requests.refused,
        },
        {
          name: words.rejected,
          colour: "soft",
          isQuiet: true,
          isDashed: true,
          value: ({ rates }) => rates?.requests.rejected,
        },
        { name: words.failed, colour: "wrong", isQuiet: true, value: ({ rates }) => rates?.requests.failed },
      ],
    },
    {
      title: words.checks,
      unit: "perSecond",
      least: 5,
      lines: [{ name: words.checks, colour: "calm", value: ({ rates }) => rates?.checks }],
    },
    {
      title: words.latency,
      unit: "milliseconds",
      least: 1,
      lines: [
        { name: words.median, colour: "calm", value: ({ rates }) => rates?.p50 },
        { name: words.p99, colour: "warning", value: ({ rates }) => rates?.p99 },
        { name: words.waitP99, colour: "soft", isDashed: true, value: ({ rates }) => rates?.waitP99 },
      ],
    },
    {
      title: words.queue,
      unit: "requests",
      least: 1,
      lines: [
        { name: words.queued, colour: "calm", value: ({ reading }) => reading?.pool.waiting },
        { name: words.limit, colour: "warning", isDashed: true, value: ({ reading }) => queueLimit(reading) },
      ],
    },
    { title: words.utilisation, unit: "share", least: 1, lines: threads(pool.size, words) },
    {
      title: words.delay,
      unit: "milliseconds",
      least: 5,
      lines: [
        {
          name: words.p99,
          colour: "calm",
          // The first reading covers all the time since the one before it, whoever took that, so it says nothing of now.
          value: ({ reading, rates }) => rates && reading?.process.event_loop_delay_p99_ms,
        },
      ],
    },
    {
      title: words.memory,
      unit: "megabytes",
      least: 50,
      lines: [{ name: words.resident, colour: "calm", value: ({ reading }) => reading?.process.memory_mb }],
    },
  ];
}

/** What a chart draws of a line; null where there is a gap. */
export function drawnValues(line: Line, moments: readonly Moment[]): (number | null)[] {
  const values = moments.map((moment) => line.value(moment) ?? null);
  if (!line.isQuiet) return values;
  const isNone = (index: number) => (values[index] ?? 0) === 0;
  return values.map((value, index) =>
    isNone(index - 1) && isNone(index) && isNone(index + 1) ? null : value,
  );
}

/** How many accepted requests may wait: the setting `POOL_QUEUE`. */
export function queueLimit(reading: Reading | undefined): number | undefined {
  return reading === undefined ? undefined : reading.pool.ceiling - reading.pool.size;
}

/** The mean utilisation of the workers, 0 to 1. */
export function meanUtilisation({ rates }: Moment): number | undefined {
  return rates === undefined
    ? undefined
    : rates.workers.reduce((sum, share) => sum + share, 0) / rates.workers.length;
}

function threads(workers: number, words: PoolWords): readonly Line[] {
  const frontEnd: Line = {
    name: words.frontEnd,
    colour: "ink",
    isDashed: true,
    value: ({ rates }) => rates?.frontEnd,
  };
  if (workers > mostWorkerLines) {
    return [
      { name: words.busiest, colour: "warning", value: ({ rates }) => rates && Math.max(...rates.workers) },
      { name: words.mean, colour: "calm", value: meanUtilisation },
      { name: words.idlest, colour: "soft", value: ({ rates }) => rates && Math.min(...rates.workers) },
      frontEnd,
    ];
  }
  const each = workerColours.slice(0, workers).map(
    (colour, worker): Line => ({
      name: filled(words.worker, { number: worker + 1 }),
      colour,
      value: ({ rates }) => rates?.workers[worker],
    }),
  );
  return [...each, frontEnd];
}
