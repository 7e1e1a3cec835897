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
