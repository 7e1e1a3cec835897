import { germanIban } from "../banking/germany/account.ts";
import { type Decoration, isFormalIban, readLeniently } from "../banking/iban/normalise.ts";
import type { IbanCountry } from "../banking/iban/registry.ts";
import { assumedSepaMethods, noSepaMethods, type SepaMethods } from "../banking/sepa.ts";
import { ibanData } from "../banks/directory/check-data.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { RequestError } from "../contract/errors.ts";
import { message } from "../contract/message.ts";
import { ibanOutcomes } from "../contract/status.ts";
import { type AnswerOptions, answer, type Finding, type Result } from "./answer.ts";
import { deletionWarning } from "./bank-findings.ts";
import { checkIban, type IbanCheck } from "./iban-check.ts";
import { reachOf } from "./lookup-answer.ts";
import { type Suggestions, suggestIbans } from "./suggestions.ts";

/**
 * Returns the answer to a single IBAN check; `text` is in normal form, or as people write it where that is to be accepted.
 *
 * Throws invalid_iban for a text that is not an IBAN by its form, unless it was asked for and is known what was meant.
 */
export function ibanAnswer(
  directory: BankDirectory,
  text: string,
  bic: string | undefined,
  options: AnswerOptions,
): object {
  const { iban, decorations } = options.lenient ? readLeniently(text) : { iban: text, decorations: [] };
  if (!isFormalIban(iban)) return malformedAnswer(iban, options);
  const check = checkIban(directory, iban, bic, options.modulus);
  const checks = options.lenient ? [spellingCheck(decorations), ...check.checks] : check.checks;
  const isRight = check.outcome === "valid" || check.outcome === "bic_mismatch";
  const suggestions =
    options.suggest !== undefined && !isRight ? suggestIbans(options.suggest, iban) : undefined;
  return answer(resultOf({ ...check, checks }, options, suggestions), options);
}

/** The reach of the bank's BIC; of a bank whose BIC is not known nothing is. */
function reachFields({ bank }: IbanCheck, { reach }: AnswerOptions): object {
  if (reach === undefined) return {};
  const { register, today } = reach;
  const bic = bank?.bic ?? null;
  return {
    sepa_reach:
      bic === null ? { sct_inst: null, vop: null } : reachOf(register.editions, register.find(bic), today),
  };
}

/** Returns the result of a checked IBAN. */
export function resultOf(
  check: IbanCheck,
  options: AnswerOptions,
  suggestions: Suggestions | undefined,
): Result {
  const { outcome: name, isWellFormed, bank, checks } = check;
  const outcome = ibanOutcomes[name];
  const warnings = isWellFormed && bank !== undefined ? deletionWarning(bank) : [];
  const messages = [message(outcome.message), ...warnings];
  return {
    outcome,
    messages,
    data: { ...dataOf(check, options.explain), ...reachFields(check, options), ...suggestions },
    checks,
  };
}

/** Returns the result of a text that is not an IBAN by its form: nothing is known of it. */
export function resultWithoutIban(suggestions: Suggestions | undefined): Result {
  const outcome = ibanOutcomes.not_an_iban;
  return {
    outcome,
    messages: [message(outcome.message)],
    data: {
      ...ibanData({ iban: null, kto: "", blz: "", country: "", bank: undefined }, noSepaMethods),
      ...suggestions,
    },
    checks: [{ check: "form", result: "failed", messages: [message("invalid_iban")] }],
  };
}

/** A text that one slip has made malformed is answered like an entry of a batch: not an IBAN, and what was meant. */
function malformedAnswer(iban: string, options: AnswerOptions): object {
  const suggestions = options.suggest === undefined ? undefined : suggestIbans(options.suggest, iban);
  if (suggestions === undefined || suggestions.suggestion_count === 0) throw new RequestError("invalid_iban");
  return answer(resultWithoutIban(suggestions), options);
}

function spellingCheck(decorations: readonly Decoration[]): Finding<never> {
  const messages = decorations.map((decoration) => message(`spelling_${decoration}`));
  return { check: "spelling", result: "passed", ...(messages.length === 0 ? {} : { messages }) };
}

/**
 * Returns what is known of a checked IBAN.
 *
 * A well-formed IBAN shows its bank even where the account is wrong. One whose ISO check digits fail shows only its
 * country, since any of its digits may be the wrong one; with `explain` also the bank of the number as written, marked as
 * assumed. An IBAN that is not valid has no SEPA schemes.
 */
function dataOf({ iban, outcome, country, isWellFormed, isReadable, bank }: IbanCheck, explain: boolean) {
  const isAssumed = !isWellFormed && isReadable && explain;
  if (country === undefined || !(isWellFormed || isAssumed)) {
    return ibanData({ iban, kto: "", blz: "", country: country?.code ?? "", bank: undefined }, noSepaMethods);
  }
  const kto = country.code === "DE" ? iban.slice(germanIban.kontonummer.start) : "";
  const isRight = outcome === "valid" || outcome === "bic_mismatch";
  const sepa = isRight ? (bank?.sepa ?? assumedSepa(country)) : noSepaMethods;
  return {
    ...ibanData({ iban, kto, blz: bankCodeOf(country, iban), country: country.code, bank }, sepa),
    ...(isAssumed ? { assumed: true } : {}),
  };
}

/** What is assumed of a bank that is not in the directory; in Germany there is no such bank. */
function assumedSepa(country: IbanCountry): SepaMethods {
  return country.code === "DE" ? noSepaMethods : assumedSepaMethods(country, null);
}

function bankCodeOf({ bank }: IbanCountry, iban: string): string {
  return bank === null ? "" : iban.slice(4 + bank.start, 4 + bank.start + bank.length);
}
