import { Deadlines } from "./deadlines.ts";

/** An answer that its client has not yet taken. */
export interface UnsentAnswer {
  /** Ends the connection at once. */
  cut(): void;
}

/** The most bytes that are kept for clients that do not take their answers, over all connections. */
const mostUnsentBytes = 64 * 1_048_576;

/**
 * What is kept for clients that read slowly: the rest of one answer a connection at most, bounded in total and in time.
 *
 * A connection whose answer would pass the total, or is not taken within the time, is ended.
 */
export class UnsentAnswers {
  readonly #bytes = new Map<UnsentAnswer, number>();
  readonly #deadlines: Deadlines<UnsentAnswer>;
  readonly #mostBytes: number;
  #total = 0;

  /** `milliseconds` is how long a client may take for one answer. */
  constructor(milliseconds: number, mostBytes = mostUnsentBytes) {
    this.#mostBytes = mostBytes;
    this.#deadlines = new Deadlines(milliseconds, (answer) => answer.cut());
  }

  /** How many connections have not taken their answer, and how many bytes are kept for them. */
  get size(): number {
    return this.#bytes.size;
  }

  get total(): number {
    return this.#total;
  }

  /** Notes that so many bytes of an answer are kept; ends its connection where they are too many. */
  add(answer: UnsentAnswer, bytes: number): void {
    this.#bytes.set(answer, bytes);
    this.#total += bytes;
    this.#deadlines.add(answer);
    if (this.#total > this.#mostBytes) answer.cut();
  }

  /** Notes that an answer has been taken or its client has gone; unknown ones are ignored. */
  delete(answer: UnsentAnswer): void {
    const bytes = this.#bytes.get(answer);
    if (bytes === undefined) return;
    this.#bytes.delete(answer);
    this.#total -= bytes;
    this.#deadlines.delete(answer);
  }

  /** Ends the watch over time. */
  close(): void {
    this.#deadlines.close();
  }
}
