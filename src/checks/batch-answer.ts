import type { BankDirectory } from "../banks/directory/directory.ts";
import type { Language } from "../contract/language.ts";
import { message, textOf } from "../contract/message.ts";
import type { AnswerOptions } from "./answer.ts";
import { CorrectionBudget, warmUp } from "./correction-budget.ts";
import { batchEntry } from "./iban-answer.ts";

/** Returns the answer to a batch, whose entries may be anything; those that are not strings are not IBANs. */
export function batchAnswer(
  directory: BankDirectory,
  ibans: readonly unknown[],
  options: AnswerOptions,
): object {
  const { suggest, language } = options;
  if (suggest !== undefined) warmUp(suggest);
  const budget = suggest && new CorrectionBudget(suggest);
  const entries = ibans.map((text) =>
    batchEntry(directory, typeof text === "string" ? text : "", options, undefined, budget),
  );
  const answered = batchOf(entries, language);
  if (budget === undefined) return answered;
  return { ...answered, batch: { ...answered.batch, suggestions_omitted: budget.omitted } };
}

export function batchOf(results: readonly object[], language: Language) {
  const processed = textOf(message("batch_processed"), language);
  return { status: 1, message: processed, batch: { total: results.length, results } };
}
