import { isFormalIban, normaliseIban } from "../banking/iban/normalise.ts";
import { readIban } from "../banking/reader/one-iban.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { errorBody } from "../contract/errors.ts";
import type { Language } from "../contract/language.ts";
import { message, textOf } from "../contract/message.ts";
import { type AnswerOptions, entry } from "./answer.ts";
import { CorrectionBudget, type Suggestions } from "./correction-budget.ts";
import { checkRead, resultOf, resultWithoutIban } from "./iban-answer.ts";
import { suggestIbans } from "./suggest-answer.ts";

/** Returns the answer to a batch, whose entries may be anything; those that are not strings are not IBANs. */
export function batchAnswer(
  directory: BankDirectory,
  ibans: readonly unknown[],
  options: AnswerOptions,
): object {
  const budget = options.suggest === undefined ? undefined : new CorrectionBudget(options.suggest);
  const entries = ibans.map((text) =>
    batchEntry(directory, typeof text === "string" ? text : "", options, budget),
  );
  const answered = batchOf(entries, options.language);
  if (budget === undefined) return answered;
  return { ...answered, batch: { ...answered.batch, suggestions_omitted: budget.omitted } };
}

/** Puts the entries of a batch into an answer. */
export function batchOf(results: readonly object[], language: Language) {
  const processed = textOf(message("batch_processed"), language);
  return { status: 1, message: processed, batch: { total: results.length, results } };
}

/** Returns one entry of the answer to a batch; `budget` is needed where corrections are asked for. */
export function batchEntry(
  directory: BankDirectory,
  text: string,
  options: AnswerOptions,
  budget?: CorrectionBudget,
): object {
  const read = () => (options.lenient ? readIban(text) : { iban: normaliseIban(text), decorations: [] });
  const { iban: written, decorations } = budget === undefined ? read() : budget.charge(read);
  // Half of a surrogate pair, which UTF-8 cannot have, becomes the replacement character.
  const iban = written.toWellFormed();
  const check = isFormalIban(iban)
    ? checkRead(directory, { iban, decorations }, undefined, options)
    : undefined;
  const { suggest } = options;
  const suggestions =
    suggest === undefined || budget === undefined || check?.outcome === "valid"
      ? undefined
      : budget.spend(budget.look(() => suggestIbans(suggest, iban)));
  if (check === undefined) return entryWithoutIban(iban, options, suggestions);
  return entry(iban, resultOf(check, options, suggestions), options);
}

/** Returns the entry of a text that is not an IBAN by its form, which has an error too. */
function entryWithoutIban(
  text: string,
  options: AnswerOptions,
  suggestions: Suggestions | undefined,
): object {
  const result = resultWithoutIban(text, options, suggestions);
  // The one check of such a text says what is wrong with it.
  const [detail] = result.checks[0]!.messages!;
  return { ...entry(text, result, options), ...errorBody("invalid_iban", { message: detail! }, options) };
}
