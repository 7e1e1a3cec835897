import { AnswerLines, incompleteAnswer, otherAnswer, parsed } from "./answer-lines.ts";
import type { AnswerFacts } from "./fetch-answer.ts";
import type { RequestSender, StreamedBody } from "./sender.ts";
import { Change, ReadAhead } from "./sources.ts";

/** Maximum length of a body that is sent before its answer is read: what connections hold, whoever reads. */
const maxWholeLength = 131_072;

/**
 * How long a request stays open with nothing to send, since others may need its place, and with nothing answered, since
 * a proxy may pass a body or an answer on only when it is whole; in milliseconds.
 */
const maxQuietMs = 1_000;

interface StreamCall<Item> {
  /** Path and query. */
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
  readonly #items: ReadAhead<Item>;
  readonly #news = new Change();
  readonly #waiting: AnsweredItems<Item>[] = [];
  #answered = 0;
  /** When the request began or its last answers came. */
  #heardAt = 0;
  #answer = new AnswerLines();

  constructor(sender: RequestSender, source: AsyncIterable<Item> | Iterable<Item>, call: StreamCall<Item>) {
    this.#sender = sender;
    this.#call = call;
    this.#items = new ReadAhead(source, call.lineOf, call.maxWait ?? 10, () => this.#news.happened());
  }

  get answered(): number {
    return this.#answered;
  }

  /** Yields the answers as they come. Throws a BankcheckError for what is given up, and the reason of the signal. */
  async *answers(): AsyncGenerator<AnsweredItems<Item>, void, void> {
    const { signal } = this.#call;
    const ending = new AbortController();
    const abort = () => {
      ending.abort(signal?.reason);
      this.#news.happened();
    };
    signal?.addEventListener("abort", abort, { once: true });
    let request: Promise<void> | undefined;
    let failure: { readonly error: unknown } | undefined;
    try {
      for (;;) {
        signal?.throwIfAborted();
        const answered = this.#waiting.shift();
        if (answered !== undefined) {
          yield answered;
          this.#items.taken(answered.items.length);
          continue;
        }
        if (failure !== undefined) throw failure.error;
        const mayBegin = this.#sender.sendsPieces ? this.#items.unanswered > 0 : this.#items.isReady;
        if (request === undefined && mayBegin) {
          request = this.#send(ending.signal)
            .catch((error) => {
              failure = { error };
            })
            .finally(() => {
              request = undefined;
              this.#news.happened();
            });
        }
        if (request === undefined && this.#isOver) break;
        await this.#news.next();
      }
      this.#items.expectSource();
    } finally {
      signal?.removeEventListener("abort", abort);
      ending.abort();
      await this.#items.close();
    }
  }

  begin(): AsyncIterable<string> | string {
    this.#answer = new AnswerLines();
    this.#heardAt = performance.now();
    const request = this.#items.begin();
    return this.#sender.sendsPieces ? this.#pieces(request) : this.#items.nextBody(maxWholeLength);
  }

  take(bytes: Uint8Array): void {
    const entries = this.#answer.take(bytes);
    if (entries.length > 0) {
      const answers = parsed(`[{${entries.join(",{")}]`) as readonly object[];
      const { length } = entries;
      if (length > this.#items.sent || answers.length !== length) throw otherAnswer();
      this.#answered += length;
      this.#heardAt = performance.now();
      this.#waiting.push({ items: this.#items.answered(length), answers });
      this.#news.happened();
    }
  }

  /** Whether the request has all its answers: without pieces it carries no more items. */
  get isComplete(): boolean {
    return this.#isOver || (!this.#sender.sendsPieces && this.#items.sent === 0);
  }

  /** Whether every item of the source is answered. */
  get #isOver(): boolean {
    return this.#items.isEnded && this.#items.unanswered === 0;
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { path, onAnswer } = this.#call;
    const read = (_text: string, facts: AnswerFacts) => {
      if (!this.isComplete) {
        this.#answer.expectWhole();
        if (this.#items.sent > 0) throw incompleteAnswer();
      }
      return facts;
    };
    const facts = await this.#sender.send({ path, body: this, signal, read });
    onAnswer?.(facts);
  }

  async *#pieces(request: number): AsyncGenerator<string, void, void> {
    const quietMs = Math.min(maxQuietMs, this.#sender.timeout / 2);
    do {
      const piece = await this.#items.nextPiece(request, quietMs);
      if (piece === undefined) return;
      yield piece;
    } while (performance.now() - this.#heardAt < quietMs);
  }
}
