import type { AccountCheckAnswer, ErrorObject, IbanBatchEntry } from "../contract/api-types.ts";
import { answerStream } from "./answer-stream.ts";
import {
  type AccountOptions,
  type CheckOptions,
  expectOptions,
  type ManyOptions,
  optionNames,
  queryOf,
} from "./call-options.ts";
import { BankcheckError } from "./errors.ts";
import type { RequestSender } from "./sender.ts";

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

type AccountLine = StreamedAccount | { readonly error: ErrorObject };

/** An IBAN to check with its BIC, or with an id that its entry repeats. */
export interface IbanWithBic extends Identified {
  readonly iban: string;
  readonly bic?: string;
}

/** What `checkMany` yields for an IBAN. */
export type IbanEntry = IbanBatchEntry & Identified;

export async function* checkMany(
  sender: RequestSender,
  checkBatch: (ibans: readonly string[], options: CheckOptions) => Promise<readonly IbanBatchEntry[]>,
  ibans: AsyncIterable<string | IbanWithBic> | Iterable<string | IbanWithBic>,
  options: ManyOptions,
): AsyncGenerator<IbanEntry, void, void> {
  expectOptions(options, optionNames.many);
  const { signal, onAnswer, maxWait, ...asked } = options;
  const lineOf = (item: string | IbanWithBic) =>
    JSON.stringify(typeof item === "string" ? item : { iban: item.iban, bic: item.bic });
  const call = { path: `/v1/stream${queryOf(asked)}`, lineOf, maxWait, signal, onAnswer };
  for await (const { items, answers } of answerStream(sender, ibans, call)) {
    for (const [place, answer] of answers.entries()) {
      const item = items[place]!;
      // The answer to a line that is far too long says no more than its error.
      const entries =
        "iban" in answer
          ? [answer as IbanBatchEntry]
          : await checkBatch([typeof item === "string" ? item : item.iban], { ...asked, signal });
      const id = typeof item === "string" ? undefined : item.id;
      for (const entry of entries) yield id === undefined ? entry : { id, ...entry };
    }
  }
}

export async function* accountMany(
  sender: RequestSender,
  accounts: AsyncIterable<Account> | Iterable<Account>,
  options: ManyOptions & Pick<AccountOptions, "sepa">,
): AsyncGenerator<AccountEntry, void, void> {
  expectOptions(options, optionNames.accounts);
  const { signal, onAnswer, maxWait, reason = false, ...asked } = options;
  // The lines of a stream have the message only together with the reason.
  const path = `/v1/stream${queryOf({ ...asked, reason: true })}`;
  const lineOf = ({ kontonummer, bankleitzahl }: Account) => JSON.stringify({ kontonummer, bankleitzahl });
  const call = { path, lineOf, maxWait, signal, onAnswer };
  for await (const { items, answers } of answerStream(sender, accounts, call)) {
    for (const [place, line] of (answers as readonly AccountLine[]).entries()) {
      const { id, kontonummer, bankleitzahl } = items[place]!;
      const account = { ...(id === undefined ? {} : { id }), kontonummer, bankleitzahl };
      if ("error" in line) {
        const { code, message, field, http_status: httpStatus } = line.error;
        yield { ...account, error: new BankcheckError(code, message, { field, httpStatus }) };
      } else {
        const { message, ...whole } = line.data;
        const { reason: _, severity: __, ...plain } = whole;
        yield { ...account, answer: { status: line.status, message, data: reason ? whole : plain } };
      }
    }
  }
}
