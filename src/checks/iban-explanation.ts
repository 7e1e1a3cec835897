import { type BicMatch, bicMatches, matchBic } from "../banking/bic.ts";
import { firstStructureFault, IbanFinding } from "../banking/iban/check.ts";
import { type IbanCountry, parentPrefixOf } from "../banking/iban/registry.ts";
import { ibanCheckDigits } from "../banking/mod97.ts";
import type { NationalCheck } from "../banking/national/national-check.ts";
import type { BankRecord } from "../banks/directory/record.ts";
import type { CheckEntry } from "../contract/check-entry.ts";
import { textOf } from "../contract/message.ts";
import { IbanOutcome, ibanOutcomes } from "../contract/status.ts";
import { explainCheckDigitMethod, explainDeletion, explainSepaSource } from "./explanation.ts";
import { germanIban, type IbanChecker } from "./iban-checker.ts";

const bicDetails: Readonly<Record<BicMatch, string>> = {
  exact: "The BIC is the bank's own.",
  head_office: "The BIC is the bank's own once padded with XXX.",
  same_institution: "The BIC belongs to the same institution: its first eight characters are equal.",
  known_for_bank_code: "The BIC is a further one known for the bank code.",
  country_only: "No BIC is known for the bank; the countries agree.",
  other_bank: "The BIC belongs to another bank.",
  other_country: "The BIC belongs to another country.",
};

/** Lists every check made on the IBAN that `checker` checked last, `outcome` being what that came to. */
export function explainIban(
  checker: IbanChecker,
  bytes: Uint8Array,
  length: number,
  outcome: number,
  bic: string | undefined,
): readonly CheckEntry[] {
  const { country, wellFormed } = checker;
  const iban = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString("latin1");
  if (country === undefined) return [explainUnknownCountry(iban, outcome)];
  const entries: CheckEntry[] = [
    { check: "country", result: "passed", detail: `${country.name} (${country.code}).` },
    explainLength(country, length),
    explainStructure(country, bytes, length),
    explainIsoCheckDigits(country, bytes, length, outcome),
  ];
  if (!wellFormed) return entries;
  const bank = checker.bank < 0 ? undefined : checker.directory.record(checker.bank);
  const bankCode = explainBankCode(country, checker, bank, iban);
  entries.push(bankCode);
  if (bank !== undefined && country.code === "DE") entries.push(explainDeletionAt(bankCode.position, bank));
  entries.push(...explainInsideBban(country, bytes, bank, iban, outcome));
  entries.push(explainBic(country, checker, bic));
  if (country.sepa) entries.push(explainSepaSource(bank, checker.directory.edition));
  return entries;
}

function explainUnknownCountry(iban: string, outcome: number): CheckEntry {
  const parent = parentPrefixOf(iban.slice(0, 2));
  const base: CheckEntry = { check: "country", result: "failed", position: { start: 0, length: 2 } };
  if (parent === undefined) return { ...base, detail: textOf({ id: ibanOutcomes[outcome]!.message }, "en") };
  const moved = Buffer.from(parent + iban.slice(2), "latin1");
  const digits = String(ibanCheckDigits(moved, 0, moved.length)).padStart(2, "0");
  return {
    ...base,
    position: { start: 0, length: 4 },
    expected: [parent + digits],
    detail: `This territory uses the country code ${parent}; its check digits would be ${digits}.`,
  };
}

function explainLength(country: IbanCountry, length: number): CheckEntry {
  const passed = length === country.ibanLength;
  return {
    check: "length",
    result: passed ? "passed" : "failed",
    detail: `${length} of ${country.ibanLength} characters.`,
  };
}

function explainStructure(country: IbanCountry, bytes: Uint8Array, length: number): CheckEntry {
  if (length !== country.ibanLength) return { check: "structure", result: "unknown" };
  const fault = firstStructureFault(bytes, 0, length);
  if (fault < 0) return { check: "structure", result: "passed" };
  return {
    check: "structure",
    result: "failed",
    detail: `Character ${fault + 1} does not fit the structure of ${country.name}.`,
    position: { start: fault, length: 1 },
  };
}

