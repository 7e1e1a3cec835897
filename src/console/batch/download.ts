import { type AddedColumn, addedColumns, namesOf } from "../../rows/added-columns.ts";
import type { RowResult } from "./check-rows.ts";
import { type CsvTable, loadCsvLibrary, nextTask } from "./csv-table.ts";
import type { Results } from "./results.ts";

const noPrefix = { prefix: "" };
const rowsPerSlice = 2_000;
const byteOrderMark = "\uFEFF";

/** What a spreadsheet would compute instead of show; amounts with a sign are none of it. */
const formula = /^(?:[=@\t\r]|[+-](?!\s*[\d.,]+\s*$)).*/s;

/** Rows of a file with their results, to be saved. */
export interface SavedRows {
  readonly table: CsvTable;
  readonly results: Results;
  /** The rows that are saved, in order; undefined for all. */
  readonly rows: readonly number[] | undefined;
  /** Whether IBANs were made of account numbers. */
  readonly isAccounts: boolean;
  /** The edition of the bank data that answered. */
  readonly edition: string;
  /** The IBAN of a row as it was checked; null where there is none. */
  ibanOf(row: number): string | null;
  /** The result in a sentence. */
  messageOf(result: RowResult): string;
}

/** Writes rows with their results as CSV in UTF-8, in slices of some milliseconds. */
export async function csvOf(saved: SavedRows): Promise<Blob> {
  const library = await loadCsvLibrary();
  const options = { delimiter: saved.table.delimiter, escapeFormulae: formula };
  const written = (lines: unknown[][]) => new Blob([library.unparse(lines, options), "\r\n"]);
  const parts: Blob[] = [new Blob([byteOrderMark])];
  const columns = addedColumns({ generates: saved.isAccounts });
  const header = headerOf(saved.table, columns);
  if (header !== undefined) parts.push(written([header]));
  const count = countOf(saved);
  for (let first = 0; first < count; first += rowsPerSlice) {
    parts.push(written(linesOf(saved, columns, first, Math.min(count, first + rowsPerSlice))));
    await nextTask();
  }
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}

/** The same rows as those of a sheet. */
export function sheetOf(saved: SavedRows): unknown[][] {
  const columns = addedColumns({ generates: saved.isAccounts });
  const header = headerOf(saved.table, columns);
  return [...(header === undefined ? [] : [header]), ...linesOf(saved, columns, 0, countOf(saved))];
}

function countOf({ table, rows }: SavedRows): number {
  return rows?.length ?? table.rows.length;
}

function headerOf(table: CsvTable, columns: readonly AddedColumn[]): unknown[] | undefined {
  if (table.header === undefined) return undefined;
  const names = namesOf(columns, noPrefix, "", new Set(table.header));
  return [...padded(table.header, table.width), ...names];
}

function linesOf(saved: SavedRows, columns: readonly AddedColumn[], first: number, end: number): unknown[][] {
  const { table, results, rows, edition } = saved;
  const lines: unknown[][] = [];
  for (let index = first; index < end; index++) {
    const row = rows?.[index] ?? index;
    const result = results.of(row);
    const fields = padded(table.rows[row]!, table.width);
    if (result === undefined) {
      lines.push([...fields, ...columns.map(() => "")]);
      continue;
    }
    const { data } = result;
    const verdict = {
      status: result.status,
      valid: result.valid,
      message: saved.messageOf(result),
      data,
      error: result.error?.code ?? "",
      reason: data?.reason ?? "",
    };
    const facts = { iban: data?.iban ?? saved.ibanOf(row), edition, note: "" };
    const added = columns.map((column) => ("of" in column ? column.of(verdict) : column.ofRow(facts)));
    lines.push([...fields, ...added.map((value) => value ?? "")]);
  }
  return lines;
}

/** A row with fewer fields than the others gets empty ones, so that what is added stands below its name. */
function padded(fields: readonly string[], width: number): readonly string[] {
  return fields.length >= width ? fields : [...fields, ...new Array<string>(width - fields.length).fill("")];
}
