import { germanIban } from "../banking/germany/account.ts";
import { isCheckDigitWaived } from "../banking/germany/iban-rules/generate.ts";
import { isFormalIban } from "../banking/iban/normalise.ts";
import { type IbanCountry, ibanCountryByCode, partOfBban } from "../banking/iban/registry.ts";
import { asciiBytes } from "../banking/mod97.ts";
import { kindOfText } from "../banking/reader/kind-of-text.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { type BankRecord, isFormerBank } from "../banks/directory/record.ts";
import { type AccountPolicy, defaultPolicy } from "../banks/lookup/account-policy.ts";
import { type Message, message } from "../contract/message.ts";
import type { IbanOutcome } from "../contract/status.ts";
import { finding, outcomeOf, positionOf } from "./answer.ts";
import {
  checkByBankMethod,
  checkDeletion,
  checkSepaSource,
  replacementWarning,
  type Subject,
} from "./bank-findings.ts";
import { bicCheck } from "./bic-check.ts";
import { furtherChecks, type IbanFinding, nationalChecks } from "./country-checks.ts";
import { checkForm } from "./form-check.ts";

/** An IBAN, or a text that is none, everything that was checked on it, and the result. */
export interface IbanCheck {
  /** As written by the caller. */
  readonly iban: string;
  readonly outcome: IbanOutcome;
  /** Undefined where it is not registered, and of a text that is not an IBAN by its form. */
  readonly country: IbanCountry | undefined;
  /** Whether country, length, structure and ISO check digits are right. */
  readonly isWellFormed: boolean;
  /** Whether country, length and structure are right, so that the parts of the BBAN can be reported. */
  readonly isReadable: boolean;
  /** Undefined where it is not known, or was not looked for; only assumed where the ISO check digits are wrong. */
  readonly bank: BankRecord | undefined;
  /** In the order in which they were made; the first that has an outcome decided. */
  readonly checks: readonly IbanFinding[];
}

/**
 * Checks an IBAN against registry, bank directory, national check digits, check-digit methods and, if one is given,
 * a BIC. Nothing else is checked on a text that is not formal (`isFormalIban`).
 *
 * `iban` is in normal form, `bic` in normal form and formal (`isBic`). Some microseconds, and a few dozen if an account
 * fails its method, since the right check digits are looked for.
 */
export function checkIban(
  directory: BankDirectory,
  iban: string,
  bic?: string,
  policy: AccountPolicy = defaultPolicy,
): IbanCheck {
  const isFormal = isFormalIban(iban);
  const form: readonly IbanFinding[] = isFormal
    ? checkForm(iban)
    : [finding("form", "failed", notAnIbanMessage(iban), { outcome: "not_an_iban" })];
  const country = isFormal ? ibanCountryByCode(iban.slice(0, 2)) : undefined;
  const isReadable = form.some(({ check, result }) => check === "structure" && result === "passed");
  const isWellFormed = outcomeOf(form) === "valid";
  const index = country && isReadable ? directory.findByIban(country, asciiBytes(iban)) : -1;
  const bank = index < 0 ? undefined : directory.record(index);
  const checks = [...form];
  if (country !== undefined && isWellFormed) {
    const further = furtherChecks[country.code]?.(iban, policy);
    const subject = { directory, country, iban, bank, bic };
    checks.push(
      bankCodeCheck(subject),
      ...(country.code === "DE" ? germanChecks(subject, policy) : nationalChecks(country, iban)),
      ...(further === undefined ? [] : [further]),
      bicCheck(subject),
      ...(country.sepa ? [checkSepaSource(country.code, bank, directory.edition)] : []),
    );
  } else if (country !== undefined && isReadable) checks.push(assumedBankCheck(country, iban, bank));
  return { iban, outcome: outcomeOf(checks), country, isWellFormed, isReadable, bank, checks };
}

/** Says that a text is not an IBAN by its form, and what it is instead if that is known. */
export function notAnIbanMessage(text: string): Message {
  const kind = kindOfText(text);
  return message(kind === undefined ? "invalid_iban" : `iban_is_${kind}`);
}

/** The bank of a number whose check digits are wrong: any digit may be, those of the bank code included. */
function assumedBankCheck(country: IbanCountry, iban: string, bank: BankRecord | undefined): IbanFinding {
  const code = partOfBban(iban, country.bank);
  const said =
    bank === undefined
      ? message("bank_code_assumed_unlisted", { code })
      : message("bank_code_assumed", { code, bank: bank.name });
  return finding("bank_code", "unknown", said, { position: positionOf(country.bank) });
}

const { blz, kontonummer } = germanIban;

function germanChecks({ directory, iban, bank }: Subject, policy: AccountPolicy): readonly IbanFinding[] {
  if (bank === undefined) return [];
  const deletion = checkDeletion(bank);
  const number = iban.slice(kontonummer.start);
  const { outcome, position, ...found } = checkByBankMethod(number, bank, policy, () =>
    isCheckDigitWaived(bank.bankCode, number, directory.ruleBank),
  );
  return [
    deletion.expected === undefined ? deletion : { ...deletion, position: blz },
    {
      ...found,
      ...(position && { position: { ...position, start: kontonummer.start + position.start } }),
      ...(outcome === "wrong_check_digit" ? { outcome: "wrong_account_check_digit" } : {}),
    },
  ];
}

function bankCodeCheck({ directory, country, iban, bank }: Subject): IbanFinding {
  const check = "bank_code";
  const edition = directory.editionOf(country.code);
  const isGerman = country.code === "DE";
  const code = partOfBban(iban, country.bank);
  const position = positionOf(country.bank);
  if (bank === undefined && isGerman) {
    const said = message("bank_code_unlisted", { code, edition });
    return finding(check, "failed", said, { position, outcome: "unknown_bank_code" });
  }
  if (bank === undefined) {
    const said = message("bank_code_unlisted_incomplete", { code, edition });
    return finding(check, "unknown", said, { position, warning: "bank_code_unknown" });
  }
  const listed = message(isFormerBank(bank) ? "bank_code_former" : "bank_code_listed", { code, edition });
  const { successor } = bank;
  // A German one has a check of its own.
  if (successor === null || isGerman) return finding(check, "passed", listed, { position });
  const expected = successor.length === code.length ? { expected: [successor] } : {};
  const said = [listed, ...replacementWarning(bank)];
  return finding(check, "passed", said, { position, ...expected, warning: "bank_code_former" });
}
