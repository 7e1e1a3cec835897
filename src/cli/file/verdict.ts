import type { AccountCheckAnswer, IbanBatchEntry } from "../../client/api-types.ts";
import { BankcheckError } from "../../client/errors.ts";
import { textOf } from "../../contract/message.ts";
import { statusTable } from "../../contract/status.ts";

/** What is told of a bank, and the IBAN that was generated. */
type BankData = Pick<
  AccountCheckAnswer["data"],
  "bic" | "bank" | "zip" | "location" | "country" | "sepa_methods"
> & { readonly iban?: string | null };

/** What the check of a row came to, whichever kind of check it was. */
export interface Verdict {
  /** Null where the service refused the row's text before it checked it. */
  readonly status: number | null;
  readonly valid: boolean;
  readonly message: string;
  readonly data: BankData | undefined;
  /** Error code; empty where there was none. */
  readonly error: string;
}

/** Answers to batches leave out what a status means. */
const messages = new Map(
  statusTable.map(({ status, iban }) => [status as number, iban === null ? "" : textOf({ id: iban }, "en")]),
);

/** The verdict on one entry of a batch; it tells nothing of its iban and kontonummer. */
export function verdictOfEntry({ status, valid, data: told, error }: IbanBatchEntry): Verdict {
  const { iban: _, kto: __, blz: ___, ...data } = told;
  const message = error?.message ?? messages.get(status) ?? "";
  return { status, valid, message, data, error: error?.code ?? "" };
}

/** The verdict on one account. */
export function verdictOfAccount({ status, message, data }: AccountCheckAnswer): Verdict {
  return { status, valid: status === 1, message, data, error: "" };
}

/** The verdict on a row whose text the service refused; undefined for an error that does not concern the row alone. */
export function verdictOfRefusal(error: unknown): Verdict | undefined {
  if (!(error instanceof BankcheckError) || !rowErrors.has(error.code)) return undefined;
  return { status: null, valid: false, message: error.message, data: undefined, error: error.code };
}

const rowErrors: ReadonlySet<string> = new Set(["invalid_kontonummer", "invalid_blz"]);
