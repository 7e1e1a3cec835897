import { AnswerLines, incompleteAnswer, otherAnswer, parsed } from "./answer-lines.ts";
import { Change } from "./change.ts";
import type { AnswerFacts } from "./fetch-answer.ts";
import type { RequestSender, StreamedBody } from "./sender.ts";
import { pieceItems, Unanswered } from "./unanswered.ts";

/** Maximum number of items that are read and not taken: enough to keep the service busy, and a bound for the memory. */
const maxHeld = 16_384;

/** Maximum length of a body that is sent before its answer is read: what connections hold, whoever reads. */
const maxWholeLength = 131_072;

/**
 * How long a request stays open with nothing to send, since others may need its place, and with nothing answered, since
 * a proxy may pass a body or an answer on only when it is whole; in milliseconds.
 */
const maxQuietMs = 1_000;

interface StreamCall<Item> {
  readonly path: string;
  /** A JSON document without line breaks. */
  readonly lineOf: (item: Item) => string;
  /** The longest time that an item waits for others to be sent with, in milliseconds; 10 if it is undefined. */
  readonly maxWait: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Called at the end of each request. */
  readonly onAnswer: ((facts: AnswerFacts) => void) | undefined;
}

/** Items with their answers, which are the lines of the service without their numbers. */
interface AnsweredItems<Item> {
  readonly items: readonly Item[];
  readonly answers: readonly object[];
}

/**
 * The items of a source on their way through `POST /v1/stream`, in one request as long as there is something to send:
 * they are sent while answers come, and read as answers are taken. Where a body cannot be sent in pieces, as in browsers,
 * each request carries up to 128 KB of them.
 *
 * After a failure that may pass the next request begins with the first item that has no answer.
 */
export class AnswerStream<Item> implements StreamedBody {
  readonly mediaType = "application/x-ndjson";
  readonly #sender: RequestSender;
  readonly #call: StreamCall<Item>;
  readonly #source: AsyncIterator<Item> | Iterator<Item>;
  readonly #news = new Change();
  readonly #unanswered = new Unanswered<Item>();
  readonly #waiting: AnsweredItems<Item>[] = [];
  /** How many items are read and not taken. */
  #held = 0;
  /** Whether the source has yet to yield the next item, and whether it has ended or failed. */
  #isAsked = false;
  #isOver = false;
  /** Whether nothing more is read. */
  #isEnded = false;
  /** What the source has thrown, or what is wrong with an item of it. */
  #fault: { readonly error: unknown } | undefined;
  #answered = 0;
  /** When the request began or its last answers came. */
  #heardAt = 0;
  /** That of the current request. */
  #answer = new AnswerLines();

  constructor(sender: RequestSender, source: AsyncIterable<Item> | Iterable<Item>, call: StreamCall<Item>) {
    this.#sender = sender;
    this.#call = call;
    this.#source =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  get answered(): number {
    return this.#answered;
  }

