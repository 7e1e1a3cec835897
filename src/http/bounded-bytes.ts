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

/** Limits in bytes and in time. */
export interface KeepLimits {
  /** How long one item may stay, in milliseconds. */
  readonly milliseconds: number;
  /** How many bytes are kept over all items. */
  readonly maxBytes: number;
}

/**
 * Bytes kept for many clients at once, bounded in time for each item and in total size.
 *
 * An item for which no bytes are kept costs no more than its deadline.
 */
export class BoundedBytes<Item> {
  readonly #deadlines: Deadlines<Item>;
  readonly #maxBytes: number;
  /** The item that was kept first comes first. */
  readonly #bytes = new Map<Item, number>();
  #total = 0;

  /** `expire` is called once for each item that stays too long; what was kept for it is gone by then. */
  constructor({ milliseconds, maxBytes }: KeepLimits, expire: (item: Item) => void) {
    this.#maxBytes = maxBytes;
    this.#deadlines = new Deadlines(milliseconds, (item) => {
      this.end(item);
      expire(item);
    });
  }

  /** How many items there are. */
  get size(): number {
    return this.#deadlines.size;
  }

  /** How many bytes are kept. */
  get total(): number {
    return this.#total;
  }

  /** The first item for which bytes are kept. */
  get oldest(): Item | undefined {
    return this.#bytes.keys().next().value;
  }

  /** Starts an item's time. */
  begin(item: Item): void {
    this.#deadlines.add(item);
  }

  /** Keeps more bytes for an item; false, and nothing is kept, where there is no room for them. */
  keep(item: Item, bytes: number): boolean {
    if (this.#total + bytes > this.#maxBytes) return false;
    this.#total += bytes;
    this.#bytes.set(item, (this.#bytes.get(item) ?? 0) + bytes);
    return true;
  }

  /** Ends an item's time and lets its bytes go; unknown items are ignored. */
  end(item: Item): void {
    this.#deadlines.delete(item);
    const bytes = this.#bytes.get(item);
    if (bytes === undefined) return;
    this.#bytes.delete(item);
    this.#total -= bytes;
  }

  /** Ends the watch over time. */
  close(): void {
    this.#deadlines.close();
  }
}

/** An answer that its client has not yet taken. */
export interface UnsentAnswer {
  /** Who asked; undefined for a request without a valid key. */
  readonly holder: object | undefined;
  /** Ends the connection at once. */
  cut(): void;
}

const bytesPerMb = 1_048_576;

/** Clients without a key have a small share of their own, so that they never cost a paying client its answer. */
const unsentMaxBytes = { keyed: 56 * bytesPerMb, keyless: 8 * bytesPerMb };

/**
 * Answers kept for slow readers: the rest of one answer for each connection, bounded in total and in time.
 *
 * A connection whose answer is not taken in time is cut. Beyond the total the connections that have waited longest are.
 */
export class UnsentAnswers {
  readonly #keyed: BoundedBytes<UnsentAnswer>;
  readonly #keyless: BoundedBytes<UnsentAnswer>;

  /** `milliseconds` is how long a client may take for one answer. */
  constructor(milliseconds: number, maxBytes = unsentMaxBytes) {
    const cut = (answer: UnsentAnswer) => answer.cut();
    this.#keyed = new BoundedBytes({ milliseconds, maxBytes: maxBytes.keyed }, cut);
    this.#keyless = new BoundedBytes({ milliseconds, maxBytes: maxBytes.keyless }, cut);
  }

  /** How many connections have not taken their answer. */
  get size(): number {
    return this.#keyed.size + this.#keyless.size;
  }

  /** How many bytes are kept for them. */
  get total(): number {
    return this.#keyed.total + this.#keyless.total;
  }

  /** Keeps bytes of an answer, 0 for bytes that exist anyway; cuts connections where there are too many. */
  add(answer: UnsentAnswer, bytes: number): void {
    const answers = this.#answersLike(answer);
    answers.begin(answer);
    if (bytes === 0) return;
    while (!answers.keep(answer, bytes)) {
      const { oldest = answer } = answers;
      answers.end(oldest);
      oldest.cut();
      if (oldest === answer) return;
    }
  }

  /** An answer has been taken or its client has gone; unknown answers are ignored. */
  delete(answer: UnsentAnswer): void {
    this.#answersLike(answer).end(answer);
  }

  /** Ends the watch over time. */
  close(): void {
    this.#keyed.close();
    this.#keyless.close();
  }

  #answersLike({ holder }: UnsentAnswer): BoundedBytes<UnsentAnswer> {
    return holder === undefined ? this.#keyless : this.#keyed;
  }
}
