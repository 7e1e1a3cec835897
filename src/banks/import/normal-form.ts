import { buildDirectory } from "../directory/build.ts";
import type { BankRecord } from "../directory/record.ts";
import { readBanksCsv, readBlzCsv } from "../files/banks-csv.ts";
import { csvText, readCsv } from "../files/csv.ts";
import { type DatasetName, datasets } from "../files/datasets.ts";

/** A row of a file in normal form. */
export type NormalRow = readonly string[];

/** Writes rows in the normal form of their dataset. */
export function writeNormalForm(dataset: DatasetName, rows: readonly NormalRow[]): Buffer {
  const { columns } = datasets[dataset];
  return Buffer.from(csvText([columns, ...rows]));
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
  const { read } = datasets[dataset];
  const rows = read(file, content);
  if (read !== readBlzCsv && read !== readBanksCsv) return;
  buildDirectory(rows as readonly BankRecord[], { german: "", other: "" });
}
