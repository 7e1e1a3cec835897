import type {
  AccountCheckAnswer,
  BankSearchAnswer,
  BankSearchRequest,
  IbanBatchAnswer,
  IbanBatchEntry,
  IbanCheckAnswer,
} from "./api-types.ts";
import { batchesOf } from "./batches.ts";
import { ConcurrencyLimit, type Ticket } from "./concurrency-limit.ts";
import { BankcheckError } from "./errors.ts";
import { exchange, type Fetch, type ReadAnswer } from "./exchange.ts";
import { type InOrderOptions, inOrder } from "./in-order.ts";
import { defaultRetryRules, pause, type RetryRules, retryDelay } from "./retry.ts";

/** How a client reaches the service. */
export interface ClientOptions extends Partial<RetryRules> {
  /** Address of the service, `https://bankcheck.example`; a path in it is kept. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How long one answer may take, in milliseconds; 30,000 unless given. */
  readonly timeout?: number;
  /** The most requests in flight, 1 to 64; 4 unless given. Fewer are while the service is busy. */
  readonly concurrency?: number;
  /** Used instead of the platform's `fetch`. */
  readonly fetch?: Fetch;
}

/** What may be said of one call. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a single check. */
export interface CheckOptions extends CallOptions {
  /** Add every check that was made to the answer, as `data.checks`. */
  readonly explain?: boolean;
}

/** How many batches `checkMany` may hold finished while an earlier one is sent again. */
const batchesAhead = 64;

/**
 * A client of the service for Node 20 and later and for browsers.
 *
 * Every call is sent again after server_busy (once the wait the service asks for is over), internal_error,
 * checker_failed, and what happens to a connection; what is given up or refused rejects with a BankcheckError.
 */
export class BankcheckClient {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #timeout: number;
  readonly #rules: RetryRules;
  readonly #limit: ConcurrencyLimit;
  readonly #fetch: Fetch;

  /** Throws a RangeError for options that cannot be used. */
  constructor(options: ClientOptions) {
    const { baseUrl, apiKey, timeout = 30_000, concurrency = 4 } = options;
    if (!URL.canParse(baseUrl)) throw new RangeError(`baseUrl is no address: ${JSON.stringify(baseUrl)}`);
    if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 64) {
      throw new RangeError("concurrency must be an integer from 1 to 64");
    }
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#apiKey = apiKey;
    this.#timeout = timeout;
    this.#rules = {
      retries: options.retries ?? defaultRetryRules.retries,
      firstDelay: options.firstDelay ?? defaultRetryRules.firstDelay,
      longestDelay: options.longestDelay ?? defaultRetryRules.longestDelay,
    };
    this.#limit = new ConcurrencyLimit(concurrency);
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  }

  /** How many requests may be in flight now: `concurrency`, or fewer down to none while the service is busy. */
  get concurrency(): number {
    return this.#limit.current;
  }

  /** Checks one IBAN, with `bic` together with its BIC. */
  async check(
    iban: string,
    options: CheckOptions & { readonly bic?: string } = {},
  ): Promise<IbanCheckAnswer> {
    const { bic, explain, signal } = options;
    const body = bic === undefined ? { iban } : { iban, bic };
    return this.#post<IbanCheckAnswer>(`/v1/iban${queryOf(explain)}`, body, signal);
  }

  /** Checks 1 to 500 IBANs, at most 128 KB, with one request and gives an entry for each, in order. */
  async checkBatch(ibans: readonly string[], { signal }: CallOptions = {}): Promise<IbanBatchEntry[]> {
    return this.checkBatchInto((text) => (JSON.parse(text) as IbanBatchAnswer).batch.results, ibans, {
      signal,
    });
  }

  /** Checks a batch as `checkBatch` does and gives what `read` makes of the answer's entries: one for each, in order. */
  async checkBatchInto<Entry>(
    read: ReadAnswer<Entry[]>,
    ibans: readonly string[],
    { signal }: CallOptions = {},
  ): Promise<Entry[]> {
    const entries = await this.#post("/v1/iban", { ibans }, signal, read);
    if (entries.length !== ibans.length) {
      throw new BankcheckError("invalid_answer", "The answer has another number of entries than the batch.");
    }
    return entries;
  }

  /**
   * Checks any number of IBANs and yields an entry for each, in order.
   *
   * They travel in batches, several requests at a time. The source is read as fast as entries are taken. Leaving the
   * loop early ends what is in flight.
   */
  async *checkMany(
    ibans: AsyncIterable<string> | Iterable<string>,
    { signal }: CallOptions = {},
  ): AsyncGenerator<IbanBatchEntry, void, void> {
    const send = (batch: string[], ending: AbortSignal) => this.checkBatch(batch, { signal: ending });
    for await (const entries of this.inOrder(batchesOf(ibans), send, { ahead: batchesAhead, signal })) {
      yield* entries;
    }
  }

  /** Does `work` on the items of a source in the order and at the pace of `checkMany`; it must send a request at once. */
  inOrder<Item, Result>(
    source: AsyncIterable<Item> | Iterable<Item>,
    work: (item: Item, signal: AbortSignal) => Promise<Result>,
    options: Omit<InOrderOptions, "limit">,
  ): AsyncGenerator<Result, void, void> {
    return inOrder(source, work, { ...options, limit: this.#limit });
  }

  /** Checks a German account number with its bank code; `sepa` generates the IBAN and gives the SEPA methods too. */
  async account(
    kontonummer: string,
    bankleitzahl: string,
    options: CheckOptions & { readonly sepa?: boolean } = {},
  ): Promise<AccountCheckAnswer> {
    const { sepa = false, explain, signal } = options;
    const body = { kontonummer, bankleitzahl, sepa: sepa ? 1 : 0 };
    return this.#post<AccountCheckAnswer>(`/v1/kto${queryOf(explain)}`, body, signal);
  }

  /** Searches banks; at least one of name, location, zip and bankleitzahl must be given. */
  async search(query: BankSearchRequest, { signal }: CallOptions = {}): Promise<BankSearchAnswer> {
    return this.#post<BankSearchAnswer>("/v1/search", query, signal);
  }

  async #post<Answer>(
    path: string,
    body: object,
    signal: AbortSignal | undefined,
    read: ReadAnswer<Answer> = JSON.parse,
  ): Promise<Answer> {
    const request = {
      url: this.#baseUrl + path,
      apiKey: this.#apiKey,
      body: JSON.stringify(body),
      timeout: this.#timeout,
      signal,
    };
    for (let retry = 0; ; retry++) {
      const ticket = await this.#limit.enter(signal);
      try {
        const answer = await exchange(this.#fetch, request, read);
        this.#limit.succeeded();
        return answer;
      } catch (error) {
        this.#leave(ticket, error);
        try {
          const delay = retryDelay(error, retry, this.#rules, Math.random());
          if (delay === undefined) throw error;
          await pause(delay, signal);
        } finally {
          if (isBusy(error)) this.#limit.waited();
        }
      }
    }
  }

  #leave(ticket: Ticket, error: unknown): void {
    if (isBusy(error)) this.#limit.refused(ticket);
    else this.#limit.failed();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof BankcheckError && error.code === "server_busy";
}

function queryOf(explain: boolean | undefined): string {
  return explain === true ? "?explain=1" : "";
}
