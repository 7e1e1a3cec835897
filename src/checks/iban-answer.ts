import { germanIban } from "../banking/germany/account.ts";
import { type Decoration, normaliseIban } from "../banking/iban/normalise.ts";
import { partOfBban } from "../banking/iban/registry.ts";
import { kindOfText } from "../banking/reader/kind-of-text.ts";
import { readIban } from "../banking/reader/one-iban.ts";
import { assumedSepaMethods, noSepaMethods } from "../banking/sepa.ts";
import { ibanData } from "../banks/directory/check-data.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { errorBody, RequestError } from "../contract/errors.ts";
import type { Language } from "../contract/language.ts";
import { message, textOf } from "../contract/message.ts";
import { type IbanOutcome, ibanOutcomes } from "../contract/status.ts";
import { type AnswerOptions, answer, entry, finding, type Result } from "./answer.ts";
import { reachOf } from "./bank-answer.ts";
import { noSources, replacementWarning, sourcesOf } from "./bank-findings.ts";
import { CorrectionBudget, warmUp } from "./correction-budget.ts";
import { checkIban, type IbanCheck, notAnIbanMessage } from "./iban-check.ts";

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
  const { check, result, corrections } = checkText(directory, text, bic, options);
  // A text that one slip has made malformed is answered like an entry of a batch: not an IBAN, and what was meant.
  if (check.outcome === "not_an_iban" && !corrections) throw notAnIban(check.iban);
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
  const { check, result } = checkText(directory, text, bic, options, budget);
  const answered = entry(check.iban, result, options);
  if (check.outcome !== "not_an_iban") return answered;
  const detail = options.explain ? { message: notAnIbanMessage(check.iban) } : {};
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

/** The error for a text that is not an IBAN by its form, which says what it is instead if that is known. */
export function notAnIban(text: string): RequestError {
  return new RequestError("invalid_iban", { message: notAnIbanMessage(text) });
}

/** Checks a text and returns its result, and how many corrections there are of one that is wrong. */
function checkText(
  directory: BankDirectory,
  text: string,
  bic: string | undefined,
  options: AnswerOptions,
  budget = options.suggest && new CorrectionBudget(options.suggest),
): { readonly check: IbanCheck; readonly result: Result; readonly corrections: number | null | undefined } {
  const { lenient, policy, explain, reach } = options;
  const read = () => (lenient ? readIban(text) : { iban: normaliseIban(text), decorations: [] });
  const { iban: written, decorations } = budget === undefined ? read() : budget.charge(read);
  // Half of a surrogate pair, which UTF-8 cannot have, becomes the replacement character.
  const check = checkIban(directory, written.toWellFormed(), bic, policy);
  const { iban, outcome, isWellFormed, isReadable, bank } = check;
  const isNone = outcome === "not_an_iban";
  const isRight = isRightIban(outcome);
  const suggestions = isRight ? undefined : budget?.suggest(iban);
  const kind = explain && !isReadable ? kindOfText(iban) : undefined;
  const former = outcome === "bic_former" ? check.checks.filter((one) => one.outcome === outcome) : [];
  const isWarned = isWellFormed && bank !== undefined && (bank.country === "DE" || isRight);
  const result: Result = {
    outcome: ibanOutcomes[outcome],
    messages: [
      message(kind === undefined ? ibanOutcomes[outcome].message : `iban_is_${kind}`),
      ...former.flatMap(({ messages = [] }) => messages),
      ...(isWarned ? replacementWarning(bank) : []),
    ],
    data: {
      ...dataOf(check, explain),
      ...(kind === undefined ? {} : { kind }),
      ...(reach && !isNone ? { sepa_reach: reachOf(reach.register, bank?.bic ?? null, reach.today) } : {}),
      ...suggestions,
    },
    checks: lenient && !isNone ? [spellingCheck(decorations), ...check.checks] : check.checks,
    sources: sourcesOfCheck(directory, check),
  };
  return { check, result, corrections: suggestions?.suggestion_count };
}

function spellingCheck(decorations: readonly Decoration[]) {
  const removed = decorations.map((decoration) => message(`spelling_${decoration}`));
  return finding("spelling", "passed", removed.length === 0 ? undefined : removed);
}

/** Whether an IBAN is right, if not with the BIC that was given. */
function isRightIban(outcome: IbanOutcome): boolean {
  return outcome === "valid" || outcome === "bic_mismatch" || outcome === "bic_former";
}

/** Who states the facts that are shown: none about a bank that is not looked up, nor schemes of a wrong number. */
function sourcesOfCheck({ edition }: BankDirectory, { outcome, country, isReadable, bank }: IbanCheck) {
  if (country === undefined || !isReadable) return noSources;
  const sources = sourcesOf(country.code, bank, edition);
  return isRightIban(outcome) ? sources : { ...sources, schemes: null };
}

/**
 * Returns the `data` fields of a checked IBAN.
 *
 * A well-formed IBAN shows its bank even where the account is wrong. One whose ISO check digits fail shows only its
 * country, since any of its digits may be the wrong one; with `explain` also the bank of the number as written, marked as
 * assumed. An IBAN that is not valid has no SEPA schemes.
 */
function dataOf(
  { iban, outcome, country, isWellFormed, isReadable, bank, bic }: IbanCheck,
  explain: boolean,
) {
  const isAssumed = !isWellFormed && isReadable && explain;
  if (country === undefined || !(isWellFormed || isAssumed)) {
    const shown = outcome === "not_an_iban" ? null : iban;
    const parts = { iban: shown, kto: "", blz: "", country: country?.code ?? "", bank: undefined };
    return ibanData(parts, noSepaMethods);
  }
  const kto = country.code === "DE" ? iban.slice(germanIban.kontonummer.start) : "";
  const isRight = isRightIban(outcome);
  // Where the bank is not known, only a BIC that matches says whether it is in a territory outside SEPA.
  const matching = outcome === "valid" && bic !== undefined ? bic : null;
  const sepa = isRight ? (bank?.sepa ?? assumedSepaMethods(country, matching)) : noSepaMethods;
  return {
    ...ibanData({ iban, kto, blz: partOfBban(iban, country.bank), country: country.code, bank }, sepa),
    ...(isAssumed ? { assumed: true } : {}),
  };
}
