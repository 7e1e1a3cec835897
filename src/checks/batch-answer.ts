import { isFormalIban, normaliseIban, readLeniently } from "../banking/iban/normalise.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { errorBody } from "../contract/errors.ts";
import { message, textOf } from "../contract/message.ts";
import type { Language } from "../contract/messages.ts";
import { type AnswerOptions, entry } from "./answer.ts";
import { resultOf, resultWithoutIban } from "./iban-answer.ts";
import { checkIban } from "./iban-check.ts";
import { CorrectionBudget, type Suggestions, suggestIbans } from "./suggestions.ts";

/** Returns the answer to a batch, whose entries may be anything; those that are not strings are not IBANs. */
export function batchAnswer(
  directory: BankDirectory,
  ibans: readonly unknown[],
  options: AnswerOptions,
): object {
  const budget = options.suggest === undefined ? undefined : new CorrectionBudget(options.suggest);
  const entries = ibans.map((text) =>
    entryOf(directory, typeof text === "string" ? text : "", options, budget),
  );
  const answered = batchOf(entries, options.language);
  if (budget === undefined) return answered;
  return { ...answered, batch: { ...answered.batch, suggestions_omitted: budget.omitted } };
}

/** Puts the entries of a batch into an answer. */
export function batchOf(results: readonly object[], language: Language) {
  const told = textOf(message("batch_processed"), language);
  return { status: 1, message: told, batch: { total: results.length, results } };
}

function entryOf(
  directory: BankDirectory,
  text: string,
  options: AnswerOptions,
  budget: CorrectionBudget | undefined,
): object {
  const iban = wellFormedUnicode(options.lenient ? readLeniently(text).iban : normaliseIban(text));
  const check = isFormalIban(iban) ? checkIban(directory, iban, undefined, options.modulus) : undefined;
  const { suggest } = options;
  const suggestions =
    suggest === undefined || budget === undefined || check?.outcome === "valid"
      ? undefined
      : budget.spend(budget.look(() => suggestIbans(suggest, iban)));
  if (check === undefined) return entryWithoutIban(iban, options, suggestions);
  return entry(iban, resultOf(check, options, suggestions), options);
}

/** Returns the entry of a text that is not an IBAN by its form, which has an error too. */
export function entryWithoutIban(
  text: string,
  options: AnswerOptions,
  suggestions: Suggestions | undefined,
): object {
  const error = errorBody("invalid_iban", {}, { language: options.language, explain: false });
  return { ...entry(text, resultWithoutIban(suggestions), options), ...error };
}

/** Half of a surrogate pair, which UTF-8 cannot have, becomes the replacement character. */
function wellFormedUnicode(text: string): string {
  return Buffer.from(text).toString();
}
