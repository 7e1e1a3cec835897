import { isBic } from "../../banking/bic.ts";
import { type IbanCountry, ibanCountryByCode } from "../../banking/iban/registry.ts";
import { isOfClass } from "../../banking/iban/structure.ts";
import type { BbanSpan } from "../../banking/national/weighted.ts";
import type { BankRecord } from "./record.ts";

const LONGEST_TEXT = 1000;
/**
 * C0 controls, DEL, half surrogate pairs, and private characters, some of which mark places in templates. C1 controls pass: the
 * Slovenian list has a few, remnants of a wrong encoding.
 */
const UNPRINTABLE = /[^\P{Cc}\u0080-\u009f]|\p{Cs}|\p{Co}/u;

/**
 * Returns why a record cannot be in a directory, as half a sentence, by the IBAN registry and the form of its fields;
 * undefined if it can, alone.
 */
export function recordFault(record: BankRecord): string | undefined {
  const country = ibanCountryByCode(record.country);
  if (country === undefined) return `country ${quoted(record.country)} is not in the IBAN registry`;
  return codeFault(record, country) ?? factFault(record) ?? textFault(record);
}

function codeFault(record: BankRecord, country: IbanCountry): string | undefined {
  const { bankCode, branchCode } = record;
  if (!fitsSpan(bankCode, country, country.bank)) {
    return `bank code ${quoted(bankCode)} does not fit the BBAN of ${country.code}`;
  }
  if (branchCode !== "" && !fitsSpan(branchCode, country, country.branch)) {
    return `branch code ${quoted(branchCode)} does not fit the BBAN of ${country.code}`;
  }
  if (country.code === "DE" && bankCode.startsWith("0")) return `Bankleitzahl ${bankCode} begins with 0`;
  if (country.code !== "DE" && !record.main) return "further locations are known for German banks only";
  return undefined;
}

function factFault(record: BankRecord): string | undefined {
  const { country, bic, method, rule, ruleSource, successor } = record;
  if (bic !== null && !isBic(bic)) return `BIC ${quoted(bic)} is not in ISO 9362 format`;
  if (method !== null && !/^[0-9A-Z][0-9]$/.test(method))
    return `check-digit method ${quoted(method)} is malformed`;
  if (rule !== null && !/^[0-9]{6}$/.test(rule)) return `IBAN rule ${quoted(rule)} does not have 6 digits`;
  if ((rule === null) !== (ruleSource === null))
    return "IBAN rule and its provenance must be known or unknown together";
  if (successor !== null && country === "DE" && !/^[1-9][0-9]{7}$/.test(successor)) {
    return `successor ${quoted(successor)} is not a Bankleitzahl`;
  }
  return undefined;
}

const textFields = ["name", "shortName", "zip", "location", "successor"] as const;

function textFault(record: BankRecord): string | undefined {
  if (record.name.trim() === "") return "the name is empty";
  for (const field of textFields) {
    const text = record[field] ?? "";
    const label = field === "shortName" ? "short name" : field;
    if (text.length > LONGEST_TEXT) return `the ${label} is longer than ${LONGEST_TEXT} characters`;
    if (UNPRINTABLE.test(text)) return `the ${label} contains an unprintable character`;
  }
  return undefined;
}

function fitsSpan(code: string, country: IbanCountry, span: BbanSpan | null): boolean {
  if (code.length !== span?.length) return false;
  return [...code].every((_, at) => isOfClass(code.charCodeAt(at), country.classes[span.start + at]!));
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