  /**
   * Yields the answers as they come. Throws a BankcheckError for what is given up, the reason of the signal, and, after
   * the answers to what came before, what the source throws or what is wrong with an item of it.
   */
  async *answers(): AsyncGenerator<AnsweredItems<Item>, void, void> {
    const { signal } = this.#call;
    const ending = new AbortController();
    const abort = () => {
      ending.abort(signal?.reason);
      this.#news.happened();
    };
    signal?.addEventListener("abort", abort, { once: true });
    let failure: { readonly error: unknown } | undefined;
    let isSending = false;
    void this.#read();
    try {
      for (;;) {
        signal?.throwIfAborted();
        const answered = this.#waiting.shift();
        if (answered !== undefined) {
          yield answered;
          this.#held -= answered.items.length;
          this.#news.happened();
        } else if (failure !== undefined) throw failure.error;
        else if (isSending) await this.#news.next();
        else if (this.#isAnswered) break;
        else if (this.#beginsIn > 0) await this.#news.next(this.#beginsIn);
        else {
          isSending = true;
          this.#send(ending.signal)
            .catch((error) => {
              failure = { error };
            })
            .finally(() => {
              isSending = false;
              this.#news.happened();
            });
        }
      }
      if (this.#fault !== undefined) throw this.#fault.error;
    } finally {
      signal?.removeEventListener("abort", abort);
      ending.abort();
      await this.#letSourceGo();
    }
  }

  begin(): AsyncIterable<string> | string {
    this.#answer = new AnswerLines();
    this.#heardAt = performance.now();
    this.#unanswered.begin();
    return this.#sender.sendsPieces ? this.#pieces(this.#answer) : this.#unanswered.nextBody(maxWholeLength);
  }

  take(bytes: Uint8Array): void {
    const entries = this.#answer.take(bytes);
    if (entries.length > 0) {
      const answers = parsed(`[{${entries.join(",{")}]`) as readonly object[];
      const { length } = entries;
      if (length > this.#unanswered.sent || answers.length !== length) throw otherAnswer();
      this.#answered += length;
      this.#heardAt = performance.now();
      this.#waiting.push({ items: this.#unanswered.remove(length), answers });
      this.#news.happened();
    }
  }

  /** Whether the request has all its answers: without pieces it carries no more items. */
  get isComplete(): boolean {
    return this.#isAnswered || (!this.#sender.sendsPieces && this.#unanswered.sent === 0);
  }

  /** Whether every item of the source is answered. */
  get #isAnswered(): boolean {
    return this.#isEnded && this.#unanswered.size === 0;
  }

  /** Milliseconds until what is not sent is to be sent: none for enough items and for the last ones. */
  get #dueIn(): number {
    const { unsent, waitedMs } = this.#unanswered;
    if (unsent === 0) return Number.POSITIVE_INFINITY;
    return unsent >= pieceItems || this.#isEnded ? 0 : Math.max(0, (this.#call.maxWait ?? 10) - waitedMs);
  }

  /** Milliseconds until the next request: one whose body is sent in pieces need not wait for all that it carries. */
  get #beginsIn(): number {
    return this.#sender.sendsPieces && this.#unanswered.size > 0 ? 0 : this.#dueIn;
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { path, onAnswer } = this.#call;
    const read = (_text: string, facts: AnswerFacts) => {
      if (!this.isComplete) {
        this.#answer.expectWhole();
        if (this.#unanswered.sent > 0) throw incompleteAnswer();
      }
      return facts;
    };
    const facts = await this.#sender.send({ path, body: this, signal, read });
    onAnswer?.(facts);
  }

  /** The body of the request with this answer, until there is nothing to send, or nothing is answered, for too long. */
  async *#pieces(answer: AnswerLines): AsyncGenerator<string, void, void> {
    const quietMs = Math.min(maxQuietMs, this.#sender.options.timeout / 2);
    let sentAt = performance.now();
    while (answer === this.#answer) {
      const left = sentAt + quietMs - performance.now();
      const dueIn = this.#dueIn;
      if (dueIn === 0) {
        yield this.#unanswered.nextPiece();
        sentAt = performance.now();
        if (sentAt - this.#heardAt >= quietMs) return;
      } else if (this.#isEnded || left <= 0) return;
      else await this.#news.next(Math.min(dueIn, left));
    }
  }

  async #read(): Promise<void> {
    try {
      while (!this.#isEnded) {
        this.#isAsked = true;
        const next = this.#source.next();
        const { done, value } = "then" in next ? await next : next;
        this.#isAsked = false;
        this.#isOver = done === true;
        if (this.#isOver || this.#isEnded) break;
        this.#add(value);
        if (this.#held < maxHeld) continue;
        while (this.#held > maxHeld - pieceItems && !this.#isEnded) await this.#news.next();
      }
    } catch (error) {
      this.#isOver = this.#isAsked;
      this.#fault = { error };
    }
    this.#end();
  }

  #add(item: Item): void {
    if (item === undefined || item === null) throw new TypeError(`An item of the source is ${item}.`);
    this.#unanswered.add(item, this.#call.lineOf(item));
    this.#held++;
    const { unsent } = this.#unanswered;
    if (unsent === 1 || unsent === pieceItems) this.#news.happened();
  }

  #end(): void {
    this.#isEnded = true;
    this.#news.happened();
  }

  async #letSourceGo(): Promise<void> {
    this.#end();
    if (this.#isOver) return;
    const returned = Promise.resolve(this.#source.return?.());
    // A source that was asked for its next item may never yield it.
    if (this.#isAsked) returned.catch(() => {});
    else await returned;
  }
}
