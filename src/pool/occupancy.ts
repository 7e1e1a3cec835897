import type { SlotSize } from "./slots.ts";

/**
 * Weight of a request, known before its body is read: one whose body is longer than
 * `lightBodyBytes` is heavy (a batch of some forty IBANs and more), every other one is light.
 */
export type RequestWeight = "light" | "heavy";

/** The longest body of a light request, in bytes. */
export const lightBodyBytes = 1_024;

/** How many places large slots have at least for each worker, where the queue has as many, and at most in all. */
const largePerWorker = 128;
const maxLargePlaces = 1_024;

/** Part of a longer queue that large slots have. */
const largePart = 1 / 4;

/**
 * How many accepted requests in large slots may wait.
 *
 * Two milliseconds of arrivals are a hundred single checks or twenty batches of 500, and a batch costs thirty times as
 * much: a queue that bears bursts of single checks would hold batches for a second.
 */
export function largeQueueOf(workers: number, queue: number): number {
  const places = Math.min(largePerWorker * workers, maxLargePlaces);
  return Math.min(queue, Math.max(places, Math.floor(queue * largePart)));
}

/** Which requests a limit counts: all, those of a weight, those in large slots, or those that are both. */
export interface Counted {
  readonly weight?: RequestWeight;
  readonly isLarge?: true;
}

/** How many requests are inside, by weight and by the size of their slots. */
export class Occupancy {
  readonly #counts = { light: { small: 0, large: 0 }, heavy: { small: 0, large: 0 } };

  /** How many are inside. */
  get total(): number {
    return this.count({});
  }

  /** How many are inside that a limit counts. */
  count({ weight, isLarge }: Counted): number {
    const { light, heavy } = this.#counts;
    let count = 0;
    if (weight !== "heavy") count += isLarge ? light.large : light.small + light.large;
    if (weight !== "light") count += isLarge ? heavy.large : heavy.small + heavy.large;
    return count;
  }

  /** Adds a request. */
  add(weight: RequestWeight, size: SlotSize): void {
    this.#counts[weight][size]++;
  }

  /** Removes a request. */
  remove(weight: RequestWeight, size: SlotSize): void {
    this.#counts[weight][size]--;
  }
}
