import { durationBounds } from "../contract/durations.ts";
import { routes } from "../contract/routes.ts";

/** Counts durations by bucket; an observation costs a few comparisons and two additions. */
export class DurationHistogram {
  /** By bucket, not added up; the last one is for what lies beyond all bounds. */
  readonly counts = new Float64Array(durationBounds.length + 1);
  /** The sum of all durations, in milliseconds. */
  sum = 0;

  observe(milliseconds: number): void {
    let bucket = 0;
    while (bucket < durationBounds.length && milliseconds > durationBounds[bucket]!) bucket++;
    this.counts[bucket]!++;
    this.sum += milliseconds;
  }
}

/** Requests that led to no route are counted under this number. */
export const noRoute = 0;

/** By route number: the method and the pattern, never the path as sent. */
export const routeLabels = [
  { method: "none", route: "none" },
  ...routes.map(({ method, path }) => ({ method, route: path })),
];

const statuses = 600;

/** Counts requests by route and status, and times them by route; one increment of an array for each. */
export class RequestCounts {
  /** By route number: from the arrival of the whole request to its answer. */
  readonly durations = routeLabels.map(() => new DurationHistogram());
  /** From the arrival of the whole request until a worker begins it. */
  readonly queueWait = new DurationHistogram();
  answers = 0;
  /** Checks answered: each single check, search and IBAN of a batch is one. */
  checks = 0;
  readonly #counts = new Float64Array(routeLabels.length * statuses);
  /** Places in `#counts` that are not zero: a look at each of them would hold up the main thread for milliseconds. */
  readonly #used: number[] = [];

  /** Counts an answer with an HTTP status below 600. */
  count(route: number, status: number): void {
    this.answers++;
    const place = route * statuses + status;
    if (this.#counts[place]!++ === 0) this.#used.push(place);
  }

  /** How often each route was answered with each status, where it ever was; by route, then status. */
  get byRouteAndStatus() {
    return this.#used
      .toSorted((a, b) => a - b)
      .map((place) => {
        const labels = routeLabels[Math.floor(place / statuses)]!;
        return { ...labels, status: place % statuses, count: this.#counts[place]! };
      });
  }
}
