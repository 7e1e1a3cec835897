/**
 * Length of a tick in milliseconds: a timer that wakes the process ten times a second while it works is not noticed, and
 * limits of seconds are met to a tenth.
 */
export const tickMs = 100;

/**
 * Counts time in ticks while there is something whose time counts: an idle process is idle, and one that was stopped for a
 * while finds nothing late. Limits are met up to two ticks late, never early.
 */
export class Ticks {
  /** Number of the present tick, from 1. */
  now = 1;
  readonly #lengthMs: number;
  readonly #look: () => boolean;
  #timer: NodeJS.Timeout | undefined;

  /** Calls `look` after each tick, which is no longer than `limitMs`, as long as that says that something is left. */
  constructor(limitMs: number, look: () => boolean) {
    this.#lengthMs = Math.min(tickMs, limitMs);
    this.#look = look;
  }

  /** Returns a number of ticks that last at least that long, wherever in a tick they begin. */
  in(milliseconds: number): number {
    return Math.ceil(milliseconds / this.#lengthMs) + 1;
  }

  /** There is something whose time counts. */
  start(): void {
    this.#timer ??= setInterval(() => {
      this.now++;
      if (!this.#look()) this.stop();
    }, this.#lengthMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
