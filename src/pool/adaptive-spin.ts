/** A task that comes within this time, in milliseconds, was worth looking for: waking a worker takes as long. */
const worthwhileMs = 0.05;

/** What such a task adds to the credit, in milliseconds: 100 of them pay for one look of a millisecond in vain. */
const gainMs = 0.01;

/**
 * How long looks may take that are not worth it, in milliseconds: enough for Linux to move a client on the same machine
 * away from the processor that the worker keeps busy, which takes some ticks.
 */
const creditMs = 20;

/**
 * How often the worker sleeps without credit before it tries again; four times as often after each trial in vain. With
 * 16,384 at most, 5 of 13 seconds beside busy processes lost a third of their answers.
 */
const minSleeps = 1_024;
const maxSleeps = 65_536;

/**
 * Whether a worker that has nothing to do looks for the next task for a moment before it sleeps.
 *
 * To a client that sends one request after the other, two wake-ups are most of what a check costs; a worker that looks
 * spares them. It looks only after a single task, and only as long as that pays.
 */
export class AdaptiveSpin {
  #leftMs = creditMs;
  #sleeps = 0;
  #sleepsBeforeTrial = minSleeps;

  /** Returns how long to look after a round of `taken` tasks, in milliseconds; 0 if the worker should sleep. */
  limitMs(taken: number): number {
    if (taken !== 1) return 0;
    if (this.#leftMs === 0 && ++this.#sleeps >= this.#sleepsBeforeTrial) {
      this.#leftMs = creditMs;
      this.#sleeps = 0;
      this.#sleepsBeforeTrial = Math.min(4 * this.#sleepsBeforeTrial, maxSleeps);
    }
    return this.#leftMs;
  }

  /** Records a look: whether it found a task, and how long it took. */
  looked(hasFound: boolean, tookMs: number): void {
    const leftMs = this.#leftMs + (hasFound && tookMs < worthwhileMs ? gainMs : -tookMs);
    this.#leftMs = Math.min(Math.max(leftMs, 0), creditMs);
    if (this.#leftMs === creditMs) this.#sleepsBeforeTrial = minSleeps;
  }
}
