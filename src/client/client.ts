import { AnswerStream, isWithoutStreams } from "./answer-stream.ts";
import type {
  AccountCheckAnswer,
  BankDataAnswer,
  BankLookupAnswer,
  BankSearchAnswer,
  BankSearchRequest,
  ExtractAnswer,
  HealthAnswer,
  HistoryAnswer,
  IbanBatchAnswer,
  IbanBatchEntry,
  IbanCheckAnswer,
  ProcessesAnswer,
  UsageAnswer,
} from "./api-types.ts";
import { BankcheckError } from "./errors.ts";
import type { AnswerFacts } from "./fetch-answer.ts";
import type { ClientOptions } from "./options.ts";
import {
  type Account,
  type AccountEntry,
  type AccountLine,
  accountEntry,
  RequestSender,
  sendLines,
} from "./sender.ts";
import { entryBytes, groupsOf } from "./sources.ts";

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Names the request in the service's log: 1 to 64 letters, digits, `_ . : -`. */
  readonly requestId?: string;
  /** Receives the id of the request, and the edition of the bank data that answered it. */
  readonly onAnswer?: ((facts: AnswerFacts) => void) | undefined;
}

/** Options of a single check. */
export interface CheckOptions extends CallOptions {
  /** Add every check made, as `data.checks`. */
  readonly explain?: boolean;
  /** Add what a number that is not valid was probably meant to be, as `data.suggestions`. */
  readonly suggest?: boolean;
  /** Accept what people write around a number: separators, the word IBAN. */
  readonly lenient?: boolean;
  /** Add why a number is not valid, or what is worth a warning. */
  readonly reason?: boolean;
}

/** Options of the check of many numbers. */
export interface ManyOptions extends Omit<CallOptions, "requestId"> {
  /**
   * The longest time that an item waits for others to be sent with, in milliseconds; for sources that are slow. Without
   * it 10, or 50 for accounts in browsers; a batch waits until it is full or the source ends.
   */
  readonly maxWait?: number;
}

/** How many batches may be held finished while an earlier one is sent again. */
const batchesAhead = 64;

/**
 * A client of the service for Node 20 and later and for browsers.
 *
 * A call is sent again after server_busy and rate_limited (once the wait the service asks for is over), internal_error,
 * checker_failed, and what happens to a connection; while the service is away, the client as a whole waits. What is given
 * up or refused rejects with a BankcheckError.
 *
 * @example
 * const another = new BankcheckClient({ baseUrl: "http://127.0.0.1:8080", apiKey: "secret", concurrency: 8 });
 * another.concurrency // → 8
 */
export class BankcheckClient {
  readonly #sender: RequestSender;

  /** Throws a RangeError for options that cannot be used. */
  constructor(options: ClientOptions) {
    this.#sender = new RequestSender(options);
  }

  /** How many requests may be in flight now: `concurrency`, or fewer down to none while the service is busy or away. */
  get concurrency(): number {
    return this.#sender.concurrency;
  }

  /**
   * Checks one IBAN, with `bic` together with its BIC.
   *
   * @example (await client.check("DE89370400440532013000", { bic: "COBADEFF" })).status // → 1
   */
  async check(
    iban: string,
    options: CheckOptions & { readonly bic?: string } = {},
  ): Promise<IbanCheckAnswer> {
    return this.#post(`/v1/iban${queryOf(options)}`, { iban, bic: options.bic }, options);
  }

  /**
   * Checks 1 to 500 IBANs, at most 128 KB, with one request and returns an entry for each, in order.
   *
   * @example
   * (await client.checkBatch(["DE89370400440532013000", "nope"])).map(({ valid }) => valid) // → [true, false]
   */
  async checkBatch(ibans: readonly string[], options: CheckOptions = {}): Promise<IbanBatchEntry[]> {
    const path = `/v1/iban${queryOf(options)}`;
    const { batch } = await this.#post<IbanBatchAnswer>(path, { ibans }, options);
    if (batch?.results?.length === ibans.length) return batch.results;
    throw new BankcheckError(
      "invalid_answer",
      "The answer does not have one entry for each IBAN of the batch.",
    );
  }

