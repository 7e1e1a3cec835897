import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import { assumedSepaMethods } from "../../banking/sepa.ts";
import type { BankRecord } from "../directory/record.ts";
import { DataFileError, lineOfRow, readCsv } from "./csv.ts";

/** Columns of the file of the other countries' banks. */
export const banksColumns = [
  "country",
  "bank_code",
  "branch_code",
  "bic",
  "name",
  "short_name",
  "zip",
  "city",
  "source",
  "edition",
] as const;

/** A bank as its row states it, with the edition that the row comes from. */
export interface ListedBank extends BankRecord {
  readonly sourceEdition: string;
}

/**
 * Reads a file of the other countries' banks.
 *
 * Record `i` is in row `i` of the file. The column `source` only documents the row's origin. The
 * records are not yet checked against the registry, save that their country is in it.
 *
 * @throws {DataFileError} for a row that does not follow the file's form, or one of a German bank.
 */
export function readBanksCsv(file: string, content: Uint8Array): ListedBank[] {
  return readCsv(file, content, banksColumns).map((row, index): ListedBank => {
    const [code, bankCode, branchCode, bic, name, shortName, zip, location, source, edition] = row;
    const fault = (reason: string): DataFileError => new DataFileError(file, lineOfRow(index), reason);
    const country = ibanCountryByCode(code);
    if (country === undefined) throw fault(`country "${code}" is not in the IBAN registry`);
    if (code === "DE") throw fault("German banks belong into the file of German banks");
    if (source === "" || edition === "") throw fault("source and edition must be named");
    return {
      country: code,
      bankCode,
      branchCode,
      bic: bic || null,
      name,
      shortName,
      zip,
      location,
      method: null,
      rule: null,
      ruleSource: null,
      main: true,
      deleteMark: null,
      successor: null,
      sepa: assumedSepaMethods(country, bic || null),
      sepaSource: "assumed",
      sourceEdition: edition,
    };
  });
}
