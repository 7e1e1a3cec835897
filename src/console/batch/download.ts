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

/** The columns that are added to each row; the command line's `check` adds the same ones. */
const addedColumns: readonly AddedColumn[] = [
  ["status", ({ status }) => status],
  ["valid", ({ valid }) => valid],
  ["message", (_, message) => message],
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

/**
 * Writes rows with what was found for them as CSV in UTF-8, in slices of some milliseconds; `rows` are all of them where
 * it is undefined.
 */
export async function csvOf(
  table: CsvTable,
  results: Results,
  rows: readonly number[] | undefined,
  messageOf: (entry: BatchEntry) => string,
): Promise<Blob> {
  const library = await loadCsvLibrary();
  const options = { delimiter: table.delimiter, escapeFormulae: formula };
  const written = (lines: unknown[][]) => new Blob([library.unparse(lines, options), "\r\n"]);
  const parts: Blob[] = [new Blob([byteOrderMark])];
  if (table.header !== undefined) {
    const names = addedColumns.map(([name]) => (table.header!.includes(name) ? `check_${name}` : name));
    parts.push(written([[...padded(table.header, table.width), ...names]]));
  }
  const count = rows?.length ?? table.rows.length;
  for (let first = 0; first < count; first += rowsPerSlice) {
    const lines: unknown[][] = [];
    for (let index = first; index < Math.min(count, first + rowsPerSlice); index++) {
      const row = rows?.[index] ?? index;
      const entry = results.of(row);
      const added = addedColumns.map(([, of]) => (entry === undefined ? "" : of(entry, messageOf(entry))));
      lines.push([...padded(table.rows[row]!, table.width), ...added]);
    }
    parts.push(written(lines));
    await nextTask();
  }
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}

/** A row with fewer fields than the others gets empty ones, so that what is added stands below its name. */
function padded(fields: readonly string[], width: number): readonly string[] {
  return fields.length >= width ? fields : [...fields, ...new Array<string>(width - fields.length).fill("")];
}
