import { germanIban } from "../banking/germany/account.ts";
import { isFormalIban } from "../banking/iban/normalise.ts";
import type { IbanCountry } from "../banking/iban/registry.ts";
import { assumedSepaMethods, noSepaMethods, type SepaMethods } from "../banking/sepa.ts";
import { ibanData } from "../banks/directory/check-data.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { RequestError } from "../contract/errors.ts";
import { message } from "../contract/message.ts";
import { ibanOutcomes } from "../contract/status.ts";
import { type Decoration, readLeniently } from "../suggest/lenient.ts";
import { type AnswerOptions, answer, plain } from "./answer.ts";
import { deletionWarning } from "./bank-findings.ts";
import type { Finding } from "./finding.ts";
import { checkIban, type IbanCheck } from "./iban-check.ts";
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
  return singleAnswer(
    { ...check, checks },
    options,
    options.suggest !== undefined && !isRight ? suggestIbans(options.suggest, iban) : undefined,
  );
}

/** Returns the answer to a single check of an IBAN that is checked already. */
export function singleAnswer(
  check: IbanCheck,
  options: AnswerOptions = plain,
  suggestions?: Suggestions,
): object {
  const { iban, outcome, bank, checks } = check;
  const hasPrefix = outcome === "unknown_country" && iban.startsWith("IBAN");
  const messages = [
    message(hasPrefix ? "iban_prefix" : ibanOutcomes[outcome].message),
    ...(bank === undefined ? [] : deletionWarning(bank)),
  ];
  const data = { ...dataOf(check), ...suggestions };
  return answer({ ...ibanOutcomes[outcome], messages, data, checks }, options);
}

/** A text that one slip has made malformed is answered like an entry of a batch: not an IBAN, and what was meant. */
function malformedAnswer(iban: string, options: AnswerOptions): object {
  const suggestions = options.suggest === undefined ? undefined : suggestIbans(options.suggest, iban);
  if (suggestions === undefined || suggestions.suggestion_count === 0) throw new RequestError("invalid_iban");
  const messages = [message("not_an_iban")];
  const check = { check: "form", result: "failed", messages } as const;
  const data = { ...noIbanData, ...suggestions };
  return answer({ ...ibanOutcomes.not_an_iban, messages, data, checks: [check] }, options);
}

function spellingCheck(decorations: readonly Decoration[]): Finding<never> {
  const messages = decorations.map((decoration) => message(`spelling_${decoration}`));
  return { check: "spelling", result: "passed", ...(messages.length === 0 ? {} : { messages }) };
}

/** What is known of something that is not an IBAN: nothing. */
export const noIbanData = ibanData(
  { iban: null, kto: "", blz: "", country: "", bank: undefined },
  noSepaMethods,
);

/**
 * Returns what is known of a checked IBAN.
 *
 * A well-formed IBAN shows its bank even where the account is wrong; one whose ISO check digits fail shows only its
 * country, since any of its digits may be the wrong one. An IBAN that is not valid has no SEPA schemes.
 */
export function dataOf({ iban, outcome, country, isWellFormed, bank }: IbanCheck) {
  if (country === undefined || !isWellFormed) {
    return ibanData({ iban, kto: "", blz: "", country: country?.code ?? "", bank: undefined }, noSepaMethods);
  }
  const kto = country.code === "DE" ? iban.slice(germanIban.kontonummer.start) : "";
  const isRight = outcome === "valid" || outcome === "bic_mismatch";
  const sepa = isRight ? (bank?.sepa ?? assumedSepa(country)) : noSepaMethods;
  return ibanData({ iban, kto, blz: bankCodeOf(country, iban), country: country.code, bank }, sepa);
}

/** What is assumed of a bank that is not in the directory; in Germany there is no such bank. */
function assumedSepa(country: IbanCountry): SepaMethods {
  return country.code === "DE" ? noSepaMethods : assumedSepaMethods(country, null);
}

function bankCodeOf({ bank }: IbanCountry, iban: string): string {
  return bank === null ? "" : iban.slice(4 + bank.start, 4 + bank.start + bank.length);
}
