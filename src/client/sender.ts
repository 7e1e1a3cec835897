import { ConcurrencyLimit } from "./concurrency-limit.ts";
import { BankcheckError } from "./errors.ts";
import { exchange, type Fetch, type ReadAnswer, type TakePart } from "./exchange.ts";
import { type InOrderOptions, inOrder } from "./in-order.ts";
import { pause, type RetryRules, retryDelay } from "./retry.ts";

/** A request that will be sent again. */
export interface RetryNotice {
  readonly error: BankcheckError;
  /** Number of the retry, from 1. */
  readonly retry: number;
  /** How long it waits, in milliseconds. */
  readonly delay: number;
  /** Whether every other request waits as well, since the service as a whole is away or busy. */
  readonly pausesAll: boolean;
}

/** How requests are sent. */
export interface SenderOptions {
  /** Address of the service without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeout: number;
  readonly concurrency: number;
  readonly rules: RetryRules;
  readonly fetch: Fetch;
  readonly onRetry: ((notice: RetryNotice) => void) | undefined;
}

/** One call: what is sent, and how its answer is read. */
export interface Call<Answer> {
  /** Path and query. */
  readonly path: string;
  /** A JSON document to post, or lines of which those are sent that have no answer yet; GET where it is undefined. */
  readonly body?: string | UnansweredLines;
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly read: ReadAnswer<Answer>;
}

/** Lines that one request asks, and that are answered one after the other. */
export interface UnansweredLines {
  /** How many have been answered. */
  readonly answered: number;
  /** Begins an attempt; returns the lines that have no answer. */
  begin(): string;
  readonly take: TakePart;
}

/** How many items `inOrder` may have at work: a service that refuses one batch in a hundred keeps about ten waiting. */
const maxAtWork = 32;

/** Sends requests, at most `concurrency` at a time, and sends again those whose failure may pass. */
export class RequestSender {
  readonly #options: SenderOptions;
  readonly #limit: ConcurrencyLimit;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#limit = new ConcurrencyLimit(options.concurrency);
  }

  /** How many requests may be in flight now: none while the service is away. */
  get concurrency(): number {
    return this.#limit.current;
  }

  /** Sends a request until it is answered, refused for good, or given up; then rejects with a BankcheckError. */
  async send<Answer>({ path, body, requestId, signal, read }: Call<Answer>): Promise<Answer> {
    const { baseUrl, apiKey, timeout, rules, fetch, onRetry } = this.#options;
    const lines = typeof body === "object" ? body : undefined;
    const request = { url: baseUrl + path, apiKey, requestId, timeout, signal };
    const order = this.#limit.nextOrder();
    const begun = performance.now();
    for (let retry = 0; ; retry++) {
      const ticket = await this.#limit.enter(signal, { order, hasFailed: retry > 0 });
      const answered = lines?.answered ?? 0;
      try {
        const sent = lines === undefined ? { body: body as string | undefined } : linesOf(lines);
        const answer = await exchange(fetch, { ...request, ...sent }, read, lines?.take);
        this.#limit.succeeded();
        return answer;
      } catch (error) {
        // What brings answers is not the same failure again.
        if (lines !== undefined && lines.answered > answered) retry = 0;
        const delay = retryDelay(error, retry, rules, performance.now() - begun, Math.random());
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

  /** Does `work` on the items of a source, as many at a time as requests may be in flight; results come in order. */
  inOrder<Item, Result>(
    source: AsyncIterable<Item> | Iterable<Item>,
    work: (item: Item, signal: AbortSignal) => Promise<Result>,
    options: Omit<InOrderOptions, "limit" | "atWork">,
  ): AsyncGenerator<Result, void, void> {
    const atWork = Math.max(maxAtWork, 2 * this.#options.concurrency);
    return inOrder(source, work, { ...options, limit: this.#limit, atWork });
  }

  #giveUp(error: unknown): void {
    if (error instanceof BankcheckError && error.isRetryable) this.#limit.gaveUp(error);
    else this.#limit.answered();
  }
}

function linesOf(lines: UnansweredLines): { readonly body: string; readonly mediaType: string } {
  return { body: lines.begin(), mediaType: "application/x-ndjson" };
}
