import { normaliseIban } from "../banking/iban/normalise.ts";
import { readIban } from "../banking/reader/one-iban.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { errorBody } from "../contract/errors.ts";
import type { Language } from "../contract/language.ts";
import { message, textOf } from "../contract/message.ts";
import { type AnswerOptions, entry } from "./answer.ts";
import { CorrectionBudget } from "./correction-budget.ts";
import { checkRead, isRightIban, resultOf } from "./iban-answer.ts";

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

/**
 * Returns one entry of the answer to a batch, or one of the same form for an IBAN with its BIC; `budget` is needed where
 * corrections are asked for.
 */
export function batchEntry(
  directory: BankDirectory,
  text: string,
  options: AnswerOptions,
  budget?: CorrectionBudget,
  bic?: string,
): object {
  const read = () => (options.lenient ? readIban(text) : { iban: normaliseIban(text), decorations: [] });
  const { iban: written, decorations } = budget === undefined ? read() : budget.charge(read);
  // Half of a surrogate pair, which UTF-8 cannot have, becomes the replacement character.
  const iban = written.toWellFormed();
  const check = checkRead(directory, { iban, decorations }, bic, options);
  const suggestions = isRightIban(check.outcome) ? undefined : budget?.suggest(iban);
  const answered = entry(iban, resultOf(directory, check, options, suggestions), options);
  if (check.outcome !== "not_an_iban") return answered;
  // The one check of such a text says what is wrong with it.
  const [detail] = check.checks[0]!.messages!;
  return { ...answered, ...errorBody("invalid_iban", options.explain ? { message: detail! } : {}, options) };
}
