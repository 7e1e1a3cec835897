import { readEditionFile } from "../editions/data-folder.ts";
import type { DataEdition } from "../editions/manifest.ts";
import { readCsv } from "../files/csv.ts";
import { type Dataset, type DatasetName, datasets } from "../files/datasets.ts";

export type NormalRow = readonly string[];

export function readNormalForm(dataset: DatasetName, file: string, content: Uint8Array): NormalRow[] {
  const { columns }: Dataset = datasets[dataset];
  return readCsv(file, content, columns);
}

export async function rowsOfEdition(folder: string, edition: DataEdition): Promise<NormalRow[]> {
  return readNormalForm(edition.dataset, edition.file, await readEditionFile(folder, edition));
}

/** Returns the entries of an edition by their key; of German banks the main records. */
export function entriesOf(dataset: DatasetName, rows: readonly NormalRow[]): Map<string, NormalRow> {
  const { columns, key }: Dataset = datasets[dataset];
  const places = key.map((name) => columns.indexOf(name));
  const main = dataset === "blz" ? rows.filter((row) => row[1] === "1") : rows;
  const keyOf = (row: NormalRow) => places.map((place) => row[place]).join(" ");
  return new Map(main.map((row) => [keyOf(row).trimEnd(), row]));
}

/** Returns the BIC of a row; `""` in datasets without. */
export function bicOf(dataset: DatasetName, row: NormalRow): string {
  const { columns }: Dataset = datasets[dataset];
  return row[columns.findIndex((column) => column.toLowerCase() === "bic")] ?? "";
}
