import { germanIban } from "../banking/germany/account.ts";
import { normaliseIban } from "../banking/iban/normalise.ts";
import { partOfBban } from "../banking/iban/registry.ts";
import { kindOfText } from "../banking/reader/kind-of-text.ts";
import { readIban } from "../banking/reader/one-iban.ts";
import { assumedSepaMethods, noSepaMethods } from "../banking/sepa.ts";
import { ibanData } from "../banks/directory/check-data.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { errorBody, RequestError } from "../contract/errors.ts";
import type { Language } from "../contract/language.ts";
import { message, textOf } from "../contract/message.ts";
import { ibanOutcomes } from "../contract/status.ts";
import { type AnswerOptions, answer, entry, finding, type Result } from "./answer.ts";
import { replacementWarning } from "./bank-findings.ts";
import { noSources, sourcesOf } from "./bank-sources.ts";
import { type CorrectionBudget, correctionBudget, warmUp } from "./correction-budget.ts";
import { checkIban, type IbanCheck, notAnIbanMessage } from "./iban-check.ts";
import { reachOf } from "./reach.ts";

/**
 * Returns the answer to a single IBAN check; `text` is any text.
 *
 * Throws invalid_iban for a text that is not an IBAN by its form, unless a lenient reading or a correction finds what was
 * meant.
 */
export function ibanAnswer(
  directory: BankDirectory,
  text: string,
  bic: string | undefined,
  options: AnswerOptions,
): object {
  const { iban, result, corrections } = checkText(directory, text, bic, options);
  // A text that one slip has made malformed is answered like an entry of a batch: not an IBAN, and what was meant.
  if (result.outcome === ibanOutcomes.not_an_iban && !corrections) throw notAnIban(iban);
  return answer(result, options);
}

/**
 * Returns one entry of the answer to a batch, or one of the same form for an IBAN with its BIC. Corrections are at the
 * expense of `budget`, by default one of its own.
 */
export function batchEntry(
  directory: BankDirectory,
  text: string,
  options: AnswerOptions,
  bic?: string,
  budget?: CorrectionBudget,
): object {
  const { iban, result } = checkText(directory, text, bic, options, budget);
  const answered = entry(iban, result, options);
  if (result.outcome !== ibanOutcomes.not_an_iban) return answered;
  const detail = options.explain ? { message: notAnIbanMessage(iban) } : {};
  return { ...answered, ...errorBody("invalid_iban", detail, options) };
}

/** Returns the answer to a batch, whose entries may be anything; those that are not strings are not IBANs. */
export function batchAnswer(
  directory: BankDirectory,
  ibans: readonly unknown[],
  options: AnswerOptions,
): object {
  const { suggest, language } = options;
  if (suggest !== undefined) warmUp(suggest);
  const budget = suggest && correctionBudget(suggest);
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

/** The error for a text that is not an IBAN by its form, which says what it is instead if that is known. */
export function notAnIban(text: string): RequestError {
  return new RequestError("invalid_iban", { message: notAnIbanMessage(text) });
}

/** Returns the number of a text, its result, and how many corrections there are of one that is wrong. */
function checkText(
  directory: BankDirectory,
  text: string,
  bic: string | undefined,
  options: AnswerOptions,
  budget = options.suggest && correctionBudget(options.suggest),
) {
  const { lenient, policy, explain, reach } = options;
  const read = () => (lenient ? readIban(text) : { iban: normaliseIban(text), decorations: [] });
  const { iban: written, decorations } = budget === undefined ? read() : budget.charge(read);
  // Half of a surrogate pair, which UTF-8 cannot have, becomes the replacement character.
  const check = checkIban(directory, written.toWellFormed(), bic, policy);
  const { iban, outcome, country, isWellFormed, isReadable, bank, checks } = check;
  const isNone = outcome === "not_an_iban";
  // Right, if not with the BIC that was given.
  const isRight = outcome === "valid" || outcome === "bic_mismatch" || outcome === "bic_former";
  const suggestions = isRight ? undefined : budget?.suggest(iban);
  const kind = explain && !isReadable ? kindOfText(iban) : undefined;
  const former = outcome === "bic_former" ? checks.filter((one) => one.outcome === outcome) : [];
  const isWarned = isWellFormed && bank !== undefined && (bank.country === "DE" || isRight);
  const isSourced = country !== undefined && isReadable;
  const removed = decorations.map((decoration) => message(`spelling_${decoration}`));
  const sources = isSourced ? sourcesOf(country.code, bank, directory.edition) : noSources;
  const result: Result = {
    outcome: ibanOutcomes[outcome],
    messages: [
      message(kind === undefined ? ibanOutcomes[outcome].message : `iban_is_${kind}`),
      ...former.flatMap(({ messages = [] }) => messages),
      ...(isWarned ? replacementWarning(bank) : []),
    ],
    data: {
      ...dataOf(check, bic, isRight, explain),
      ...(kind === undefined ? {} : { kind }),
      ...(reach && !isNone ? { sepa_reach: reachOf(reach.register, bank?.bic ?? null, reach.today) } : {}),
      ...suggestions,
    },
    checks: lenient && !isNone ? [finding("spelling", "passed", removed), ...checks] : checks,
    sources: isRight ? sources : { ...sources, schemes: null },
  };
  return { iban, result, corrections: suggestions?.suggestion_count };
}

/**
 * Returns the `data` fields of a checked IBAN.
 *
 * A well-formed IBAN shows its bank even where the account is wrong. One whose ISO check digits fail shows only its
 * country, since any of its digits may be the wrong one; with `explain` also the bank of the number as written, marked as
 * assumed. An IBAN that is not right has no SEPA schemes.
 */
function dataOf(check: IbanCheck, bic: string | undefined, isRight: boolean, explain: boolean) {
  const { iban, outcome, country, isWellFormed, isReadable, bank } = check;
  const isAssumed = !isWellFormed && isReadable && explain;
  if (country === undefined || !(isWellFormed || isAssumed)) {
    const shown = outcome === "not_an_iban" ? null : iban;
    const parts = { iban: shown, kto: "", blz: "", country: country?.code ?? "", bank: undefined };
    return ibanData(parts, noSepaMethods);
  }
  const kto = country.code === "DE" ? iban.slice(germanIban.kontonummer.start) : "";
  // Where the bank is not known, only a BIC that matches says whether it is in a territory outside SEPA.
  const matching = outcome === "valid" && bic !== undefined ? bic : null;
  const sepa = isRight ? (bank?.sepa ?? assumedSepaMethods(country, matching)) : noSepaMethods;
  return {
    ...ibanData({ iban, kto, blz: partOfBban(iban, country.bank), country: country.code, bank }, sepa),
    ...(isAssumed ? { assumed: true } : {}),
  };
}
