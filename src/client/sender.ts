import type { AccountCheckAnswer, ErrorObject } from "./api-types.ts";
import { ConcurrencyLimit, type InOrderOptions } from "./concurrency-limit.ts";
import { BankcheckError } from "./errors.ts";
import { fetchAnswer, type ReadAnswer, type TakePart } from "./fetch-answer.ts";
import { type ClientOptions, pause, retryDelay, type SenderOptions, senderOptions } from "./options.ts";

/** One call: its request, and how its answer is read. */
export interface Call<Answer> {
  /** Path and query. */
  readonly path: string;
  /** A JSON document to post, or what `POST /v1/stream` answers in parts; GET if it is undefined. */
  readonly body?: string | StreamedBody;
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly read: ReadAnswer<Answer>;
}

/** Lines or rows that one request asks, and that are answered one after the other. */
export interface StreamedBody {
  readonly mediaType: string;
  /** How many have been answered. */
  readonly answered: number;
  /** Begins an attempt; returns what has no answer. */
  begin(): string | Uint8Array | AsyncIterable<string>;
  readonly take: TakePart;
}

/** Maximum items in progress in `inOrder`: if one batch in a hundred is refused, about ten of them wait. */
const maxAtWork = 32;

/** Sends requests, at most `concurrency` at a time, and sends again those whose failure may pass. */
export class RequestSender {
  readonly #options: SenderOptions;
  readonly #limit: ConcurrencyLimit;

  /** Throws a RangeError for options that cannot be used. */
  constructor(options: ClientOptions) {
    this.#options = senderOptions(options);
    this.#limit = new ConcurrencyLimit(this.#options.concurrency);
  }

  /** How many requests may be in flight now: none while the service is away. */
  get concurrency(): number {
    return this.#limit.current;
  }

  /** Whether a body may be sent in pieces while its answer comes. */
  get sendsPieces(): boolean {
    return "sendsPieces" in this.#options.fetch;
  }

  /** How long an answer, or its next part, may take, in milliseconds. */
  get timeout(): number {
    return this.#options.timeout;
  }

  /** Sends a request until it is answered, refused for good, or given up; then rejects with a BankcheckError. */
  async send<Answer>({ path, body, requestId, signal, read }: Call<Answer>): Promise<Answer> {
    const { baseUrl, apiKey, timeout, fetch, onRetry } = this.#options;
    const streamed = typeof body === "object" ? body : undefined;
    const { mediaType } = streamed ?? {};
    const request = { url: baseUrl + path, apiKey, mediaType, requestId, timeout, signal };
    const order = this.#limit.nextOrder();
    let begun = performance.now();
    for (let retry = 0; ; retry++) {
      const ticket = await this.#limit.enter(signal, { order, hasFailed: retry > 0 });
      const answered = streamed?.answered ?? 0;
      try {
        const sent = typeof body === "object" ? body.begin() : body;
        const answer = await fetchAnswer(fetch, { ...request, body: sent }, read, streamed?.take);
        this.#limit.succeeded();
        return answer;
      } catch (error) {
        if (signal?.aborted === true) {
          this.#limit.answered();
          throw signal.reason;
        }
        // An attempt that brought answers has made progress, so the retries start again.
        if (streamed !== undefined && streamed.answered > answered) [retry, begun] = [0, performance.now()];
        const delay = retryDelay(error, retry, this.#options, performance.now() - begun, Math.random());
        if (delay === undefined || !(error instanceof BankcheckError)) {
          this.#giveUp(error);
          throw error;
        }
        const pausesAll = error.isBusy ? this.#limit.refused(ticket, delay) : this.#limit.failed(delay);
        onRetry?.({ error, retry: retry + 1, delay, pausesAll });
        if (!pausesAll) await pause(delay, signal);
      }
    }
  }

  /** Bounds of `inOrder` for work that sends requests. */
  get bounds(): Pick<InOrderOptions, "limit" | "atWork"> {
    return { limit: this.#limit, atWork: Math.max(maxAtWork, 2 * this.#options.concurrency) };
  }

  #giveUp(error: unknown): void {
    if (error instanceof BankcheckError && error.isRetryable) this.#limit.gaveUp(error);
    else this.#limit.answered();
  }
}

/** Options of a call that sends lines. */
interface LinesCall {
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  /** Collects the answers as they come; another call with the same array continues a call that failed. */
  readonly answers?: string[] | undefined;
}

/**
 * Sends lines of JSON through `POST /v1/stream` and resolves with an answer for each: the text of its entry after the
 * number of the line, `"valid":true,…}`.
 *
 * However often the answer is cut off, or the service ends it since it stops, a line that was answered is not sent again.
 */
export async function sendLines(
  sender: RequestSender,
  lines: readonly string[],
  { path, signal, answers: texts = [] }: LinesCall,
): Promise<readonly string[]> {
  if (lines.length === texts.length) return texts;
  let answer = new AnswerLines();
  const body: StreamedBody = {
    mediaType: "application/x-ndjson",
    get answered() {
      return texts.length;
    },
    begin: () => {
      answer = new AnswerLines();
      return `${lines.slice(texts.length).join("\n")}\n`;
    },
    take: (bytes) => {
      const entries = answer.take(bytes);
      if (texts.length + entries.length > lines.length) throw incompleteAnswer();
      texts.push(...entries);
      return texts.length === lines.length;
    },
  };
  const read = () => {
    if (texts.length === lines.length) return;
    answer.expectWhole();
    throw incompleteAnswer();
  };
  await sender.send({ path, body, signal, read });
  return texts;
}

/** What may follow the answers to lines. */
interface AnswerEnd {
  /** Of a line out of order. */
  readonly line?: number;
  readonly summary?: { readonly lines?: number; readonly next_line?: number };
  readonly error?: ErrorObject;
}

/** Reads the answer to lines of JSON: a line for each in order, then perhaps an error, and the summary. */
export class AnswerLines {
  readonly #decoder = new TextDecoder();
  /** The beginning of a line that has not arrived completely. */
  #rest = "";
  #count = 0;
  #end: AnswerEnd = {};

