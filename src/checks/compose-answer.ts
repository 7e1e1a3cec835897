import { composeBban, composeIban } from "../banking/iban/compose.ts";
import { type IbanCountry, partOfBban } from "../banking/iban/registry.ts";
import { accountDigits } from "../banking/national/account-parts.ts";
import { standardUkAccount } from "../banking/national/uk-account.ts";
import { ukIban } from "../banking/national/uk-modulus.ts";
import { RequestError } from "../contract/errors.ts";
import type { Language } from "../contract/language.ts";
import { type Message, message, textOf } from "../contract/message.ts";
import type { Requests } from "../contract/request-types.ts";
import { accountOutcomes } from "../contract/status.ts";
import type { BankFilters } from "../suggest/filters.ts";
import { checkAccount, replacements } from "./account-check.ts";
import { entriesOf, type Finding } from "./answer.ts";
import { countryOf } from "./country-checks.ts";
import { checkIban } from "./iban-check.ts";

export type ComposeQuestion = Requests["composeBody"];

type Base = Pick<BankFilters, "directory" | "policy">;

const separators = /[\s./-]/g;

/**
 * Composes the IBAN of an account, in Germany by its bank's IBAN rule, elsewhere with the national check digits of the
 * country, and says which checks could not be made.
 *
 * @throws {RequestError} invalid_request with the field, for a country that is not registered and a part that does not
 *   fit its structure.
 */
export function composeAnswer(base: Base, question: ComposeQuestion, language: Language): object {
  const country = countryOf(question.country);
  const codeOf = (text?: string | null) => (text ?? "").replace(separators, "").toUpperCase();
  const [bankCode, branchCode] = [codeOf(question.bank_code), codeOf(question.branch_code)];
  const parts = { bankCode, branchCode, account: accountDigits(country.code, bankCode, question.account) };
  const composed = country.code === "DE" ? composeGerman(base, parts) : composeOther(base, country, parts);
  const { iban, said, bank, bic } = composed;
  const checks = composed.checks.filter(({ check }) => check !== "bic" && check !== "sepa_methods");
  const unknown = checks.filter(({ result }) => result === "unknown" || result === "not_applicable");
  return {
    status: iban === null ? 0 : 1,
    message: textOf(said, language),
    data: {
      iban,
      country: country.code,
      bank_code: composed.bankCode,
      branch_code: composed.branchCode,
      account: composed.account,
      bank: bank?.name ?? "",
      bic: bic ?? null,
      not_checked: [...new Set(unknown.map(({ check }) => check))],
      checks: entriesOf(checks, language),
    },
  };
}

type Parts = Parameters<typeof composeBban>[1];

/** Germany has IBAN rules: they may change bank code and account number, or refuse. */
function composeGerman({ directory, policy }: Base, parts: Parts) {
  const { bankCode, branchCode, account } = parts;
  if (branchCode !== "") throw noBranch("DE");
  if (!/^\d+$/.test(bankCode)) throw refused("bank_code", message("invalid_blz"));
  if (!/^0*[1-9]\d*$/.test(account)) throw refused("account", message("invalid_kontonummer"));
  const question = { kontonummer: account, blz: bankCode, sepa: true };
  const { outcome, bank, generated, checks } = checkAccount(directory, question, policy);
  const { status, message: id } = accountOutcomes[outcome];
  const isRight = generated !== undefined && status === 1;
  return {
    iban: generated?.iban ?? null,
    said: isRight ? [message(composedMessage(checks)), ...replacements(generated)] : message(id),
    bankCode: generated?.blz ?? bankCode,
    branchCode,
    account: generated?.kontonummer ?? account,
    bank: generated?.bank ?? bank,
    bic: generated?.bic ?? bank?.bic,
    checks,
  };
}

function composeOther({ directory, policy }: Base, country: IbanCountry, given: Parts) {
  const isUk = country.code === ukIban.country;
  const standard = isUk ? standardUkAccount(given.branchCode, given.account) : undefined;
  const account = standard?.account ?? given.account;
  const parts = { ...given, branchCode: standard?.sortCode ?? given.branchCode, account };
  const bban = composeBban(country, parts);
  if (typeof bban !== "string") {
    if (bban.length !== undefined) throw misfit(country.code, bban.part, parts[bban.part], bban.length);
    const said = message("compose_check_digits");
    return { ...parts, iban: null, said, bank: undefined, bic: null, checks: [] };
  }
  const iban = composeIban(country.code, bban);
  const { bank, checks, outcome } = checkIban(directory, iban, undefined, policy);
  const isValid = outcome === "valid";
  return {
    iban: isValid ? iban : null,
    said: message(isValid ? composedMessage(checks) : "compose_check_digits"),
    bankCode: partOfBban(iban, country.bank),
    branchCode: partOfBban(iban, country.branch),
    account,
    bank,
    bic: bank?.bic,
    checks,
  };
}

/** A number that fails a check is composed where the check only warns; an IBAN rule may accept one without any warning. */
function composedMessage(checks: readonly Finding<string>[]) {
  return checks.some(
    ({ result, check, warning }) =>
      warning === "account_check_digit" ||
      (result === "failed" && warning !== undefined && check !== "bank_code_deletion"),
  )
    ? "iban_composed_unproven"
    : "iban_composed";
}

const fieldOf = { bankCode: "bank_code", branchCode: "branch_code", account: "account" } as const;

/** The error for a part that does not fit the country's IBANs, in which it may have some characters. */
function misfit(country: string, part: keyof Parts, text: string, length: number): RequestError {
  if (length === 0) return noBranch(country);
  const field = fieldOf[part];
  if (text === "") return refused(field, message("compose_part_missing", { field, country }));
  return refused(field, message("compose_part", { field, length }));
}

function noBranch(country: string): RequestError {
  return refused("branch_code", message("compose_no_branch", { country }));
}

function refused(field: string, said: Message): RequestError {
  return new RequestError("invalid_request", { message: said, field });
}
