import type { BatchEntry } from "./answer.ts";
import { loadCsvLibrary } from "./csv-library.ts";
import type { CsvTable } from "./csv-table.ts";
import { nextTask } from "./next-task.ts";
import type { Results } from "./results.ts";

const rowsPerSlice = 2_000;
const byteOrderMark = "\uFEFF";

/** What a spreadsheet would compute instead of show; amounts with a sign are none of it. */
const formula = /^(?:[=@\t\r]|[+-](?!\s*[\d.,]+\s*$)).*/s;

type AddedColumn = readonly [name: string, of: (entry: BatchEntry, message: string) => unknown];

const sepa = (name: string): AddedColumn => [name, ({ data }) => data?.sepa_methods?.[name] ?? ""];

/** The columns that are added to each row. */
const addedColumns: readonly AddedColumn[] = [
  ["status", ({ status }) => status],
  ["valid", ({ valid }) => valid],
  ["reason", ({ valid, data }) => (valid ? "" : (data?.reason ?? ""))],
  ["message", (_, message) => message],
  ["iban", ({ data }) => data?.iban ?? ""],
  ["bic", ({ data }) => data?.bic ?? ""],
  ["bank", ({ data }) => data?.bank],
  ["zip", ({ data }) => data?.zip],
  ["location", ({ data }) => data?.location],
  ["country", ({ data }) => data?.country],
  sepa("sct"),
  sepa("sdd"),
  sepa("b2b"),
  sepa("scc"),
  ["error", ({ error }) => error?.code ?? ""],
];

/** Rows of a file with their results, to be saved. */
export interface SavedRows {
  readonly table: CsvTable;
  readonly results: Results;
  /** The rows that are saved, in order; undefined for all. */
  readonly rows: readonly number[] | undefined;
}

type MessageOf = (entry: BatchEntry) => string;

/** Writes rows with their results as CSV in UTF-8, in slices of some milliseconds. */
export async function csvOf(saved: SavedRows, messageOf: MessageOf): Promise<Blob> {
  const library = await loadCsvLibrary();
  const options = { delimiter: saved.table.delimiter, escapeFormulae: formula };
  const written = (lines: unknown[][]) => new Blob([library.unparse(lines, options), "\r\n"]);
  const parts: Blob[] = [new Blob([byteOrderMark])];
  const header = headerOf(saved.table);
  if (header !== undefined) parts.push(written([header]));
  const count = countOf(saved);
  for (let first = 0; first < count; first += rowsPerSlice) {
    parts.push(written(linesOf(saved, first, Math.min(count, first + rowsPerSlice), messageOf)));
    await nextTask();
  }
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}

/** The same rows as those of a sheet. */
export function sheetOf(saved: SavedRows, messageOf: MessageOf): unknown[][] {
  const header = headerOf(saved.table);
  return [...(header === undefined ? [] : [header]), ...linesOf(saved, 0, countOf(saved), messageOf)];
}

function countOf({ table, rows }: SavedRows): number {
  return rows?.length ?? table.rows.length;
}

function headerOf(table: CsvTable): unknown[] | undefined {
  if (table.header === undefined) return undefined;
  const names = addedColumns.map(([name]) => (table.header!.includes(name) ? `check_${name}` : name));
  return [...padded(table.header, table.width), ...names];
}

function linesOf(
  { table, results, rows }: SavedRows,
  first: number,
  end: number,
  messageOf: MessageOf,
): unknown[][] {
  const lines: unknown[][] = [];
  for (let index = first; index < end; index++) {
    const row = rows?.[index] ?? index;
    const entry = results.of(row);
    const added = addedColumns.map(([, of]) => (entry === undefined ? "" : of(entry, messageOf(entry))));
    lines.push([...padded(table.rows[row]!, table.width), ...added]);
  }
  return lines;
}

/** A row with fewer fields than the others gets empty ones, so that what is added stands below its name. */
function padded(fields: readonly string[], width: number): readonly string[] {
  return fields.length >= width ? fields : [...fields, ...new Array<string>(width - fields.length).fill("")];
}