function explainIsoCheckDigits(
  country: IbanCountry,
  bytes: Uint8Array,
  length: number,
  outcome: number,
): CheckEntry {
  const check = "iso_check_digits";
  const position = { start: 2, length: 2 };
  if (outcome === IbanFinding.wrong_structure || length !== country.ibanLength)
    return { check, result: "unknown" };
  const failed =
    outcome === IbanFinding.check_digits_not_numeric ||
    outcome === IbanFinding.check_digits_out_of_range ||
    outcome === IbanFinding.wrong_check_digits;
  if (!failed) return { check, result: "passed", position };
  const right = ibanCheckDigits(bytes, 0, length);
  return { check, result: "failed", position, expected: [String(right).padStart(2, "0")] };
}

function explainBankCode(
  country: IbanCountry,
  checker: IbanChecker,
  bank: BankRecord | undefined,
  iban: string,
): CheckEntry {
  const check = "bank_code";
  if (country.bank === null) {
    return { check, result: "not_applicable", detail: "The registry defines no bank identifier here." };
  }
  const start = 4 + country.bank.start;
  const position = { start, length: country.bank.length };
  const code = iban.slice(start, start + country.bank.length);
  const { german, other } = checker.directory.edition;
  if (bank !== undefined) {
    const edition = country.code === "DE" ? german : other;
    return { check, result: "passed", position, detail: `${code} is in the directory (edition ${edition}).` };
  }
  return country.code === "DE"
    ? { check, result: "failed", position, detail: `${code} is not in the directory (edition ${german}).` }
    : {
        check,
        result: "unknown",
        position,
        detail: `${code} is not in the directory, which is not complete.`,
      };
}

function explainDeletionAt(position: CheckEntry["position"], bank: BankRecord): CheckEntry {
  const entry = explainDeletion(bank);
  return entry.expected === undefined || position === undefined ? entry : { ...entry, position };
}

function explainInsideBban(
  country: IbanCountry,
  bytes: Uint8Array,
  bank: BankRecord | undefined,
  iban: string,
  outcome: number,
): readonly CheckEntry[] {
  if (country.code === "DE") {
    if (bank === undefined) return [];
    const entry = explainCheckDigitMethod(iban.slice(germanIban.kontonummerStart), bank);
    if (entry.result === "failed" && outcome === IbanOutcome.valid) {
      const detail = "The bank's IBAN rule gives this account number without a check digit.";
      return [{ check: entry.check, result: "not_applicable", detail }];
    }
    if (entry.position === undefined) return [entry];
    const start = germanIban.kontonummerStart + entry.position.start;
    return [{ ...entry, position: { start, length: entry.position.length } }];
  }
  const check = "national_check_digits";
  const { nationalCheck } = country;
  if (nationalCheck === null) {
    return [{ check, result: "not_applicable", detail: "The country has no nationwide check digits." }];
  }
  return explainNationalCheckDigits(country, nationalCheck, bytes, iban);
}

/** One entry for each place that holds check digits, since some countries have several. */
function explainNationalCheckDigits(
  country: IbanCountry,
  nationalCheck: NationalCheck,
  bytes: Uint8Array,
  iban: string,
): readonly CheckEntry[] {
  const check = "national_check_digits";
  const reportedOnly = country.nationalCheckEnforced ? "" : "; only reported in this country";
  const detail = `Algorithm ${nationalCheck.algorithm}${reportedOnly}.`;
  const matches = nationalCheck.matches(bytes, 4);
  const allExpected = matches ? null : nationalCheck.expected(bytes, 4);
  let joined = 0;
  return nationalCheck.spans.map((span): CheckEntry => {
    const position = { start: 4 + span.start, length: span.length };
    const right = allExpected?.slice(joined, joined + span.length);
    joined += span.length;
    if (matches || right === iban.slice(position.start, position.start + span.length)) {
      return { check, result: "passed", detail, position };
    }
    return { check, result: "failed", detail, position, expected: right === undefined ? [] : [right] };
  });
}

function explainBic(country: IbanCountry, checker: IbanChecker, bic: string | undefined): CheckEntry {
  const check = "bic";
  if (bic === undefined) return { check, result: "not_applicable", detail: "No BIC was given." };
  const known = checker.bank < 0 ? [] : checker.directory.bics(checker.bank);
  const match = matchBic(bic, country.code, known);
  return { check, result: bicMatches(match) ? "passed" : "failed", detail: bicDetails[match] };
}
