import { noSepaMethods } from "../banking/sepa.ts";
import { checkData } from "../banks/directory/check-data.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { message } from "../contract/message.ts";
import { accountOutcomes } from "../contract/status.ts";
import { type AccountQuestion, checkAccount, replacements } from "./account-check.ts";
import { type AnswerOptions, answer } from "./answer.ts";
import { replacementWarning } from "./bank-findings.ts";
import { sourcesOf } from "./bank-sources.ts";
import { suggestAccounts } from "./suggest-answer.ts";

export function accountAnswer(
  directory: BankDirectory,
  question: AccountQuestion,
  options: AnswerOptions,
): object {
  const { kontonummer, blz, sepa } = question;
  const { policy, suggest } = options;
  const { outcome, bank, generated, checks } = checkAccount(directory, question, policy);
  // What cannot be checked is not a fault in what was typed.
  const isWrong = ![1, 8, 9].includes(accountOutcomes[outcome].status);
  const country = bank?.country ?? (outcome === "unknown_bank_code" ? "DE" : "");
  const iban = generated?.iban ?? null;
  const shown = bank === undefined ? undefined : { ...bank, bic: generated?.bic ?? bank.bic };
  const data = {
    ...checkData({ iban, kto: kontonummer, blz, country, bank: shown }),
    ...(sepa ? { sepa_methods: generated?.bank.sepa ?? noSepaMethods } : {}),
    ...(suggest !== undefined && isWrong ? suggestAccounts(suggest, kontonummer, blz) : {}),
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
