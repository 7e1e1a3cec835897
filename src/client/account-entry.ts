import type { AccountCheckAnswer, ErrorObject } from "../contract/api-types.ts";
import { BankcheckError } from "./errors.ts";

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
