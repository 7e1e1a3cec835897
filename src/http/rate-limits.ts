/** Limits how often something may happen in one second, on average and in a burst. */
export class RateLimit {
  readonly #perSecond: number;
  #left: number;
  #filledAt = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond;
  }

  /** Returns whether it may happen once more now, and counts it if so. */
  take(): boolean {
    if (this.#left < 1) this.#refill();
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }

  #refill(): void {
    const now = performance.now();
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#filledAt) * this.#perSecond) / 1_000);
    this.#filledAt = now;
  }
}

/** Limits how often something may happen in one turn of the event loop. */
export class TurnLimit {
  readonly #perTurn: number;
  #taken = 0;

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  /** Returns whether it may happen once more in this turn, and counts it. */
  take(): boolean {
    if (this.#taken === 0) {
      setImmediate(() => {
        this.#taken = 0;
      });
    }
    this.#taken++;
    return this.#taken <= this.#perTurn;
  }
}
