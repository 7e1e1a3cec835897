import { bicMatches, isOfInstitution, matchBic } from "../banking/bic.ts";
import { germanIban } from "../banking/germany/account.ts";
import { bicOfRule, isCheckDigitWaived } from "../banking/germany/iban-rules/generate.ts";
import {
  experimentalPrefixes,
  type IbanCountry,
  ibanCountryByCode,
  parentPrefixOf,
  partOfBban,
} from "../banking/iban/registry.ts";
import { bbanStart, firstStructureFault } from "../banking/iban/structure.ts";
import { asciiBytes, ibanCheckDigits } from "../banking/mod97.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { findBankOfBban, germanRuleBank } from "../banks/directory/find-bank.ts";
import {
  type BankOrigin,
  type BankRecord,
  type DirectoryEdition,
  type FormerBic,
  isFormerBank,
} from "../banks/directory/record.ts";
import { type AccountPolicy, defaultPolicy } from "../banks/lookup/account-policy.ts";
import { type Message, message } from "../contract/message.ts";
import type { IbanOutcome } from "../contract/status.ts";
import { finding, outcomeOf, positionOf } from "./answer.ts";
import { checkByBankMethod, checkDeletion, checkSepaSource, replacementWarning } from "./bank-findings.ts";
import { furtherCheckOf, type IbanFinding, nationalChecks } from "./country-checks.ts";

/** The word that people often write before the number. */
const word = "IBAN";

const checkDigitPlace = { start: 2, length: 2 } as const;

/**
 * Checks an IBAN alone: country, length, structure, ISO check digits.
 *
 * `iban` is in normal form and formal (`isFormalIban`). Checks that an earlier failure makes meaningless are `unknown`;
 * of an IBAN without a registered country nothing but the country is checked.
 * Source: ISO 13616-1; SWIFT IBAN Registry, release 102; ISO 7064 MOD 97-10.
 */
export function checkForm(iban: string): readonly IbanFinding[] {
  const country = ibanCountryByCode(iban.slice(0, 2));
  if (country === undefined) return [unregisteredCountry(iban)];
  const { code, name } = country;
  return [
    finding("country", "passed", message("country_found", { name, country: code })),
    lengthCheck(country, iban),
    ...structureAndCheckDigits(country, iban),
  ];
}

function unregisteredCountry(iban: string): IbanFinding {
  const check = "country";
  const prefix = iban.slice(0, 2);
  const parent = parentPrefixOf(prefix);
  if (parent !== undefined) {
    const digits = ibanCheckDigits(parent, iban.slice(4));
    return finding(check, "failed", message("country_territory", { parent, digits }), {
      position: { start: 0, length: 4 },
      expected: [parent + digits],
      outcome: "territory_prefix",
    });
  }
  if (iban.startsWith(word)) {
    const position = { start: 0, length: word.length };
    return finding(check, "failed", message("iban_prefix"), { position, outcome: "iban_prefix" });
  }
  const position = { start: 0, length: 2 };
  return experimentalPrefixes.has(prefix)
    ? finding(check, "failed", message("iban_country_not_registered"), {
        position,
        outcome: "experimental_country",
      })
    : finding(check, "failed", message("iban_country_unknown"), { position, outcome: "unknown_country" });
}

function lengthCheck({ code, name, ibanLength: expected }: IbanCountry, { length }: string): IbanFinding {
  const check = "length";
  if (length === expected) return finding(check, "passed", message("length_right", { length, expected }));
  const said = message("length_wrong", { length, expected, name, country: code });
  return finding(check, "failed", said, { outcome: "wrong_length" });
}

function structureAndCheckDigits(country: IbanCountry, iban: string): readonly IbanFinding[] {
  const check = "structure";
  const notChecked = finding("iso_check_digits", "unknown");
  if (iban.length !== country.ibanLength) return [finding(check, "unknown"), notChecked];
  const fault = firstStructureFault(country, iban);
  if (fault < 0) return [finding(check, "passed"), checkDigitCheck(country, iban)];
  const isInCheckDigits = fault < checkDigitPlace.start + checkDigitPlace.length;
  const { code, name } = country;
  const said = message("structure_wrong", { position: fault + 1, name, country: code });
  const misfit: IbanFinding = finding(check, "failed", said, {
    position: { start: fault, length: 1 },
    outcome: isInCheckDigits ? "check_digits_not_numeric" : "wrong_structure",
  });
  return [misfit, isInCheckDigits ? wrongCheckDigits(country, iban) : notChecked];
}

