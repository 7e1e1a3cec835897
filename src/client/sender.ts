import { ConcurrencyLimit } from "./concurrency-limit.ts";
import { BankcheckError } from "./errors.ts";
import { type Call, fetchAnswer } from "./fetch-answer.ts";
import { type ClientOptions, pause, retryDelay, type SenderOptions, senderOptions } from "./options.ts";

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

  /** Makes a call until it is answered, refused for good, or given up; then rejects with a BankcheckError. */
  async send<Answer>(call: Call<Answer>): Promise<Answer> {
    const { body, signal } = call;
    const order = this.limit.nextOrder();
    const countAnswered = () => (typeof body === "object" ? body.answered : 0);
    let begun = performance.now();
    for (let retry = 0; ; retry++) {
      const ticket = await this.limit.enter(signal, { order, hasFailed: retry > 0 });
      const answered = countAnswered();
      try {
        const answer = await fetchAnswer(this.options, call);
        this.limit.succeeded();
        return answer;
      } catch (error) {
        if (signal?.aborted === true) {
          this.limit.answered();
          throw signal.reason;
        }
        // An attempt that brought answers has made progress, so the retries start again.
        if (countAnswered() > answered) [retry, begun] = [0, performance.now()];
        const delay = retryDelay(error, retry, this.options, performance.now() - begun, Math.random());
        if (delay === undefined || !(error instanceof BankcheckError)) {
          if (error instanceof BankcheckError && error.isRetryable) this.limit.gaveUp(error);
          else this.limit.answered();
          throw error;
        }
        const pausesAll = error.isBusy ? this.limit.refused(ticket, delay) : this.limit.failed(delay);
        this.options.onRetry?.({ error, retry: retry + 1, delay, pausesAll });
        if (!pausesAll) await pause(delay, signal);
      }
    }
  }
}
