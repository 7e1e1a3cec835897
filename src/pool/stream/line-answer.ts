import type { BankDirectory } from "../../banks/directory/directory.ts";
import { accountAnswer } from "../../checks/account-answer.ts";
import type { AnswerOptions } from "../../checks/answer.ts";
import { batchEntry } from "../../checks/iban-answer.ts";
import type { NumberQuestion } from "./read-row.ts";

export interface LineOptions extends AnswerOptions {
  /** Generate the IBAN of each account. */
  readonly sepa: boolean;
}

/** Answer to a line, as far as the stream itself reads it. */
export interface LineEntry {
  readonly iban?: string;
  readonly valid: boolean;
  readonly status: number;
  readonly data: { readonly iban: string | null; readonly kto: string } & Readonly<Record<string, unknown>>;
  /** The edition of the list of banks that decided; null where none did. Only answered where `fields` names it. */
  readonly edition: string | null;
}

type FoundEntry = Omit<LineEntry, "edition">;

/**
 * Answers one line by the reference: an entry as in a batch, or one of the same form for an IBAN with its BIC or an
 * account. `reason` says why the number is not valid, or is the warning on a valid one; otherwise it is empty.
 */
export function answerLine(
  directory: BankDirectory,
  question: NumberQuestion,
  options: LineOptions,
): { readonly entry: LineEntry; readonly reason: string } {
  const found = entryOf(directory, question, { ...options, reason: true });
  const { reason, severity: _, message: __, ...data } = found.data;
  // German for an account, for an IBAN that of its country.
  const country = found.iban === undefined ? "DE" : data["country"];
  const edition = typeof country === "string" && country !== "" ? directory.editionOf(country) : null;
  const entry = { ...found, edition };
  return { entry: options.reason ? entry : { ...entry, data }, reason: String(reason ?? "") };
}

function entryOf(directory: BankDirectory, question: NumberQuestion, options: LineOptions): FoundEntry {
  if ("kontonummer" in question) {
    const { kontonummer, bankleitzahl: blz } = question;
    const answer = accountAnswer(directory, { kontonummer, blz, sepa: options.sepa }, options);
    const { status, data, message } = answer as FoundEntry & { readonly message: string };
    // As in a batch, the message comes with the reason.
    return { valid: status === 1, status, data: { ...data, message } };
  }
  const { iban, bic } = question;
  return batchEntry(directory, iban, options, bic === "" ? undefined : bic) as FoundEntry;
}
