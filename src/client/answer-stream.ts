import type { ErrorObject } from "./api-types.ts";
import { BankcheckError } from "./errors.ts";
import type { AnswerFacts } from "./fetch-answer.ts";
import { endedEarly, otherAnswer, parsed, type RequestSender, type StreamedBody } from "./sender.ts";
import { Change, ReadAhead } from "./sources.ts";

/** How long a request stays open with nothing to send, in milliseconds: others may need its place. */
const maxQuietMs = 1_000;
const lineFeed = 0x0a;
const lineStarts = /(?:^|\n) *\{"line":\d+,/g;

/** Options of the requests that carry the items. */
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
 * they are sent while answers come, and read as answers are taken.
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
  /** How many items were answered before the current request. */
  #before = 0;
  /** The beginning of a line that has not arrived completely. */
  #rest: Uint8Array = new Uint8Array();
  #decoder = new TextDecoder();
  #end: { readonly summary?: { readonly next_line?: number }; readonly error?: ErrorObject } = {};

  constructor(sender: RequestSender, source: AsyncIterable<Item> | Iterable<Item>, call: StreamCall<Item>) {
    this.#sender = sender;
    this.#call = call;
    this.#items = new ReadAhead(source, call.maxWait ?? 10, () => this.#news.happened());
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
    let isLeft = false;
    try {
      for (;;) {
        signal?.throwIfAborted();
        const answered = this.#waiting.shift();
        if (answered !== undefined) {
          yield answered;
          this.#items.taken(answered.items.length);
          continue;
        }
        if (failure !== undefined) {
          isLeft = isWithoutStreams(failure.error);
          throw failure.error;
        }
        if (request === undefined && this.#items.unanswered > 0) {
          request = this.#send(ending.signal)
            .catch((error) => {
              failure = { error };
            })
            .finally(() => {
              request = undefined;
              this.#news.happened();
            });
        }
        if (request === undefined && this.#isComplete) break;
        await this.#news.next();
      }
      this.#items.expectSource();
    } finally {
      signal?.removeEventListener("abort", abort);
      ending.abort();
      if (!isLeft) await this.#items.close();
    }
  }

  /** Yields the items that have no answer, after an error that `isWithoutStreams`. */
  async *rest(): AsyncGenerator<Item, void, void> {
    try {
      while (this.#items.unanswered > 0 || !this.#items.isEnded) {
        if (this.#items.unanswered === 0) await this.#news.next();
        const rest = this.#items.answered(this.#items.unanswered);
        yield* rest;
        this.#items.taken(rest.length);
      }
      this.#items.expectSource();
    } finally {
      await this.#items.close();
    }
  }

  begin(): AsyncIterable<string> {
    this.#before = this.#answered;
    this.#rest = new Uint8Array();
    this.#end = {};
    return this.#body(this.#items.begin());
  }

  readonly take = (bytes: Uint8Array): boolean => {
    const end = bytes.lastIndexOf(lineFeed);
    const [own, rest] = [bytes.subarray(0, Math.max(end, 0)), bytes.slice(end + 1)];
    if (end < 0) this.#rest = joined(this.#rest, rest);
    else {
      this.#takeLines(this.#decoder.decode(joined(this.#rest, own)));
      this.#rest = rest;
      this.#news.happened();
    }
    return this.#isComplete;
  };

  /** Whether every item of the source is answered. */
  get #isComplete(): boolean {
    return this.#items.isEnded && this.#items.unanswered === 0;
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { path, onAnswer } = this.#call;
    const read = (_text: string, facts: AnswerFacts) => {
      const { summary, error } = this.#end;
      if (!this.#isComplete) {
        if (error !== undefined) throw new BankcheckError(error.code, error.message);
        if (summary === undefined || summary.next_line !== undefined) throw endedEarly();
        if (this.#items.sent > 0) throw otherAnswer();
      }
      onAnswer?.(facts);
    };
    await this.#sender.send({ path, body: this, signal, read });
  }

  async *#body(request: number): AsyncGenerator<string, void, void> {
    const quietMs = Math.min(maxQuietMs, this.#sender.timeout / 2);
    for (;;) {
      const piece = await this.#items.nextPiece(request, quietMs);
      if (piece === undefined) return;
      yield piece.map((item) => `${this.#call.lineOf(item)}\n`).join("");
    }
  }

  /** Takes whole lines: those of answers, after which there may be an error and the summary. */
  #takeLines(text: string): void {
    let end = text.length;
    let last = "";
    while (end >= 0) {
      const begin = text.lastIndexOf("\n", end - 1) + 1;
      last = text.slice(begin, end).trimStart();
      if (last.startsWith('{"line":')) break;
      this.#end = { ...this.#end, ...(parsed(last) as object) };
      end = begin - 1;
    }
    if (this.#end.summary === undefined && this.#end.error === undefined && end !== text.length)
      throw otherAnswer();
    if (end < 0) return;
    const lines = text.slice(0, end).replace(lineStarts, ",{");
    const answers = parsed(`[${lines.slice(1)}]`) as readonly object[];
    const number = this.#answered - this.#before;
    const isOwn =
      text.trimStart().startsWith(`{"line":${number + 1},`) &&
      last.startsWith(`{"line":${number + answers.length},`);
    if (!isOwn || answers.length > this.#items.sent) throw otherAnswer();
    this.#answered += answers.length;
    this.#waiting.push({ items: this.#items.answered(answers.length), answers });
  }
}

/** Whether a service, or a proxy before it, takes no streams: the path, the method, or a body of unknown length. */
export function isWithoutStreams(error: unknown): boolean {
  return error instanceof BankcheckError && [404, 405, 411].includes(error.httpStatus ?? 0);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
