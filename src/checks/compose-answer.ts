import { composeBban, composeIban } from "../banking/iban/compose.ts";
import { type IbanCountry, partOfBban } from "../banking/iban/registry.ts";
import { accountDigits } from "../banking/national/account-parts.ts";
import { standardUkAccount } from "../banking/national/uk-account.ts";
import { ukIban } from "../banking/national/uk-modulus.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import type { AccountPolicy } from "../banks/lookup/account-policy.ts";
import { RequestError } from "../contract/errors.ts";
import type { Language } from "../contract/language.ts";
import { type Message, message, textOf } from "../contract/message.ts";
import type { Requests } from "../contract/request-types.ts";
import { accountOutcomes } from "../contract/status.ts";
import { checkAccount, replacements } from "./account-check.ts";
import { entriesOf, type Finding } from "./answer.ts";
import { countryOf } from "./country-checks.ts";
import { checkIban } from "./iban-check.ts";

export type ComposeQuestion = Requests["composeBody"];

const separators = /[\s./-]/g;

/**
 * Composes the IBAN of an account, in Germany by its bank's IBAN rule, elsewhere with the national check digits of the
 * country, and says which checks could not be made.
 *
 * @throws {RequestError} invalid_request with the field, for a country that is not registered and a part that does not
 *   fit its structure.
 */
export function composeAnswer(
  directory: BankDirectory,
  question: ComposeQuestion,
  policy: AccountPolicy,
  language: Language,
): object {
  const country = countryOf(question.country);
  const [bankCode, branchCode] = [question.bank_code, question.branch_code ?? ""].map((text) =>
    text.replace(separators, "").toUpperCase(),
  ) as [string, string];
  const account = accountDigits(country.code, bankCode, question.account);
  if (country.code !== "DE") {
    const standard = country.code === ukIban.country ? standardUkAccount(branchCode, account) : undefined;
    const parts = {
      bankCode,
      branchCode: standard?.sortCode ?? branchCode,
      account: standard?.account ?? account,
    };
    return composeOther(directory, country, parts, policy, language);
  }
  if (branchCode !== "") throw noBranch(country.code);
  return composeGerman(directory, bankCode, account, policy, language);
}

/** Germany has IBAN rules: they may change bank code and account number, or refuse. */
function composeGerman(
  directory: BankDirectory,
  blz: string,
  kontonummer: string,
  policy: AccountPolicy,
  language: Language,
): object {
  if (!/^\d+$/.test(blz)) throw refused("bank_code", message("invalid_blz"));
  if (!/^0*[1-9]\d*$/.test(kontonummer)) throw refused("account", message("invalid_kontonummer"));
  const { outcome, bank, generated, checks } = checkAccount(directory, kontonummer, blz, true, policy);
  const { status, message: id } = accountOutcomes[outcome];
  const iban = generated?.iban ?? null;
  return {
    status: iban === null ? 0 : 1,
    message: textOf(
      iban === null || status !== 1
        ? [message(id)]
        : [message(composedMessage(true, checks)), ...replacements(generated)],
      language,
    ),
    data: {
      iban,
      country: "DE",
      bank_code: generated?.blz ?? blz,
      branch_code: "",
      account: generated?.kontonummer ?? kontonummer,
      bank: generated?.bank.name ?? bank?.name ?? "",
      bic: generated?.bic ?? bank?.bic ?? null,
      ...checksOf(checks, language),
    },
  };
}

function composeOther(
  directory: BankDirectory,
  country: IbanCountry,
  parts: Parameters<typeof composeBban>[1],
  policy: AccountPolicy,
  language: Language,
): object {
  const bban = composeBban(country, parts);
  if (typeof bban !== "string" && bban.length !== undefined) {
    const { part, length } = bban;
    const field = fieldOf[part];
    if (length === 0) throw noBranch(country.code);
    const isMissing = parts[part] === "";
    throw refused(
      field,
      isMissing
        ? message("compose_part_missing", { field, country: country.code })
        : message("compose_part", { field, length }),
    );
  }
  const iban = typeof bban === "string" ? composeIban(country.code, bban) : null;
  const checked = iban === null ? undefined : checkIban(directory, iban, undefined, policy);
  const { bank, checks = [], outcome } = checked ?? {};
  const isValid = outcome === "valid";
  return {
    status: isValid ? 1 : 0,
    message: textOf(message(composedMessage(isValid, checks)), language),
    data: {
      iban: isValid ? iban : null,
      country: country.code,
      bank_code: iban === null ? parts.bankCode : partOfBban(iban, country.bank),
      branch_code: iban === null ? parts.branchCode : partOfBban(iban, country.branch),
      account: parts.account,
      bank: bank?.name ?? "",
      bic: bank?.bic ?? null,
      ...checksOf(checks, language),
    },
  };
}

/** A number that fails a check is composed where the check only warns; an IBAN rule may accept one without any warning. */
function composedMessage(isValid: boolean, checks: readonly Finding<string>[]) {
  if (!isValid) return "compose_check_digits";
  return checks.some(
    ({ result, check, warning }) =>
      warning === "account_check_digit" ||
      (result === "failed" && warning !== undefined && check !== "bank_code_deletion"),
  )
    ? "iban_composed_unproven"
    : "iban_composed";
}

const fieldOf = { bankCode: "bank_code", branchCode: "branch_code", account: "account" } as const;

/** The checks made on the result, and the names of those that could not be made. */
function checksOf(checks: readonly Finding<string>[], language: Language): object {
  const relevant = checks.filter(({ check }) => check !== "bic" && check !== "sepa_methods");
  const unknown = relevant.filter(({ result }) => result === "unknown" || result === "not_applicable");
  return {
    not_checked: [...new Set(unknown.map(({ check }) => check))],
    checks: entriesOf(relevant, language),
  };
}

function noBranch(country: string): RequestError {
  return refused("branch_code", message("compose_no_branch", { country }));
}

function refused(field: string, said: Message): RequestError {
  return new RequestError("invalid_request", { message: said, field });
}
