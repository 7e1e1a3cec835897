import { Deadlines } from "./incoming-bodies.ts";

/** An answer that its client has not yet taken. */
export interface UnsentAnswer {
  /** Who asked; undefined for a request without a valid key. */
  readonly holder: object | undefined;
  /** Ends the connection at once. */
  cut(): void;
}

/** How many bytes are kept for clients that do not take their answers, over all connections. */
export interface UnsentLimits {
  readonly maxBytes: number;
  /** Of these, for clients without a valid key. */
  readonly maxKeylessBytes: number;
}

const defaultLimits: UnsentLimits = { maxBytes: 64 * 1_048_576, maxKeylessBytes: 8 * 1_048_576 };

/**
 * What is kept for clients that read slowly: the rest of one answer a connection at most, bounded in total and in time.
 *
 * A connection whose answer is not taken in time is ended. Beyond the total the connections that have waited longest
 * are, those without a key first.
 */
export class UnsentAnswers {
  /** Bytes by answer, the oldest first. */
  readonly #keyed = new Map<UnsentAnswer, number>();
  readonly #keyless = new Map<UnsentAnswer, number>();
  readonly #deadlines: Deadlines<UnsentAnswer>;
  readonly #limits: UnsentLimits;
  #keyedBytes = 0;
  #keylessBytes = 0;

  /** `milliseconds` is how long a client may take for one answer. */
  constructor(milliseconds: number, limits = defaultLimits) {
    this.#limits = limits;
    this.#deadlines = new Deadlines(milliseconds, (answer) => answer.cut());
  }

  /** How many connections have not taken their answer. */
  get size(): number {
    return this.#keyed.size + this.#keyless.size;
  }

  /** How many bytes are kept for them. */
  get total(): number {
    return this.#keyedBytes + this.#keylessBytes;
  }

  /** Notes that so many bytes of an answer are kept, 0 for bytes that are there anyway; ends connections for too many. */
  add(answer: UnsentAnswer, bytes: number): void {
    this.#deadlines.add(answer);
    if (answer.holder === undefined) this.#keylessBytes += bytes;
    else this.#keyedBytes += bytes;
    this.#answersLike(answer).set(answer, bytes);
    while (this.#keylessBytes > this.#limits.maxKeylessBytes) this.#cutOldest(this.#keyless);
    while (this.total > this.#limits.maxBytes) {
      this.#cutOldest(this.#keylessBytes > 0 ? this.#keyless : this.#keyed);
    }
  }

  /** Notes that an answer has been taken or its client has gone; unknown ones are ignored. */
  delete(answer: UnsentAnswer): void {
    const answers = this.#answersLike(answer);
    const bytes = answers.get(answer);
    if (bytes === undefined) return;
    answers.delete(answer);
    if (answer.holder === undefined) this.#keylessBytes -= bytes;
    else this.#keyedBytes -= bytes;
    this.#deadlines.delete(answer);
  }

  /** Ends the watch over time. */
  close(): void {
    this.#deadlines.close();
  }

  #answersLike({ holder }: UnsentAnswer): Map<UnsentAnswer, number> {
    return holder === undefined ? this.#keyless : this.#keyed;
  }

  /** Cuts the oldest answer for which bytes are kept. */
  #cutOldest(answers: ReadonlyMap<UnsentAnswer, number>): void {
    for (const [answer, bytes] of answers) {
      if (bytes === 0) continue;
      this.delete(answer);
      answer.cut();
      return;
    }
  }
}
