/**
 * Deadlines of one fixed length for many things at once, for the price of one map entry each.
 *
 * Since all run equally long, they expire in the order they were added; a sweep looks at the oldest only. Time is
 * counted in sweeps, so nothing asks for the clock when an item is added.
 */
export class Deadlines<Item> {
  readonly #sweeps: number;
  readonly #expire: (item: Item) => void;
  readonly #added = new Map<Item, number>();
  readonly #sweepMs: number;
  /** Runs as long as there is something to look at. */
  #timer: NodeJS.Timeout | undefined;
  #now = 0;

  /**
   * `expire` is called once for each item whose time is up, between `milliseconds` and two `sweep`s later; errors in
   * it are the caller's.
   */
  constructor(milliseconds: number, expire: (item: Item) => void, sweep = Math.min(100, milliseconds)) {
    this.#sweeps = Math.ceil(milliseconds / sweep) + 1;
    this.#expire = expire;
    this.#sweepMs = sweep;
  }

  /** How many items' time is running. */
  get size(): number {
    return this.#added.size;
  }

  /** Starts an item's time. */
  add(item: Item): void {
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#sweep(), this.#sweepMs);
      this.#timer.unref();
    }
    this.#added.set(item, this.#now);
  }

  /** Ends an item's time; unknown ones are ignored. */
  delete(item: Item): void {
    this.#added.delete(item);
  }

  /** Stops sweeping: nothing expires any more. */
  close(): void {
    clearInterval(this.#timer);
    this.#added.clear();
  }

  #sweep(): void {
    this.#now++;
    if (this.#added.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const [item, added] of this.#added) {
      if (this.#now - added < this.#sweeps) return;
      this.#added.delete(item);
      this.#expire(item);
    }
  }
}
