import type { Language } from "../../contract/check-messages.ts";
import { type AddedColumn, addedColumns, namesOf, type Verdict } from "../../rows/verdict.ts";
import { csvDelimiters, csvFile, csvLines } from "../save.ts";
import type { CheckedNumbers } from "./columns.ts";
import type { Results } from "./results.ts";
import { nextTask } from "./slices.ts";

const noPrefix = { prefix: "" };
const rowsPerSlice = 500;

/** Rows of a file with their results, to be saved. */
interface SavedRows {
  readonly numbers: CheckedNumbers;
  readonly results: Results;
  /** The rows that are saved, in order; undefined for all. */
  readonly rows: readonly number[] | undefined;
  /** The edition of the German bank data that answered. */
  readonly edition: string;
  readonly language: Language;
  messageOf(verdict: Verdict): string;
}

/** Writes rows with their results as CSV in UTF-8, with the delimiter of their file, in slices of some milliseconds. */
export async function csvOf(saved: SavedRows): Promise<Blob> {
  const delimiter = saved.numbers.sheet.delimiter ?? csvDelimiters[saved.language];
  const parts: Blob[] = [];
  for await (const lines of slicesOf(saved)) parts.push(csvLines(lines, delimiter));
  return csvFile(parts);
}

/** Writes rows with their results as the only sheet of an XLSX workbook. */
export async function workbookOf(saved: SavedRows): Promise<Blob> {
  const { writeWorkbook } = await import("./workbook.ts");
  return writeWorkbook(slicesOf(saved));
}

async function* slicesOf(saved: SavedRows): AsyncGenerator<unknown[][]> {
  const columns = addedColumns({ generates: saved.numbers.areAccounts });
  const { header, width, rows } = saved.numbers.sheet;
  if (header !== undefined)
    yield [[...padded(header, width), ...namesOf(columns, noPrefix, "", new Set(header))]];
  const count = saved.rows?.length ?? rows.length;
  for (let first = 0; first < count; first += rowsPerSlice) {
    yield linesOf(saved, columns, first, Math.min(count, first + rowsPerSlice));
    await nextTask();
  }
}

function linesOf(saved: SavedRows, columns: readonly AddedColumn[], first: number, end: number): unknown[][] {
  const { numbers, results, rows, edition } = saved;
  const { sheet } = numbers;
  const lines: unknown[][] = [];
  for (let index = first; index < end; index++) {
    const row = rows?.[index] ?? index;
    const found = results.of(row);
    const fields = padded(sheet.rows[row]!, sheet.width);
    if (found === undefined) {
      lines.push([...fields, ...columns.map(() => "")]);
      continue;
    }
    // A batch names the edition of the German list; those of other countries are not known here.
    const data = found.data && { ...found.data, ...(found.data.country === "DE" && { edition }) };
    const verdict = { ...found, data, message: saved.messageOf(found) };
    const number = numbers.number(row);
    const given = "iban" in number ? number.iban : null;
    const iban = found.error === "" ? (found.data?.iban ?? given) : null;
    const facts = { iban, note: numbers.note(row) };
    const added = columns.map((column) => ("of" in column ? column.of(verdict) : column.ofRow(facts)));
    lines.push([...fields, ...added.map((value) => value ?? "")]);
  }
  return lines;
}

/** A row with fewer fields than the others gets empty ones, so that the added fields are below their names. */
function padded(fields: readonly string[], width: number): readonly string[] {
  return fields.length >= width ? fields : [...fields, ...new Array<string>(width - fields.length).fill("")];
}