function checkDigitCheck(country: IbanCountry, iban: string): IbanFinding {
  const given = iban.slice(2, 4);
  if (given === ibanCheckDigits(country.code, iban.slice(4))) {
    return finding("iso_check_digits", "passed", undefined, { position: checkDigitPlace });
  }
  const isOutOfRange = Number(given) < 2 || Number(given) > 98;
  const outcome = isOutOfRange ? "check_digits_out_of_range" : "wrong_check_digits";
  return { ...wrongCheckDigits(country, iban), outcome };
}

function wrongCheckDigits({ code }: IbanCountry, iban: string): IbanFinding {
  const expected = [ibanCheckDigits(code, iban.slice(4))];
  return finding("iso_check_digits", "failed", undefined, { position: checkDigitPlace, expected });
}

/** An IBAN, everything that was checked on it, and the result. */
export interface IbanCheck {
  /** As written by the caller. */
  readonly iban: string;
  readonly outcome: IbanOutcome;
  /** Undefined where it is not registered. */
  readonly country: IbanCountry | undefined;
  /** Whether country, length, structure and ISO check digits are right. */
  readonly isWellFormed: boolean;
  /** Whether country, length and structure are right, so that the parts of the BBAN can be reported. */
  readonly isReadable: boolean;
  /** Undefined where it is not known, or was not looked for; only assumed where the ISO check digits are wrong. */
  readonly bank: BankRecord | undefined;
  /** Where the bank was looked up, and who states its facts; undefined where it was not looked for. */
  readonly lookup?: { readonly edition: DirectoryEdition; readonly origin: BankOrigin | undefined };
  /** The BIC given with a well-formed IBAN. */
  readonly bic?: string | undefined;
  /** In the order in which they were made; the first that has an outcome decided. */
  readonly checks: readonly IbanFinding[];
}

/**
 * Checks an IBAN against registry, bank directory, national check digits, check-digit methods and, if one is given,
 * a BIC.
 *
 * `iban` is in normal form and formal (`isFormalIban`), `bic` in normal form and formal (`isBic`). Some microseconds,
 * and a few dozen if an account fails its method, since the right check digits are looked for.
 */
export function checkIban(
  directory: BankDirectory,
  iban: string,
  bic?: string,
  policy: AccountPolicy = defaultPolicy,
): IbanCheck {
  const form = checkForm(iban);
  const country = ibanCountryByCode(iban.slice(0, 2));
  const outcome = outcomeOf(form);
  const isReadable = form.some(({ check, result }) => check === "structure" && result === "passed");
  if (country === undefined || !isReadable) {
    return { iban, outcome, country, isWellFormed: false, isReadable: false, bank: undefined, checks: form };
  }
  const index = findBankOfBban(directory, country, asciiBytes(iban), bbanStart);
  const bank = index < 0 ? undefined : directory.record(index);
  const lookup = { edition: directory.edition, origin: index < 0 ? undefined : directory.origin(index) };
  if (outcome !== "valid") {
    const checks = [...form, assumedBankCheck(country, iban, bank)];
    return { iban, outcome, country, isWellFormed: false, isReadable, bank, lookup, checks };
  }
  const further = furtherCheckOf(country);
  const checks = [
    ...form,
    ...(country.code === "DE"
      ? germanBankChecks(directory, iban, bank, policy)
      : [
          bankCodeCheck(country, iban, bank, directory.editionOf(country.code)),
          ...nationalChecks(country, iban),
        ]),
    ...(further === undefined ? [] : [further(iban, policy)]),
    bicCheck(country, bic === undefined || bank === undefined ? noBics : bicsOf(directory, index, bank), bic),
    ...(country.sepa ? [checkSepaSource(country.code, bank, directory.edition)] : []),
  ];
  const found = { iban, country, isReadable, bank, lookup, bic, checks };
  return { ...found, outcome: outcomeOf(checks), isWellFormed: true };
}

const noBankCode = finding("bank_code", "not_applicable", message("bank_code_undefined"));

/** The bank of a number whose check digits are wrong: any digit may be, those of the bank code included. */
function assumedBankCheck(country: IbanCountry, iban: string, bank: BankRecord | undefined): IbanFinding {
  if (country.bank === null) return noBankCode;
  const code = partOfBban(iban, country.bank);
  const said =
    bank === undefined
      ? message("bank_code_assumed_unlisted", { code })
      : message("bank_code_assumed", { code, bank: bank.name });
  return finding("bank_code", "unknown", said, { position: positionOf(country.bank) });
}

