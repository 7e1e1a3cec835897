import { between } from "./clock.ts";

/** Share of the last wait in the expected one. */
const lastShare = 1 / 4;

/**
 * Whether to stay awake for what comes next, decided by how long the last waits were.
 *
 * To sleep and be woken costs about `limitMs` of processor time in all, and delays by as much. A thread that stays awake no
 * longer than that, and only where the last waits were shorter, never spends more than twice what sleeping would cost.
 */
export class Patience {
  readonly #limitMs: number;
  #expectedMs: number;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.#expectedMs = 2 * limitMs;
  }

  /** How long to stay awake, in milliseconds; 0 where it does not pay. */
  get ms(): number {
    return this.#expectedMs < this.#limitMs ? this.#limitMs : 0;
  }

  /** Records a wait between two stamps (see clock.ts). */
  waited(from: number, to: number): void {
    const ms = Math.min(between(from, to), 3 * this.#limitMs);
    this.#expectedMs += (ms - this.#expectedMs) * lastShare;
  }
}
