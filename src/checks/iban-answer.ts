import { germanIban } from "../banking/germany/account.ts";
import type { LenientReading } from "../banking/iban/normalise.ts";
import { partOfBban } from "../banking/iban/registry.ts";
import { kindOfText } from "../banking/reader/kind-of-text.ts";
import { readIban } from "../banking/reader/one-iban.ts";
import { assumedSepaMethods, noSepaMethods } from "../banking/sepa.ts";
import { ibanData } from "../banks/directory/check-data.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { RequestError } from "../contract/errors.ts";
import { message } from "../contract/message.ts";
import { type IbanOutcome, ibanOutcomes } from "../contract/status.ts";
import { type AnswerOptions, answer, finding, type Result } from "./answer.ts";
import { replacementWarning } from "./bank-findings.ts";
import { noSources, sourcesOf } from "./bank-sources.ts";
import { checkIban, type IbanCheck, notAnIbanMessage } from "./iban-check.ts";
import { reachOf } from "./reach.ts";
import { type Suggestions, suggestIbans } from "./suggest-answer.ts";

/**
 * Returns the answer to a single IBAN check; `text` is in normal form, or as people write it if the request accepts that.
 *
 * Throws invalid_iban for a text that is not an IBAN by its form, unless a lenient reading was requested and finds what was meant.
 */
export function ibanAnswer(
  directory: BankDirectory,
  text: string,
  bic: string | undefined,
  options: AnswerOptions,
): object {
  const read = options.lenient ? readIban(text) : { iban: text, decorations: [] };
  const check = checkRead(directory, read, bic, options);
  const suggestions =
    options.suggest !== undefined && !isRightIban(check.outcome)
      ? suggestIbans(options.suggest, read.iban)
      : undefined;
  // A text that one slip has made malformed is answered like an entry of a batch: not an IBAN, and what was meant.
  if (check.outcome === "not_an_iban" && !suggestions?.suggestion_count) throw notAnIban(read.iban);
  return answer(resultOf(directory, check, options, suggestions), options);
}

/** Checks what was read of a text; of a lenient reading the checks say what was removed. */
export function checkRead(
  directory: BankDirectory,
  { iban, decorations }: LenientReading,
  bic: string | undefined,
  { lenient, policy }: AnswerOptions,
): IbanCheck {
  const check = checkIban(directory, iban, bic, policy);
  if (!lenient || check.outcome === "not_an_iban") return check;
  const removed = decorations.map((decoration) => message(`spelling_${decoration}`));
  const spelling = finding("spelling", "passed", removed.length === 0 ? undefined : removed);
  return { ...check, checks: [spelling, ...check.checks] };
}

/** The reach of the bank, on request. */
function reachFields({ outcome, bank }: IbanCheck, { reach }: AnswerOptions): object {
  if (reach === undefined || outcome === "not_an_iban") return {};
  return { sepa_reach: reachOf(reach.register, bank?.bic ?? null, reach.today) };
}

/** Whether an IBAN is right, if not with the BIC that was given. */
export function isRightIban(outcome: IbanOutcome): boolean {
  return outcome === "valid" || outcome === "bic_mismatch" || outcome === "bic_former";
}

/** Returns the result of a checked IBAN; with `explain` that of a text which is none has its kind. */
export function resultOf(
  directory: BankDirectory,
  check: IbanCheck,
  options: AnswerOptions,
  suggestions: Suggestions | undefined,
): Result {
  const { outcome: name, isWellFormed, bank, checks } = check;
  const outcome = ibanOutcomes[name];
  const isShown = isWellFormed && bank !== undefined;
  const isOfGermany = bank?.country === "DE";
  const warnings = isShown && (isOfGermany || isRightIban(name)) ? replacementWarning(bank) : [];
  const details =
    name === "bic_former"
      ? checks.flatMap(({ outcome: of, messages }) => (of === name ? messages! : []))
      : [];
  const kind = options.explain && !check.isReadable ? kindOfText(check.iban) : undefined;
  const said = message(kind === undefined ? outcome.message : `iban_is_${kind}`);
  return {
    outcome,
    messages: [said, ...details, ...warnings],
    data: {
      ...dataOf(check, options.explain),
      ...(kind === undefined ? {} : { kind }),
      ...reachFields(check, options),
      ...suggestions,
    },
    checks,
    sources: sourcesOfCheck(directory, check),
  };
}

/** Who states the facts that are shown: none about a bank that is not looked up, nor schemes of a wrong number. */
function sourcesOfCheck({ edition }: BankDirectory, { outcome, country, isReadable, bank }: IbanCheck) {
  if (country === undefined || !isReadable) return noSources;
  const sources = sourcesOf(country.code, bank, edition);
  return isRightIban(outcome) ? sources : { ...sources, schemes: null };
}

/** The error for a text that is not an IBAN by its form, which says what it is instead if that is known. */
export function notAnIban(text: string): RequestError {
  return new RequestError("invalid_iban", { message: notAnIbanMessage(text) });
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
