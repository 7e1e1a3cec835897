import { isFormalIban, normaliseIban } from "../banking/iban/normalise.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { errorBody } from "../contract/errors.ts";
import { message, textOf } from "../contract/message.ts";
import { type IbanOutcome, ibanOutcomes } from "../contract/status.ts";
import { readLeniently } from "../suggest/lenient.ts";
import { type AnswerOptions, plain } from "./answer.ts";
import { dataOf, noIbanData } from "./iban-answer.ts";
import { checkIban } from "./iban-check.ts";
import { CorrectionBudget, suggestIbans } from "./suggestions.ts";

/** Returns the answer to a batch, whose entries may be anything; those that are not strings are not IBANs. */
export function batchAnswer(
  directory: BankDirectory,
  ibans: readonly unknown[],
  options: AnswerOptions = plain,
): object {
  const budget = options.suggest === undefined ? undefined : new CorrectionBudget(options.suggest);
  const entries = ibans.map((text) =>
    entryOf(directory, typeof text === "string" ? text : "", options, budget),
  );
  const answered = batchOf(entries);
  if (budget === undefined) return answered;
  return { ...answered, batch: { ...answered.batch, suggestions_omitted: budget.omitted } };
}

/** Puts the entries of a batch into an answer. */
export function batchOf(results: readonly object[]) {
  return {
    status: 1,
    message: textOf(message("batch_processed"), "en"),
    batch: { total: results.length, results },
  };
}

/** Returns one entry of a batch answer; an entry that is not an IBAN by its form has the error invalid_iban. */
export function batchEntry(iban: string, outcome: IbanOutcome, data: object): object {
  const { status } = ibanOutcomes[outcome];
  return {
    iban,
    valid: status === 1,
    status,
    data,
    ...(outcome === "not_an_iban" ? errorBody("invalid_iban") : {}),
  };
}

function entryOf(
  directory: BankDirectory,
  text: string,
  options: AnswerOptions,
  budget: CorrectionBudget | undefined,
): object {
  const iban = wellFormedUnicode(options.lenient ? readLeniently(text).iban : normaliseIban(text));
  const check = isFormalIban(iban) ? checkIban(directory, iban, undefined, options.modulus) : undefined;
  const outcome = check?.outcome ?? "not_an_iban";
  const data = check === undefined ? noIbanData : dataOf(check);
  const { suggest } = options;
  if (suggest === undefined || budget === undefined || outcome === "valid")
    return batchEntry(iban, outcome, data);
  const suggestions = budget.look(() => suggestIbans(suggest, iban));
  return batchEntry(iban, outcome, { ...data, ...budget.spend(suggestions) });
}

/** Half of a surrogate pair, which UTF-8 cannot have, becomes the replacement character. */
function wellFormedUnicode(text: string): string {
  return Buffer.from(text).toString();
}