  /** Takes a part of the answer and returns the entries that are whole now, after their numbers: `"valid":true,…}`. */
  take(bytes: Uint8Array): readonly string[] {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    const entries: string[] = [];
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      // The service may put spaces before a line.
      const line = text.slice(from, end).trimStart();
      const begin = `{"line":${this.#count + 1},`;
      if (!line.startsWith(begin)) this.#takeEnd(parsed(line) as AnswerEnd | null);
      else {
        this.#count++;
        entries.push(line.slice(begin.length));
      }
      from = end + 1;
    }
    this.#rest = text.slice(from);
    return entries;
  }

  /** Throws a BankcheckError for an answer that ended before all lines were answered: failed, stopped, or cut off. */
  expectWhole(): void {
    const { summary, error } = this.#end;
    if (error !== undefined) throw new BankcheckError(error.code, error.message);
    if (summary === undefined || summary.next_line !== undefined) throw endedEarly();
  }

  #takeEnd(end: AnswerEnd | null): void {
    if (end?.line !== undefined) throw incompleteAnswer();
    if (end?.summary === undefined && end?.error === undefined) throw otherAnswer();
    if (end.summary !== undefined && end.summary.lines !== this.#count) throw incompleteAnswer();
    this.#end = { ...this.#end, ...end };
  }
}

/** Returns the error of a request whose answer was cut off. */
export function endedEarly(): BankcheckError {
  return new BankcheckError("unreachable", "The service ended its answer early; it may be stopping.");
}

/** Returns the error of a request whose answer lacks lines, or has some twice or in another order. */
export function incompleteAnswer(): BankcheckError {
  return new BankcheckError(
    "incomplete_answer",
    "The answer does not have exactly one line for each line sent, in order.",
  );
}

/** Throws a BankcheckError for text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw otherAnswer(cause);
  }
}

/** Returns the error of a request that another server answered. */
export function otherAnswer(cause?: unknown): BankcheckError {
  return new BankcheckError(
    "invalid_answer",
    "The answer is not from this service: its lines do not match the request.",
    { cause },
  );
}

/** A German account. */
export interface Account extends Identified {
  readonly kontonummer: string;
  readonly bankleitzahl: string;
}

/** Has an id of the caller's, which is not sent. */
export interface Identified {
  readonly id?: string | number;
}

/** The outcome of one account of many: its answer, or the error code of an account that is not well formed. */
export type AccountEntry =
  | (Account & { readonly answer: AccountCheckAnswer; readonly error?: never })
  | (Account & { readonly answer?: never; readonly error: BankcheckError });

type StreamedAccount = Omit<AccountCheckAnswer, "message"> & {
  readonly data: AccountCheckAnswer["data"] & { readonly message: string };
};

export type AccountLine = StreamedAccount | { readonly error: ErrorObject };

/** Returns the entry of an account from the line that answers it, with its reason only if it is asked for. */
export function accountEntry(
  { id, kontonummer, bankleitzahl }: Account,
  line: AccountLine,
  withReason: boolean,
): AccountEntry {
  const account = { ...(id === undefined ? {} : { id }), kontonummer, bankleitzahl };
  if ("error" in line) {
    const { code, message, field, http_status: httpStatus } = line.error;
    return { ...account, error: new BankcheckError(code, message, { field, httpStatus }) };
  }
  const { message, ...whole } = line.data;
  const { reason: _, severity: __, ...plain } = whole;
  const data = withReason ? whole : plain;
  return { ...account, answer: { status: line.status, message, data } };
}
