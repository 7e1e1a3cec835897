import { AnswerLines, incompleteAnswer, otherAnswer, parsed } from "./answer-lines.ts";
import { Change } from "./change.ts";
import type { AnswerFacts, StreamedBody } from "./fetch-answer.ts";
import type { RequestSender } from "./sender.ts";
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

/**
 * Sends the items of a source through `POST /v1/stream` and yields the answers as they come, in one request as long as
 * there is something to send: items are sent while answers come, and read as answers are taken. Where a body cannot be sent
 * in pieces, as in browsers, each request carries up to 128 KB of them.
 *
 * After a failure that may pass the next request begins with the first item that has no answer. Throws a BankcheckError for
 * what is given up, the reason of the signal, and, after the answers to what came before, what the source throws or what is
 * wrong with an item of it.
 */
export async function* answerStream<Item>(
  sender: RequestSender,
  source: AsyncIterable<Item> | Iterable<Item>,
  { path, lineOf, maxWait = 10, signal, onAnswer }: StreamCall<Item>,
) {
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const news = new Change();
  const ending = new AbortController();
  const unanswered = new Unanswered<Item>();
  /** Items with their answers, which are the lines of the service without their numbers. */
  const waiting: { readonly items: readonly Item[]; readonly answers: readonly object[] }[] = [];
  /** How many items are read and not taken. */
  let held = 0;
  /** Whether the source has yet to yield the next item, or has ended or failed. */
  let sourceState = "idle" as "idle" | "asked" | "over";
  /** Whether nothing more is read. */
  let isEnded = false;
  /** What the source has thrown, or what is wrong with an item of it; and what has ended the sending. */
  let fault: { readonly error: unknown } | undefined;
  let failure: { readonly error: unknown } | undefined;
  let isSending = false;
  let answered = 0;
  /** When the request began or its last answers came. */
  let heardAt = 0;
  /** That of the current request. */
  let answer = new AnswerLines();

  /** Whether every item of the source is answered. */
  const isAnswered = () => isEnded && unanswered.size === 0;
  /** Milliseconds until what is not sent is to be sent: none for enough items and for the last ones. */
  const dueIn = () => {
    const { unsent, waitedMs } = unanswered;
    if (unsent === 0) return Number.POSITIVE_INFINITY;
    return unsent >= pieceItems || isEnded ? 0 : Math.max(0, maxWait - waitedMs);
  };
  /** Milliseconds until the next request: one whose body is sent in pieces need not wait for all that it carries. */
  const beginsIn = () => (sender.sendsPieces && unanswered.size > 0 ? 0 : dueIn());
  const end = () => {
    isEnded = true;
    news.happened();
  };

  /** The body of the request with this answer, until there is nothing to send, or nothing is answered, for too long. */
  async function* pieces(own: AnswerLines): AsyncGenerator<string, void, void> {
    const quietMs = Math.min(maxQuietMs, sender.options.timeout / 2);
    let sentAt = performance.now();
    while (own === answer) {
      const left = sentAt + quietMs - performance.now();
      const due = dueIn();
      if (due === 0) {
        yield unanswered.next({ maxItems: pieceItems });
        sentAt = performance.now();
        if (sentAt - heardAt >= quietMs) return;
      } else if (isEnded || left <= 0) return;
      else await news.next(Math.min(due, left));
    }
  }

  const body: StreamedBody = {
    mediaType: "application/x-ndjson",
    get answered() {
      return answered;
    },
    /** Without pieces a request carries no more items. */
    get isComplete() {
      return isAnswered() || (!sender.sendsPieces && unanswered.sent === 0);
    },
    begin: () => {
      answer = new AnswerLines();
      heardAt = performance.now();
      unanswered.begin();
      return sender.sendsPieces ? pieces(answer) : unanswered.next({ maxLength: maxWholeLength });
    },
    take: (bytes) => {
      const entries = answer.take(bytes);
      const { length } = entries;
      if (length === 0) return;
      const answers = parsed(`[{${entries.join(",{")}]`) as readonly object[];
      if (length > unanswered.sent || answers.length !== length) throw otherAnswer();
      answered += length;
      heardAt = performance.now();
      waiting.push({ items: unanswered.remove(length), answers });
      news.happened();
    },
  };

  const send = async () => {
    const read = (_text: string, facts: AnswerFacts) => {
      if (!body.isComplete) {
        answer.expectWhole();
        if (unanswered.sent > 0) throw incompleteAnswer();
      }
      return facts;
    };
    try {
      const facts = await sender.send({ path, body, signal: ending.signal, read });
      onAnswer?.(facts);
    } catch (error) {
      failure = { error };
    }
    isSending = false;
    news.happened();
  };

  const readSource = async () => {
    try {
      while (!isEnded) {
        sourceState = "asked";
        const next = iterator.next();
        const { done, value } = "then" in next ? await next : next;
        sourceState = done === true ? "over" : "idle";
        if (done === true || isEnded) break;
        if (value === undefined || value === null) throw new TypeError(`An item of the source is ${value}.`);
        unanswered.add(value, lineOf(value));
        const { unsent } = unanswered;
        if (unsent === 1 || unsent === pieceItems) news.happened();
        if (++held < maxHeld) continue;
        while (held > maxHeld - pieceItems && !isEnded) await news.next();
      }
    } catch (error) {
      if (sourceState === "asked") sourceState = "over";
      fault = { error };
    }
    end();
  };

  const abort = () => {
    ending.abort(signal?.reason);
    news.happened();
  };
  signal?.addEventListener("abort", abort, { once: true });
  void readSource();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = waiting.shift();
      if (next !== undefined) {
        yield next;
        held -= next.items.length;
        news.happened();
      } else if (failure !== undefined) throw failure.error;
      else if (isSending) await news.next();
      else if (isAnswered()) break;
      else if (beginsIn() > 0) await news.next(beginsIn());
      else {
        isSending = true;
        void send();
      }
    }
    if (fault !== undefined) throw fault.error;
  } finally {
    signal?.removeEventListener("abort", abort);
    ending.abort();
    end();
    if (sourceState !== "over") {
      const returned = Promise.resolve(iterator.return?.());
      // A source that was asked for its next item may never yield it.
      if (sourceState === "asked") returned.catch(() => {});
      else await returned;
    }
  }
}
