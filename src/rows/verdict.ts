import type { AccountCheckAnswer, IbanBatchEntry, IbanCheckAnswer } from "../client/api-types.ts";
import { BankcheckError } from "../client/errors.ts";
import { textOf } from "../contract/message.ts";
import { statusTable } from "../contract/status.ts";

/** What is known of a bank, and the IBAN that was generated. */
type BankData = Pick<
  AccountCheckAnswer["data"],
  "bic" | "blz" | "bank" | "zip" | "location" | "country" | "sepa_methods"
> & {
  readonly iban?: string | null;
  readonly suggestions?: readonly { readonly iban?: string; readonly kontonummer?: string }[] | null;
};

/** The result of the check of a row, whichever kind of check it was. */
export interface Verdict {
  /** Null where the row was refused before it was checked. */
  readonly status: number | null;
  readonly valid: boolean;
  readonly message: string;
  readonly data: BankData | undefined;
  /** Error code; empty where there was none. */
  readonly error: string;
  /** Why the number is not valid, in a word; empty where there is nothing to say. */
  readonly reason: string;
}

/** Answers to batches leave out what a status means. */
const messages = new Map(
  statusTable.map(({ status, iban }) => [status as number, iban === null ? "" : textOf({ id: iban }, "en")]),
);

/** What a status says of itself, for services that give no reasons. */
const reasonOfStatus: ReadonlyMap<number, string> = new Map([
  [2, "bic_mismatch"],
  [4, "length"],
  [7, "bank_code_unknown"],
]);

/** The verdict on one entry of a batch; it says nothing of its iban and kontonummer. */
export function verdictOfEntry({ status, valid, data: found, error }: IbanBatchEntry): Verdict {
  const { iban: _, kto: __, ...data } = found;
  const { reason, message } = data as { readonly reason?: string | null; readonly message?: string };
  return {
    status,
    valid,
    message: error?.message ?? message ?? messages.get(status) ?? "",
    data,
    error: error?.code ?? "",
    reason: reason ?? error?.code ?? reasonOfStatus.get(status) ?? "",
  };
}

/** The verdict on one account, or on an IBAN that was checked alone. */
export function verdictOfAnswer({ status, message, data }: AccountCheckAnswer | IbanCheckAnswer): Verdict {
  const { reason } = data as { readonly reason?: string | null };
  return { status, valid: status === 1, message, data, error: "", reason: reason ?? "" };
}

/** The verdict on a row whose text the service refused; undefined for an error that does not concern the row alone. */
export function verdictOfRefusal(error: unknown): Verdict | undefined {
  if (!(error instanceof BankcheckError) || !rowErrors.has(error.code)) return undefined;
  return refusedVerdict(error.code, error.message);
}

/** The verdict on a row that was refused before it was checked. */
export function refusedVerdict(code: string, message: string): Verdict {
  return { status: null, valid: false, message, data: undefined, error: code, reason: code };
}

const rowErrors: ReadonlySet<string> = new Set(["invalid_kontonummer", "invalid_blz", "invalid_bic"]);

/** The code of a row that cannot be read, as its error and its reason. */
export const badRow = "bad_row";

/** The verdict on a row that cannot be read. */
export function verdictOfBadRow(message: string): Verdict {
  return refusedVerdict(badRow, message);
}
