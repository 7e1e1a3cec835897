import type { AccountCheckAnswer, IbanCheckAnswer, SepaMethods } from "../../client/api-types.ts";
import type { BankcheckClient, CallOptions } from "../../client/client.ts";
import { BankcheckError } from "../../client/errors.ts";

/** What is checked of a row: an IBAN, one with its BIC, or an account number with its bank code. */
export type RowNumber =
  | string
  | { readonly iban: string; readonly bic: string }
  | { readonly kontonummer: string; readonly blz: string };

/** The result of a row, as far as it is shown: an entry of a batch, or what an answer to a single check has of it. */
export interface RowResult {
  readonly valid: boolean;
  readonly status: number;
  readonly data?: {
    readonly iban?: string | null;
    /** Whether the IBAN was made from an account number. */
    readonly made?: boolean;
    readonly bic: string | null;
    readonly blz: string;
    readonly bank: string;
    readonly zip: string;
    readonly location: string;
    readonly country: string;
    readonly sepa_methods?: SepaMethods;
    /** Why it is not valid, as a word and as a sentence. */
    readonly reason?: string | null;
    readonly message?: string | null;
  };
  readonly error?: { readonly code: string };
}

/** Asks the service through the client, as `Session.ask` does. */
type Ask = <Answer>(call: (client: BankcheckClient) => Promise<Answer>) => Promise<Answer>;

/** Numbers with a BIC that are asked about at a time for each batch; each is a request of its own. */
const pairsInFlight = 6;

const nothing = { bic: null, blz: "", bank: "", zip: "", location: "", country: "" } as const;

type Pair = Extract<RowNumber, { bic: string }>;
type AccountRow = Extract<RowNumber, { blz: string }>;

/** Has the service check rows: IBANs in one request, accounts in one stream, an IBAN with its BIC alone. */
export class RowChecks {
  /** What was answered before a fault is not asked again, since the service counts each. */
  readonly #answered = new Map<string, RowResult>();
  #edition = "";

  /** The edition of the bank data that answered last. */
  get edition(): string {
    return this.#edition;
  }

  /** Returns a result for each row, in order. Rejects as `Session.ask` does. */
  async check(numbers: readonly RowNumber[], ask: Ask, signal: AbortSignal): Promise<readonly RowResult[]> {
    const ibans = numbers.map((number) => ibanAloneOf(number)).filter((iban) => iban !== undefined);
    const options: CallOptions = {
      signal,
      onAnswer: ({ edition }) => {
        this.#edition = edition ?? this.#edition;
      },
    };
    const entries =
      ibans.length === 0 ? [] : await ask((client) => client.checkBatch(ibans, { ...options, reason: true }));
    const rest = numbers.filter((number) => ibanAloneOf(number) === undefined) as (Pair | AccountRow)[];
    const unknown = rest.filter((number) => !this.#answered.has(keyOf(number)));
    await this.#checkAccounts(
      unknown.filter((number) => "blz" in number),
      ask,
      options,
    );
    await this.#checkPairs(
      unknown.filter((number) => "bic" in number),
      ask,
      options,
    );
    let batched = 0;
    return numbers.map((number) =>
      ibanAloneOf(number) === undefined
        ? this.#answered.get(keyOf(number as Pair | AccountRow))!
        : entries[batched++]!,
    );
  }

  async #checkAccounts(rows: readonly AccountRow[], ask: Ask, options: CallOptions): Promise<void> {
    const accounts = rows.map(({ kontonummer, blz }) => ({
      kontonummer: digits(kontonummer),
      bankleitzahl: digits(blz),
    }));
    await ask(async (client) => {
      let place = 0;
      for await (const { answer, error } of client.accountMany(accounts, { ...options, sepa: true })) {
        const result =
          answer === undefined
            ? refused(error, "not_an_account")
            : resultOf(answer, answer.data.iban !== null);
        this.#answered.set(keyOf(rows[place++]!), result);
      }
    });
  }

  async #checkPairs(pairs: readonly Pair[], ask: Ask, options: CallOptions): Promise<void> {
    let next = 0;
    const lane = async () => {
      for (let index = next++; index < pairs.length; index = next++) {
        const { iban, bic } = pairs[index]!;
        const result = await ask(async (client) => {
          try {
            return resultOf(await client.check(iban, { ...options, bic, reason: true }), false);
          } catch (error) {
            // A number that is not well formed is the row's fault; anything else is the run's.
            if (!(error instanceof BankcheckError) || error.httpStatus !== 400) throw error;
            return refused(error, error.code === "invalid_bic" ? "not_a_bic" : "not_an_iban");
          }
        });
        this.#answered.set(keyOf(pairs[index]!), result);
      }
    };
    await Promise.all(Array.from({ length: pairsInFlight }, lane));
  }
}

/** The IBAN of a row without a BIC, which can travel in a batch. */
function ibanAloneOf(number: RowNumber): string | undefined {
  if (typeof number === "string") return number;
  return "iban" in number && number.bic === "" ? number.iban : undefined;
}

function keyOf(number: Pair | AccountRow): string {
  return "iban" in number ? `${number.iban} ${number.bic}` : `${number.kontonummer}/${number.blz}`;
}

function resultOf({ status, message, data }: IbanCheckAnswer | AccountCheckAnswer, made: boolean): RowResult {
  return { valid: status === 1, status, data: { ...data, message, made } };
}

function refused({ code, message }: BankcheckError, reason: string): RowResult {
  return { valid: false, status: 3, data: { ...nothing, message, reason }, error: { code } };
}

const digits = (text: string) => text.replace(/\D/g, "");