  /**
   * Checks any number of IBANs and yields an entry for each, in order.
   *
   * In Node they are sent through `POST /v1/stream` while their entries come, at most 16,384 ahead of those that are
   * taken; in browsers, with a `fetch` of your own, and to services without streams they travel in batches, several
   * requests at a time. Leaving the loop early ends what is in flight.
   *
   * @example
   * for await (const { iban, valid } of client.checkMany(["DE89370400440532013000"])) {
   *   [iban, valid] // → ["DE89370400440532013000", true]
   * }
   */
  async *checkMany(
    ibans: AsyncIterable<string> | Iterable<string>,
    { signal, onAnswer, maxWait }: ManyOptions = {},
  ): AsyncGenerator<IbanBatchEntry, void, void> {
    let source = ibans;
    if (this.#sender.sendsPieces) {
      const call = { path: "/v1/stream", lineOf: JSON.stringify, maxWait, signal, onAnswer };
      const stream = new AnswerStream<string>(this.#sender, ibans, call);
      try {
        for await (const { items, answers } of stream.answers()) {
          for (let place = 0; place < answers.length; place++) {
            const answer = answers[place] as IbanBatchEntry | { readonly iban?: never };
            if (answer.iban !== undefined) yield answer;
            // The answer to a line that is far too long says no more than its error.
            else yield* await this.checkBatch([items[place]!], { signal });
          }
        }
        return;
      } catch (error) {
        if (!isWithoutStreams(error)) throw error;
        source = stream.rest();
      }
    }
    const send = (batch: string[], ending: AbortSignal) =>
      this.checkBatch(batch, { onAnswer, signal: ending });
    const groups = groupsOf(source, maxWait, entryBytes);
    const batches = this.#sender.inOrder(groups, send, { ahead: batchesAhead, signal });
    for await (const entries of batches) yield* entries;
  }

  /**
   * Checks a German account number with its bank code; `sepa` generates the IBAN and adds the SEPA methods.
   *
   * @example (await client.account("532013000", "37040044", { sepa: true })).data.iban // → "DE89370400440532013000"
   */
  async account(
    kontonummer: string,
    bankleitzahl: string,
    options: CheckOptions & { readonly sepa?: boolean } = {},
  ): Promise<AccountCheckAnswer> {
    const body = { kontonummer, bankleitzahl, sepa: options.sepa ? 1 : 0 };
    return this.#post(`/v1/kto${queryOf(options)}`, body, options);
  }

  /**
   * Checks any number of German accounts and yields an entry for each, in order: its answer, or the error for one that is
   * not well formed.
   *
   * They travel as lines of `POST /v1/stream`, in Node as `checkMany` sends IBANs, otherwise up to 500 in a request.
   *
   * @example
   * const accounts = [{ kontonummer: "532013000", bankleitzahl: "37040044" }];
   * for await (const { answer } of client.accountMany(accounts)) {
   *   answer?.status // → 1
   * }
   */
  async *accountMany(
    accounts: AsyncIterable<Account> | Iterable<Account>,
    { signal, onAnswer, maxWait, sepa = false }: ManyOptions & { readonly sepa?: boolean } = {},
  ): AsyncGenerator<AccountEntry, void, void> {
    const path = `/v1/stream?reason=1${sepa ? "&sepa=1" : ""}`;
    const lineOf = ({ kontonummer, bankleitzahl }: Account) => JSON.stringify({ kontonummer, bankleitzahl });
    if (this.#sender.sendsPieces) {
      const call = { path, lineOf, maxWait, signal, onAnswer };
      const stream = new AnswerStream(this.#sender, accounts, call);
      for await (const { items, answers } of stream.answers())
        for (const [place, answer] of answers.entries())
          yield accountEntry(items[place]!, answer as AccountLine);
      return;
    }
    const send = async (group: readonly Account[], ending: AbortSignal) => {
      const call = { path, signal: ending, onAnswer };
      const answers = await sendLines(this.#sender, group.map(lineOf), call);
      return answers.map((text, place) => accountEntry(group[place]!, JSON.parse(`{${text}`) as AccountLine));
    };
    const groups = groupsOf(accounts, maxWait ?? 50);
    for await (const entries of this.#sender.inOrder(groups, send, { ahead: batchesAhead, signal }))
      yield* entries;
  }

  /**
   * Searches banks; at least one of name, location, zip and bankleitzahl must be given.
   *
   * @example (await client.search({ name: "commerzbank", location: "köln", max: 1 })).results.count // → 1
   */
  async search(query: BankSearchRequest, options: CallOptions = {}): Promise<BankSearchAnswer> {
    return this.#post("/v1/search", query, options);
  }

  /**
   * Looks up the bank of a bank code; `country` is a code like `AT`.
   *
   * @example (await client.bank("DE", "37040044")).data.bank // → "Commerzbank"
   */
  async bank(country: string, bankCode: string, options: CallOptions = {}): Promise<BankLookupAnswer> {
    const path = [country, bankCode].map(encodeURIComponent).join("/");
    return this.#call(`/v1/banks/${path}`, options);
  }

  /**
   * Finds the IBANs, BICs and accounts in a text of at most 128 KB.
   *
   * @example (await client.extract("IBAN: DE89 3704 0044 0532 0130 00")).data.ibans[0]?.iban // → "DE89370400440532013000"
   */
  async extract(text: string, options: CallOptions = {}): Promise<ExtractAnswer> {
    return this.#post("/v1/extract", { text }, options);
  }

  /**
   * Returns the state of the service, its pool and its bank data.
   *
   * @example (await client.health()).status // → "up"
   */
  async health(options: CallOptions = {}): Promise<HealthAnswer> {
    return this.#call("/service/health", options);
  }

  /**
   * Returns how many checks were counted for the calling key, with `days` also by day.
   *
   * @example (await client.usage()).key.today > 0 // → true
   */
  async usage({ days, ...options }: CallOptions & { readonly days?: number } = {}): Promise<UsageAnswer> {
    return this.#call(`/service/usage${days === undefined ? "" : `?days=${days}`}`, options);
  }

  /**
   * Returns the lists of bank data in use, by country.
   *
   * @example (await client.bankData()).lists.some(({ country }) => country === "DE") // → true
   */
  async bankData(options: CallOptions = {}): Promise<BankDataAnswer> {
    return this.#call("/service/data", options);
  }

  /**
   * Returns the counters and the present state of every process of the service.
   *
   * @example (await client.processes()).missing // → []
   */
  async processes(options: CallOptions = {}): Promise<ProcessesAnswer> {
    return this.#call("/service/metrics/processes", options);
  }

  /**
   * Returns what every process did in the last hour, in periods of ten seconds.
   *
   * @example (await client.history()).processes.every(({ periods }) => periods.length <= 360) // → true
   */
  async history(options: CallOptions = {}): Promise<HistoryAnswer> {
    return this.#call("/service/metrics/history", options);
  }

  #post<Answer>(path: string, body: object, options: CallOptions): Promise<Answer> {
    return this.#call(path, options, JSON.stringify(body));
  }

  async #call<Answer>(path: string, options: CallOptions, body?: string): Promise<Answer> {
    const { signal, requestId, onAnswer } = options;
    const read = (text: string, facts: AnswerFacts) => {
      const answer = JSON.parse(text) as Answer & object;
      if (typeof answer !== "object" || answer === null) throw new TypeError("it is not an object");
      return { answer, facts };
    };
    const call = { path, requestId, signal, read, ...(body === undefined ? {} : { body }) };
    const { answer, facts } = await this.#sender.send(call);
    onAnswer?.(facts);
    return answer;
  }
}

function queryOf(options: CheckOptions): string {
  const switches = ["explain", "reason", "suggest", "lenient"] as const;
  const set = switches.filter((name) => options[name] === true).map((name) => `${name}=1`);
  return set.length === 0 ? "" : `?${set.join("&")}`;
}
