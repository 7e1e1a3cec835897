import { normaliseIban } from "../../banking/iban/normalise.ts";
import type { BankDirectory } from "../../banks/directory/directory.ts";
import { accountAnswer } from "../../checks/account-answer.ts";
import type { AnswerOptions } from "../../checks/answer.ts";
import { batchAnswer } from "../../checks/batch-answer.ts";
import { ibanAnswer } from "../../checks/iban-answer.ts";
import { RequestError } from "../../contract/errors.ts";
import type { LineQuestion } from "./stream-line.ts";

/** What a line is answered, as far as the stream itself looks into it. */
export interface LineEntry {
  readonly iban?: string;
  readonly valid: boolean;
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Answers one line by the reference: an entry as in a batch, or one of the same form for an IBAN with its BIC or an
 * account. Throws a RequestError for what is asked wrongly.
 */
export function lineEntry(
  directory: BankDirectory,
  question: Exclude<LineQuestion, { readonly kind: "error" }>,
  options: AnswerOptions,
  sepa: boolean,
): LineEntry {
  if (question.kind === "account") {
    const { kontonummer, bankleitzahl: blz } = question;
    return entryOf({}, accountAnswer(directory, { kontonummer, blz, sepa }, options) as Answered, options);
  }
  const { iban, bic } = question;
  if (bic === "") return batched(directory, iban, options);
  const text = normaliseIban(iban);
  try {
    const answered = ibanAnswer(directory, text, bic, options) as Answered;
    return entryOf({ iban: text }, answered, options);
  } catch (error) {
    // A batch has an entry for what is not an IBAN by its form, too.
    if (error instanceof RequestError) return batched(directory, iban, options);
    throw error;
  }
}

type Answered = Pick<LineEntry, "status" | "data"> & { readonly message: string };

/** As in a batch, the message comes with the reason. */
function entryOf(
  named: { readonly iban?: string },
  { status, message, data }: Answered,
  { reason }: AnswerOptions,
): LineEntry {
  return { ...named, valid: status === 1, status, data: reason ? { ...data, message } : data };
}

function batched(directory: BankDirectory, iban: string, options: AnswerOptions): LineEntry {
  const { batch } = batchAnswer(directory, [iban], options) as { batch: { results: LineEntry[] } };
  return batch.results[0]!;
}
