import { Ticks } from "../pool/ticks.ts";
import { memoryBudget } from "./memory-budget.ts";

/**
 * Bytes kept for many clients at once, bounded in time for each item and in total size.
 *
 * An item for which no bytes are kept costs no more than a map entry. Since all may stay equally long, they expire in the
 * order in which they began, and only the oldest are looked at. Nothing asks for the clock when an item begins.
 */
export class BoundedBytes<Item> {
  readonly #maxBytes: number;
  readonly #ticks: Ticks;
  readonly #maxTicks: number;
  readonly #expire: (item: Item) => void;
  /** By item: the tick in which its time began. */
  readonly #begun = new Map<Item, number>();
  /** The item that was kept first comes first. */
  readonly #bytes = new Map<Item, number>();
  #total = 0;

  /**
   * `expire` is called once for each item that stays longer than `milliseconds`; its bytes are gone by then. At most
   * `maxBytes` are kept over all items.
   */
  constructor(milliseconds: number, maxBytes: number, expire: (item: Item) => void) {
    this.#maxBytes = maxBytes;
    this.#ticks = new Ticks(milliseconds, () => this.#look());
    this.#maxTicks = this.#ticks.in(milliseconds);
    this.#expire = expire;
  }

  get size(): number {
    return this.#begun.size;
  }

  get oldest(): Item | undefined {
    return this.#bytes.keys().next().value;
  }

  begin(item: Item): void {
    this.#ticks.start();
    this.#begun.set(item, this.#ticks.now);
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
    this.#begun.delete(item);
    const bytes = this.#bytes.get(item);
    if (bytes === undefined) return;
    this.#bytes.delete(item);
    this.#total -= bytes;
  }

  /** Ends the watch over time: nothing expires any more. */
  close(): void {
    this.#ticks.stop();
    this.#begun.clear();
  }

  #look(): boolean {
    for (const [item, begun] of this.#begun) {
      if (this.#ticks.now - begun < this.#maxTicks) break;
      this.end(item);
      this.#expire(item);
    }
    return this.#begun.size > 0;
  }
}

interface UnsentAnswer {
  readonly holder: object | undefined;
  cut(): void;
}

const unsentMaxBytes = { keyed: memoryBudget.keyedAnswers, keyless: memoryBudget.keylessAnswers };

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
    this.#keyed = new BoundedBytes(milliseconds, maxBytes.keyed, cut);
    this.#keyless = new BoundedBytes(milliseconds, maxBytes.keyless, cut);
  }

  get size(): number {
    return this.#keyed.size + this.#keyless.size;
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

  close(): void {
    this.#keyed.close();
    this.#keyless.close();
  }

  #answersLike({ holder }: UnsentAnswer): BoundedBytes<UnsentAnswer> {
    return holder === undefined ? this.#keyless : this.#keyed;
  }
}
