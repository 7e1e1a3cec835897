import type { Reading } from "./reading.ts";
import { type Rates, ratesBetween } from "./series.ts";

/** What is known of one moment; without a reading the service did not answer, or nobody asked. */
export interface Moment {
  /** Seconds since 1970. */
  readonly at: number;
  readonly reading?: Reading;
  /** What happened since the reading before; undefined for the first one and after a gap or a restart. */
  readonly rates?: Rates | undefined;
}

/** How much is kept, in seconds. */
export const keptSeconds = 300;

/** The last five minutes of readings. */
export class History {
  #moments: Moment[] = [];
  #before: Moment | undefined;

  /** From the oldest to the newest. */
  get moments(): readonly Moment[] {
    return this.#moments;
  }

  /** The newest moment, where it has a reading. */
  get latest(): Moment | undefined {
    const last = this.#moments.at(-1);
    return last?.reading === undefined ? undefined : last;
  }

  /** Takes down a reading. */
  add(reading: Reading, at: number): void {
    const before = this.#before;
    const rates =
      before?.reading === undefined ? undefined : ratesBetween(before.reading, reading, at - before.at);
    this.#push({ at, reading, rates });
  }

  /** Takes down that there is no reading: what comes next is not joined to what was before. */
  interrupt(at: number): void {
    this.#push({ at });
  }

  #push(moment: Moment): void {
    this.#before = moment;
    // A clock that was set back leaves nothing behind that seems to come later.
    const kept = this.#moments.filter(({ at }) => at > moment.at - keptSeconds && at < moment.at);
    this.#moments = [...kept, moment];
  }
}
