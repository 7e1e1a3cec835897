import { germanIban } from "../banking/germany/account.ts";
import type { IbanCountry } from "../banking/iban/registry.ts";
import { assumedSepaMethods, noSepaMethods, type SepaMethods } from "../banking/sepa.ts";
import { ibanData } from "../banks/directory/check-data.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { message } from "../contract/message.ts";
import { ibanOutcomes } from "../contract/status.ts";
import { type AnswerOptions, answer, plain } from "./answer.ts";
import { deletionWarning } from "./bank-findings.ts";
import { checkIban, type IbanCheck } from "./iban-check.ts";

/** Returns the answer to a single IBAN check. `iban` and `bic` are what `checkIban` takes. */
export function ibanAnswer(
  directory: BankDirectory,
  iban: string,
  bic: string | undefined,
  options: AnswerOptions,
): object {
  return singleAnswer(checkIban(directory, iban, bic), options);
}

/** Returns the answer to a single check of an IBAN that is checked already. */
export function singleAnswer(check: IbanCheck, options: AnswerOptions = plain): object {
  const { outcome, bank, checks } = check;
  const messages = [
    message(ibanOutcomes[outcome].message),
    ...(bank === undefined ? [] : deletionWarning(bank)),
  ];
  return answer({ ...ibanOutcomes[outcome], messages, data: dataOf(check), checks }, options);
}

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