const { blz, kontonummer } = germanIban;

function germanBankChecks(
  directory: BankDirectory,
  iban: string,
  bank: BankRecord | undefined,
  policy: AccountPolicy,
): readonly IbanFinding[] {
  const check = "bank_code";
  const listing = { code: iban.slice(blz.start, blz.start + blz.length), edition: directory.edition.german };
  if (bank === undefined) {
    const wrong = { position: blz, outcome: "unknown_bank_code" } as const;
    return [finding(check, "failed", message("bank_code_unlisted", listing), wrong)];
  }
  const deletion = checkDeletion(bank);
  return [
    finding(check, "passed", message("bank_code_listed", listing), { position: blz }),
    deletion.expected === undefined ? deletion : { ...deletion, position: blz },
    accountCheck(directory, iban, bank, policy),
  ];
}

function accountCheck(
  directory: BankDirectory,
  iban: string,
  bank: BankRecord,
  policy: AccountPolicy,
): IbanFinding {
  const number = iban.slice(kontonummer.start);
  const { outcome, warning, position, ...found } = checkByBankMethod(number, bank, policy);
  const isWrong = found.result === "failed";
  if (isWrong && isCheckDigitWaived(bank.bankCode, number, (code) => germanRuleBank(directory, code))) {
    return finding(found.check, "not_applicable", message("method_waived"));
  }
  const place = position && { start: kontonummer.start + position.start, length: position.length };
  return {
    ...found,
    ...(place === undefined ? {} : { position: place }),
    ...(outcome === "wrong_check_digit" ? { outcome: "wrong_account_check_digit" } : {}),
    ...(warning === undefined ? {} : { warning }),
  };
}

function bankCodeCheck(
  country: IbanCountry,
  iban: string,
  bank: BankRecord | undefined,
  edition: string,
): IbanFinding {
  const check = "bank_code";
  if (country.bank === null) return noBankCode;
  const code = partOfBban(iban, country.bank);
  const position = positionOf(country.bank);
  if (bank !== undefined) {
    const listed = message(isFormerBank(bank) ? "bank_code_former" : "bank_code_listed", { code, edition });
    const { successor } = bank;
    if (successor === null) return finding(check, "passed", listed, { position });
    const expected = successor.length === code.length ? { expected: [successor] } : {};
    const said = [listed, ...replacementWarning(bank)];
    return finding(check, "passed", said, { position, ...expected, warning: "bank_code_former" });
  }
  const said = message("bank_code_unlisted_incomplete", { code, edition });
  return finding(check, "unknown", said, { position, warning: "bank_code_unknown" });
}

/** The BICs of a bank code, in use and former. */
interface BankBics {
  readonly main: string | null;
  /** The main one first. */
  readonly known: readonly string[];
  readonly former: readonly FormerBic[];
}

const noBics: BankBics = { main: null, known: [], former: [] };

/** The BICs in the bank lists, and the one that a German IBAN rule states. */
function bicsOf(directory: BankDirectory, index: number, bank: BankRecord): BankBics {
  const ofRule = bank.country === "DE" ? bicOfRule(bank.bankCode, bank) : undefined;
  const known = [...directory.bics(index), ...(ofRule === undefined ? [] : [ofRule])];
  return { main: bank.bic, known, former: directory.formerBics(bank) };
}

function bicCheck(country: IbanCountry, bics: BankBics, bic: string | undefined): IbanFinding {
  const check = "bic";
  if (bic === undefined) return finding(check, "not_applicable", message("bic_not_given"));
  const match = matchBic(bic, country.code, bics.known);
  const isOfBank = bicMatches(match) && match !== "country_only";
  const former = isOfBank ? undefined : bics.former.find((candidate) => isOfInstitution(bic, candidate.bic));
  if (former !== undefined)
    return finding(check, "failed", formerMessage(bics.main, former), { outcome: "bic_former" });
  const said = message(`bic_${match}`);
  return bicMatches(match)
    ? finding(check, "passed", said)
    : finding(check, "failed", said, { outcome: "bic_mismatch" });
}

/** Returns the sentence about a former BIC of the bank whose present one is `main`. */
export function formerMessage(main: string | null, { until }: FormerBic): Message {
  if (main === null) return message("bic_former_only");
  return until === null
    ? message("bic_former", { bic: main })
    : message("bic_former_until", { bic: main, until });
}
