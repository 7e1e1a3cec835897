import type * as Api from "../contract/api-types.ts";
import {
  type AccountOptions,
  type CallOptions,
  type CheckOptions,
  expectOptions,
  type LanguageOptions,
  type ManyOptions,
  optionNames,
  queryOf,
} from "./call-options.ts";
import { BankcheckError } from "./errors.ts";
import type { AnswerFacts } from "./fetch-answer.ts";
import {
  type Account,
  type AccountEntry,
  accountMany,
  checkMany,
  type IbanEntry,
  type IbanWithBic,
} from "./many.ts";
import type { ClientOptions } from "./options.ts";
import { RequestSender } from "./sender.ts";

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
    return this.#sender.limit.current;
  }

  /**
   * Checks one IBAN, with `bic` together with its BIC.
   *
   * @example (await client.check("DE89370400440532013000", { bic: "COBADEFF" })).status // → 1
   */
  async check(
    iban: string,
    options: CheckOptions & { readonly bic?: string | undefined } = {},
  ): Promise<Api.IbanCheckAnswer> {
    return this.#call("check", "/v1/iban", options, { iban, bic: options.bic });
  }

  /**
   * Checks 1 to 500 IBANs, at most 128 KB, with one request and returns an entry for each, in order.
   *
   * @example
   * (await client.checkBatch(["DE89370400440532013000", "nope"])).map(({ valid }) => valid) // → [true, false]
   */
  async checkBatch(ibans: readonly string[], options: CheckOptions = {}): Promise<Api.IbanBatchEntry[]> {
    const { batch } = await this.#call<Api.IbanBatchAnswer>("batch", "/v1/iban", options, { ibans });
    if (batch?.results?.length === ibans.length) return batch.results;
    const message = "The answer does not have one entry for each IBAN of the batch.";
    throw new BankcheckError("invalid_answer", message);
  }

  /**
   * Checks any number of IBANs, or of IBANs with their BICs, and yields an entry for each, in order, with the `id` of an
   * item that has one.
   *
   * They are sent through `POST /v1/stream` while their entries come, at most 16,384 ahead of those that are taken; in
   * browsers, and with a `fetch` of your own, up to 128 KB in a request. Leaving the loop early ends what is in flight.
   *
   * @example
   * for await (const { iban, valid } of client.checkMany(["DE89370400440532013000"], { reason: true })) {
   *   [iban, valid] // → ["DE89370400440532013000", true]
   * }
   */
  checkMany(
    ibans: AsyncIterable<string | IbanWithBic> | Iterable<string | IbanWithBic>,
    options: ManyOptions = {},
  ): AsyncGenerator<IbanEntry, void, void> {
    return checkMany(this.#sender, (batch, ofBatch) => this.checkBatch(batch, ofBatch), ibans, options);
  }

  /**
   * Checks a German account number with its bank code; `sepa` generates the IBAN and adds the SEPA methods.
   *
   * @example (await client.account("532013000", "37040044", { sepa: true })).data.iban // → "DE89370400440532013000"
   */
  async account(
    kontonummer: string,
    bankleitzahl: string,
    options: AccountOptions = {},
  ): Promise<Api.AccountCheckAnswer> {
    const { sepa, ...others } = options;
    return this.#call("account", "/v1/kto", others, { kontonummer, bankleitzahl, sepa: sepa ? 1 : 0 });
  }

  /**
   * Checks any number of German accounts and yields an entry for each, in order: its answer, or the error for one that is
   * not well formed.
   *
   * They travel as `checkMany` sends IBANs.
   *
   * @example
   * const accounts = [{ kontonummer: "532013000", bankleitzahl: "37040044" }];
   * for await (const { answer } of client.accountMany(accounts, { explain: true })) {
   *   answer?.status // → 1
   * }
   */
  accountMany(
    accounts: AsyncIterable<Account> | Iterable<Account>,
    options: ManyOptions & Pick<AccountOptions, "sepa"> = {},
  ): AsyncGenerator<AccountEntry, void, void> {
    return accountMany(this.#sender, accounts, options);
  }

  /**
   * Corrects a wrong IBAN, or one with unreadable characters written as `?`; `max` bounds the candidates.
   *
   * @example (await client.suggest("DE8937040044053201300?")).data.suggestions[0]?.iban // → "DE89370400440532013000"
   */
  async suggest(
    iban: string,
    { max, ...options }: LanguageOptions & { readonly max?: number } = {},
  ): Promise<Api.SuggestAnswer> {
    return this.#call("answer", "/v1/suggest", options, { iban, max });
  }

  /**
   * Composes the IBAN of a bank code and an account number, with its national check digits.
   *
   * @example
   * (await client.compose({ country: "DE", bank_code: "37040044", account: "532013000" })).data.iban // → "DE89370400440532013000"
   */
  async compose(parts: Api.ComposeRequest, options: LanguageOptions = {}): Promise<Api.ComposedIbanAnswer> {
    return this.#call("answer", "/v1/compose", options, parts);
  }

  /**
   * Makes `n` test numbers of a country that pass every check; the same `seed` makes the same numbers.
   *
   * @example (await client.sample("DE", { n: 3 })).data.samples.length // → 3
   */
  async sample(
    country: string,
    options: LanguageOptions & { readonly n?: number; readonly seed?: string | number } = {},
  ): Promise<Api.SamplesAnswer> {
    return this.#call("sample", "/v1/sample", options, undefined, { country, ...options });
  }

  /**
   * Looks up a BIC of 8 or 11 characters: its parts, the bank codes that use it, and its SEPA reach.
   *
   * @example (await client.bic("COBADEFFXXX")).data.country // → "DE"
   */
  async bic(bic: string, options: LanguageOptions = {}): Promise<Api.BicLookupAnswer> {
    return this.#call("answer", `/v1/bic/${pathPart(bic)}`, options);
  }

  /**
   * Searches banks; at least one of name, location, zip and bankleitzahl must be given.
   *
   * @example (await client.search({ name: "commerzbank", location: "köln", max: 1 })).results.count // → 1
   */
  async search(query: Api.BankSearchRequest, options: LanguageOptions = {}): Promise<Api.BankSearchAnswer> {
    return this.#call("answer", "/v1/search", options, query);
  }

  /**
   * Looks up the bank of a bank code; `country` is a code like `AT`.
   *
   * @example (await client.bank("DE", "37040044")).data.bank // → "Commerzbank"
   */
  async bank(
    country: string,
    bankCode: string,
    options: LanguageOptions = {},
  ): Promise<Api.BankLookupAnswer> {
    return this.#call("answer", `/v1/banks/${pathPart(country)}/${pathPart(bankCode)}`, options);
  }

  /**
   * Finds the IBANs, BICs and accounts in a text of at most 128 KB.
   *
   * @example (await client.extract("IBAN: DE89 3704 0044 0532 0130 00")).data.ibans[0]?.iban // → "DE89370400440532013000"
   */
  async extract(text: string, options: LanguageOptions = {}): Promise<Api.ExtractAnswer> {
    return this.#call("answer", "/v1/extract", options, { text });
  }

  /**
   * Returns the state of the service, its pool and its bank data.
   *
   * @example (await client.health()).status // → "up"
   */
  async health(options: CallOptions = {}): Promise<Api.HealthAnswer> {
    return this.#call("call", "/service/health", options);
  }

  /**
   * Returns how many checks were counted for the calling key, with `days` also by day.
   *
   * @example (await client.usage()).key.today > 0 // → true
   */
  async usage(options: CallOptions & { readonly days?: number } = {}): Promise<Api.UsageAnswer> {
    return this.#call("usage", "/service/usage", options);
  }

  /**
   * Returns the lists of bank data in use, by country.
   *
   * @example (await client.bankData()).lists.some(({ country }) => country === "DE") // → true
   */
  async bankData(options: CallOptions = {}): Promise<Api.BankDataAnswer> {
    return this.#call("call", "/service/data", options);
  }

  /**
   * Returns the counters and the present state of every process of the service.
   *
   * @example (await client.processes()).missing // → []
   */
  async processes(options: CallOptions = {}): Promise<Api.ProcessesAnswer> {
    return this.#call("call", "/service/metrics/processes", options);
  }

  /**
   * Returns what every process did in the last hour, in periods of ten seconds.
   *
   * @example (await client.history()).processes.every(({ periods }) => periods.length <= 360) // → true
   */
  async history(options: CallOptions = {}): Promise<Api.HistoryAnswer> {
    return this.#call("call", "/service/metrics/history", options);
  }

  /**
   * Returns the counters and the present state of the process that answers.
   *
   * @example (await client.metrics()).pool.size > 0 // → true
   */
  async metrics(options: CallOptions = {}): Promise<Api.MetricsAnswer> {
    return this.#call("call", "/service/metrics", options);
  }

  /**
   * Returns the OpenAPI document of the service.
   *
   * @example (await client.openApi()).openapi // → "3.1.0"
   */
  async openApi(options: CallOptions = {}): Promise<Api.OpenApiDocument> {
    return this.#call("call", "/service/openapi.json", options);
  }

  /**
   * Resolves if the service can be reached and takes the key.
   *
   * @example (await client.ping()).message // → "Pong"
   */
  async ping(options: CallOptions = {}): Promise<Api.PingAnswer> {
    return this.#call("call", "/v1/ping", options);
  }

  /** Calls a path with its options, which are those of `kind`, by POST where there is a body. */
  async #call<Answer>(
    kind: keyof typeof optionNames,
    path: string,
    options: CallOptions,
    body?: object,
    query: object = options,
  ): Promise<Answer> {
    expectOptions(options, optionNames[kind]);
    const { signal, requestId, onAnswer } = options;
    if (requestId !== undefined && !/^[\w.:-]{1,64}$/.test(requestId))
      throw new RangeError("requestId must be 1 to 64 letters, digits, _ . : -");
    const read = (text: string, facts: AnswerFacts) => {
      const answer = JSON.parse(text) as Answer & object;
      if (typeof answer !== "object" || answer === null) throw new TypeError("it is not an object");
      return { answer, facts };
    };
    const call = { path: path + queryOf(query), body: body && JSON.stringify(body), requestId, signal, read };
    const { answer, facts } = await this.#sender.send(call);
    onAnswer?.(facts);
    return answer;
  }
}

/** Encodes a part of a path; an empty one or dots, which a path cannot have, as a space, which the service refuses by name. */
function pathPart(text: string): string {
  return encodeURIComponent(text).replace(/^\.{0,2}$/, "%20");
}
