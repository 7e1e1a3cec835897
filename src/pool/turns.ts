/** Lets at most so many of those that ask have a turn at the same time, in the order in which they asked. */
export class Turns {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(max: number) {
    this.#free = max;
  }

  /** Calls `begin` when there is a turn, perhaps at once; whoever has had one calls `end`. */
  ask(begin: () => void): void {
    if (this.#free === 0) {
      this.#waiting.add(begin);
      return;
    }
    this.#free--;
    begin();
  }

  /** Asks no more; does nothing for one that has its turn. */
  forget(begin: () => void): void {
    this.#waiting.delete(begin);
  }

  /** A turn is over. */
  end(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
