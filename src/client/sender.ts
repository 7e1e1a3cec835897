import { ConcurrencyLimit } from "./concurrency-limit.ts";
import { BankcheckError } from "./errors.ts";
import { fetchAnswer, type PartsTaker, type ReadAnswer } from "./fetch-answer.ts";
import { type ClientOptions, pause, retryDelay, type SenderOptions, senderOptions } from "./options.ts";

/** One call: its request, and how its answer is read. */
export interface Call<Answer> {
  readonly path: string;
  /** A JSON document to post, or what `POST /v1/stream` answers in parts; GET if it is undefined. */
  readonly body?: string | StreamedBody;
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly read: ReadAnswer<Answer>;
}

/** Lines or rows that one request asks, and that are answered one after the other. */
export interface StreamedBody extends PartsTaker {
  readonly mediaType: string;
  readonly answered: number;
  /** Begins an attempt; returns what has no answer. */
  begin(): string | Uint8Array | AsyncIterable<string>;
}

/** Sends requests, at most `concurrency` at a time, and sends again those whose failure may pass. */
export class RequestSender {
  readonly options: SenderOptions;
  /** How many requests may be in flight. */
  readonly limit: ConcurrencyLimit;

  /** Throws a RangeError for options that cannot be used. */
  constructor(options: ClientOptions) {
    this.options = senderOptions(options);
    this.limit = new ConcurrencyLimit(this.options.concurrency);
  }

  /** Whether a body may be sent in pieces while its answer comes. */
  get sendsPieces(): boolean {
    return "sendsPieces" in this.options.fetch;
  }

  /** Sends a request until it is answered, refused for good, or given up; then rejects with a BankcheckError. */
  async send<Answer>({ path, body, requestId, signal, read }: Call<Answer>): Promise<Answer> {
    const { baseUrl, apiKey, timeout, fetch, onRetry } = this.options;
    const streamed = typeof body === "object" ? body : undefined;
    const { mediaType } = streamed ?? {};
    const request = { url: baseUrl + path, apiKey, mediaType, requestId, timeout, signal };
    const order = this.limit.nextOrder();
    let begun = performance.now();
    for (let retry = 0; ; retry++) {
      const ticket = await this.limit.enter(signal, { order, hasFailed: retry > 0 });
      const answered = streamed?.answered ?? 0;
      try {
        const sent = typeof body === "object" ? body.begin() : body;
        const answer = await fetchAnswer(fetch, { ...request, body: sent }, read, streamed);
        this.limit.succeeded();
        return answer;
      } catch (error) {
        if (signal?.aborted === true) {
          this.limit.answered();
          throw signal.reason;
        }
        // An attempt that brought answers has made progress, so the retries start again.
        if (streamed !== undefined && streamed.answered > answered) [retry, begun] = [0, performance.now()];
        const delay = retryDelay(error, retry, this.options, performance.now() - begun, Math.random());
        if (delay === undefined || !(error instanceof BankcheckError)) {
          if (error instanceof BankcheckError && error.isRetryable) this.limit.gaveUp(error);
          else this.limit.answered();
          throw error;
        }
        const pausesAll = error.isBusy ? this.limit.refused(ticket, delay) : this.limit.failed(delay);
        onRetry?.({ error, retry: retry + 1, delay, pausesAll });
        if (!pausesAll) await pause(delay, signal);
      }
    }
  }
}
