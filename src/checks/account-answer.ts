import { noSepaMethods } from "../banking/sepa.ts";
import { checkData } from "../banks/directory/check-data.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { message } from "../contract/message.ts";
import { type AccountOutcome, accountOutcomes } from "../contract/status.ts";
import { checkAccount, replacements } from "./account-check.ts";
import { type AnswerOptions, answer } from "./answer.ts";
import { replacementWarning, sourcesOf } from "./bank-findings.ts";
import { suggestAccounts } from "./suggest-answer.ts";

/** The input of an account check: digits only, the account number not zero. */
interface AccountQuestion {
  readonly kontonummer: string;
  readonly blz: string;
  /** Generate the IBAN and return the SEPA methods too. */
  readonly sepa: boolean;
}

export function accountAnswer(
  directory: BankDirectory,
  { kontonummer, blz, sepa }: AccountQuestion,
  options: AnswerOptions,
): object {
  const { policy, suggest } = options;
  const { outcome, bank, generated, checks } = checkAccount(directory, kontonummer, blz, sepa, policy);
  const country = bank?.country ?? (outcome === "unknown_bank_code" ? "DE" : "");
  const iban = generated?.iban ?? null;
  const shown = bank === undefined ? undefined : { ...bank, bic: generated?.bic ?? bank.bic };
  const data = {
    ...checkData({ iban, kto: kontonummer, blz, country, bank: shown }),
    ...(sepa ? { sepa_methods: generated?.bank.sepa ?? noSepaMethods } : {}),
    ...(suggest !== undefined && isWrong(outcome) ? suggestAccounts(suggest, kontonummer, blz) : {}),
  };
  const messages = [
    message(accountOutcomes[outcome].message),
    ...replacements(generated),
    ...(bank === undefined ? [] : replacementWarning(bank)),
  ];
  const sources = sourcesOf(country, bank, directory.edition);
  const stated = sepa && generated !== undefined ? sources : { ...sources, schemes: null };
  return answer({ outcome: accountOutcomes[outcome], messages, data, checks, sources: stated }, options);
}

/** Whether a check found a fault in what was typed; what cannot be checked is not a fault. */
function isWrong(outcome: AccountOutcome): boolean {
  const { status } = accountOutcomes[outcome];
  return status !== 1 && status !== 8 && status !== 9;
}
