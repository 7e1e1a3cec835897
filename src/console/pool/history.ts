import type { HistoryAnswer, MetricsAnswer, ProcessesAnswer, WorkPeriod } from "../../contract/api-types.ts";
import { periodBetween } from "../../metrics/work-period.ts";
import { type Moment, type Rates, ratesOf } from "./rates.ts";

/** An event of a process besides its work. */
export interface Mark {
  readonly at: number;
  readonly kind: "started" | "workerReplaced" | "dataLoaded" | "dataRefused" | "refusals";
  readonly process: number;
}

interface Entry {
  readonly at: number;
  readonly periods: ReadonlyMap<number, WorkPeriod>;
}

/** How much is kept, in seconds, and how much of it second by second. */
export const keptSeconds = 3_600;
const liveSeconds = 300;

/** The service's periods are ten seconds long; where more lies between two of them there is a gap. */
const periodSeconds = 10;
const gapSeconds = 25;

/** Refusals within this many seconds of others are one event. */
const quietSeconds = 60;

/** The last hour: what the service has recorded, and the last minutes of it as the page has read them. */
export class History {
  #entries: readonly Entry[] = [];
  /** Until when the service's record has been taken over; for all time where readings have been missed since. */
  #recordedTo = Number.NEGATIVE_INFINITY;
  readonly #before = new Map<number, { readonly at: number; readonly reading: MetricsAnswer }>();

  /** Takes over the service's record, and keeps what it does not reach: older entries, and the last readings. */
  record({ processes }: HistoryAnswer, now: number): void {
    const recorded = new Map<number, Map<number, WorkPeriod>>();
    for (const { number, periods } of processes) {
      for (const period of periods) {
        const at = Math.round(period.at / periodSeconds) * periodSeconds;
        recorded.set(at, (recorded.get(at) ?? new Map()).set(number, period));
      }
    }
    const first = Math.min(...recorded.keys());
    const last = Math.max(0, ...recorded.keys());
    const isInterrupted = this.#recordedTo === Number.NEGATIVE_INFINITY;
    const replaced = isInterrupted ? last : Math.min(last, now - liveSeconds);
    const kept = this.#entries.filter(({ at, periods }) => at > replaced || (at < first && periods.size > 0));
    const taken = [...recorded].map(([at, periods]) => ({ at, periods })).filter(({ at }) => at <= replaced);
    this.#entries = [...kept, ...taken]
      .filter(({ at }) => at > now - keptSeconds)
      .toSorted((one, other) => one.at - other.at);
    this.#recordedTo = Math.max(replaced, now - liveSeconds);
  }

  /** Whether the service's record is to fill a time without readings, or to replace those of many seconds. */
  get isRecordDue(): boolean {
    return (this.#entries.at(-1)?.at ?? 0) - this.#recordedTo > 2 * liveSeconds;
  }

  add({ processes }: ProcessesAnswer, at: number): void {
    const periods = new Map<number, WorkPeriod>();
    for (const { number, metrics: reading } of processes) {
      const before = this.#before.get(number);
      const isSame = before?.reading.process.id === reading.process.id;
      const seconds = isSame ? at - before.at : reading.process.uptime_seconds;
      if (before !== undefined && seconds > 0)
        periods.set(number, periodBetween(isSame ? before.reading : undefined, reading, at, seconds));
      this.#before.set(number, { at, reading });
    }
    if (periods.size > 0) this.#push({ at, periods });
  }

  /** Records that there is no reading: the next one is not joined to the one before. */
  interrupt(at: number): void {
    this.#before.clear();
    this.#recordedTo = Number.NEGATIVE_INFINITY;
    if (this.#entries.at(-1)?.periods.size !== 0) this.#push({ at, periods: new Map() });
  }

  /** The moments of one process, or of all together, from the oldest to the newest. */
  momentsOf(process: number | undefined): readonly Moment[] {
    const moments: Moment[] = [];
    for (const entry of this.#entries) {
      const last = moments.at(-1)?.at ?? entry.at;
      if (entry.at - last > gapSeconds) moments.push({ at: (last + entry.at) / 2 });
      moments.push({ at: entry.at, rates: ratesOf(periodsOf(entry, process)) });
    }
    return moments;
  }

  latestOf(process: number): Rates | undefined {
    const last = this.#entries.at(-1);
    return last && ratesOf(periodsOf(last, process));
  }

  marksOf(process: number | undefined): readonly Mark[] {
    const marks: Mark[] = [];
    const refusedAt = new Map<number, number>();
    for (const { at, periods } of this.#entries) {
      for (const [number, period] of periods) {
        if (process !== undefined && process !== number) continue;
        const mark = (kind: Mark["kind"], moment = at) => marks.push({ at: moment, kind, process: number });
        if (period.is_first) mark("started", at - period.seconds);
        else if (period.data_loads > 0) mark("dataLoaded");
        if (period.data_refusals > 0) mark("dataRefused");
        if (period.worker_restarts > 0) mark("workerReplaced");
        if (period.refused === 0) continue;
        if (at - (refusedAt.get(number) ?? 0) > quietSeconds) mark("refusals");
        refusedAt.set(number, at);
      }
    }
    return marks;
  }

  #push(entry: Entry): void {
    // A clock that was set back leaves nothing behind that seems to come later.
    const kept = this.#entries.filter(({ at }) => at > entry.at - keptSeconds && at < entry.at);
    this.#entries = [...kept, entry];
  }
}

function periodsOf({ periods }: Entry, process: number | undefined): readonly WorkPeriod[] {
  if (process === undefined) return [...periods.values()];
  const period = periods.get(process);
  return period === undefined ? [] : [period];
}
