import { buildDirectory } from "../directory/build.ts";
import { BankRecordError } from "../directory/check-records.ts";
import type { BankRecord } from "../directory/record.ts";
import { readBanksCsv } from "../files/banks-csv.ts";
import { readBlzCsv } from "../files/blz-csv.ts";
import { DataFileError, lineOfRow, readCsv } from "../files/csv.ts";
import { type DatasetName, datasets } from "../files/datasets.ts";
import { readEpcCsv, readLeiCsv, readMfiCsv, readSclCsv } from "../files/register-csv.ts";
import { readUkSubstitutionsCsv, readUkWeightsCsv } from "../files/uk-weights-csv.ts";

/** A row of a file in normal form. */
export type NormalRow = readonly string[];

/** Writes rows in the normal form of their dataset. */
export function writeNormalForm(dataset: DatasetName, rows: readonly NormalRow[]): Buffer {
  const { columns } = datasets[dataset];
  return Buffer.from([columns, ...rows].map((row) => `${row.map(cell).join(";")}\n`).join(""));
}

/** Reads the rows of a file in normal form. */
export function readNormalForm(dataset: DatasetName, file: string, content: Uint8Array): NormalRow[] {
  const { columns } = datasets[dataset];
  return readCsv<readonly string[]>(file, content, columns) as unknown as NormalRow[];
}

/**
 * Checks a file in normal form as the service does when it loads it.
 *
 * @throws {DataFileError} for the first row at fault.
 */
export function checkNormalForm(dataset: DatasetName, file: string, content: Uint8Array): void {
  checks[dataset](file, content);
}

type Check = (file: string, content: Uint8Array) => unknown;

const checkBanks: Check = (file, content) => checkRecords(file, readBanksCsv(file, content));

/** By dataset: what reads its files, and so finds what is wrong with them. */
const checks: Readonly<Record<DatasetName, Check>> = {
  blz: (file, content) => checkRecords(file, readBlzCsv(file, content)),
  banks: checkBanks,
  oenb: checkBanks,
  nbb: checkBanks,
  six: checkBanks,
  cnb: checkBanks,
  "finance-finland": checkBanks,
  betaalvereniging: checkBanks,
  nbp: checkBanks,
  scl: readSclCsv,
  "epc-sct": readEpcCsv,
  "epc-sct-inst": readEpcCsv,
  "epc-sdd-core": readEpcCsv,
  "epc-sdd-b2b": readEpcCsv,
  "epc-vop": readEpcCsv,
  "bic-lei": readLeiCsv,
  mfi: readMfiCsv,
  "uk-weights": readUkWeightsCsv,
  "uk-substitutions": readUkSubstitutionsCsv,
};

function checkRecords(file: string, records: readonly BankRecord[]): void {
  try {
    buildDirectory(records, { german: "", other: "" });
  } catch (error) {
    if (!(error instanceof BankRecordError)) throw error;
    throw new DataFileError(file, lineOfRow(error.recordIndex), error.reason);
  }
}

function cell(value: string): string {
  return /[";]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
