import { isFormalIban, normaliseIban } from "../../banking/iban/normalise.ts";
import { readIban } from "../../banking/reader/one-iban.ts";
import type { BankDirectory } from "../../banks/directory/directory.ts";
import { accountAnswer } from "../../checks/account-answer.ts";
import { checkAccount } from "../../checks/account-check.ts";
import type { AnswerOptions } from "../../checks/answer.ts";
import { batchAnswer, ibanAnswer } from "../../checks/iban-answer.ts";
import { checkIban } from "../../checks/iban-check.ts";
import { RequestError } from "../../contract/errors.ts";
import { accountOutcomes, ibanOutcomes } from "../../contract/status.ts";
import { encoded } from "../../rows/encoding.ts";
import { type Verdict, verdictOfEntry } from "../../rows/verdict.ts";
import type { LineQuestion } from "./stream-line.ts";

/** Options of the answers to lines. */
export interface LineOptions extends AnswerOptions {
  /** Generate the IBAN of each account. */
  readonly sepa: boolean;
}

/** A question that can be answered. */
export type ReadQuestion = Exclude<LineQuestion, { readonly kind: "error" }>;

/** Answer to a line, as far as the stream itself reads it. */
export interface LineEntry {
  readonly iban?: string;
  readonly valid: boolean;
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The answer to one line, as JSON has it and as CSV has it, whose text has one character for each byte. */
export interface LineAnswer {
  readonly entry: LineEntry;
  readonly verdict: () => Verdict;
}

/**
 * Answers one line by the reference: an entry as in a batch, or one of the same form for an IBAN with its BIC or an
 * account. Throws a RequestError for a wrong question.
 */
export function answerLine(
  directory: BankDirectory,
  question: ReadQuestion,
  options: LineOptions,
): LineAnswer {
  if (question.kind === "account") {
    const { kontonummer, bankleitzahl: blz } = question;
    const asked = { kontonummer, blz, sepa: options.sepa };
    return answerOf({}, accountAnswer(directory, asked, options) as Answered, options);
  }
  const { iban, bic } = question;
  if (bic === "") return batched(directory, iban, options);
  const text = normaliseIban(iban);
  try {
    const answered = ibanAnswer(directory, text, bic, options) as Answered;
    return answerOf({ iban: text }, answered, options);
  } catch (error) {
    // A batch has an entry for what is not an IBAN by its form, too.
    if (error instanceof RequestError) return batched(directory, iban, options);
    throw error;
  }
}

type Answered = Pick<LineEntry, "status" | "data"> & { readonly message: string };

/** As in a batch, the message comes with the reason. */
function answerOf(
  named: { readonly iban?: string },
  { status, data, message }: Answered,
  { reason }: AnswerOptions,
): LineAnswer {
  const entry = { ...named, valid: status === 1, status, data: reason ? { ...data, message } : data };
  return { entry, verdict: () => ({ ...verdictOf(entry), message: encoded(message) }) };
}

function verdictOf(entry: LineEntry): Verdict {
  const verdict = verdictOfEntry(entry as unknown as Parameters<typeof verdictOfEntry>[0]);
  return JSON.parse(encoded(JSON.stringify(verdict))) as Verdict;
}

function batched(directory: BankDirectory, iban: string, options: AnswerOptions): LineAnswer {
  const { batch } = batchAnswer(directory, [iban], options) as { batch: { results: LineEntry[] } };
  const entry = batch.results[0]!;
  return { entry, verdict: () => verdictOf(entry) };
}

/** Why a number is not valid, which its entry lacks unless requested; the check is made once more. */
export function reasonOf(directory: BankDirectory, question: ReadQuestion, options: LineOptions): string {
  if (question.kind === "account") {
    const { kontonummer, bankleitzahl } = question;
    const { outcome } = checkAccount(directory, kontonummer, bankleitzahl, options.sepa, options.policy);
    return accountOutcomes[outcome].reason ?? outcome;
  }
  const iban = options.lenient ? readIban(question.iban).iban : normaliseIban(question.iban);
  if (!isFormalIban(iban)) return ibanOutcomes.not_an_iban.reason;
  const bic = question.bic === "" ? undefined : question.bic;
  const { outcome } = checkIban(directory, iban, bic, options.policy);
  return ibanOutcomes[outcome].reason ?? outcome;
}
