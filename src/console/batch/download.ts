import type { Language } from "../../contract/language.ts";
import { type AddedColumn, addedColumns, namesOf } from "../../rows/verdict.ts";
import { csvDelimiters, csvFile, csvLines } from "../save.ts";
import { type CheckedNumbers, cellText } from "./columns.ts";
import { messageIn, type Results } from "./results.ts";
import { rest } from "./slices.ts";

/** Spreadsheets of more rows take a browser too long. */
export const maxSheetRows = 100_000;
const rowsPerSlice = 100;
/** Length of a text that the browser takes over from the page at once; it makes the page wait each time. */
const partLength = 262_144;

/** Rows of a file with their results, to be saved. */
interface SavedRows {
  readonly numbers: CheckedNumbers;
  readonly results: Results;
  /** The places of the numbers whose rows are saved, in order; undefined for all. */
  readonly rows: readonly number[] | undefined;
  readonly language: Language;
}

/** Writes rows with their results as CSV in UTF-8, with the delimiter of their file, in slices of some milliseconds. */
export async function csvOf(saved: SavedRows): Promise<Blob> {
  const delimiter = saved.numbers.sheet.delimiter ?? csvDelimiters[saved.language];
  const parts: Blob[] = [];
  let text = "";
  // Where semicolons are between the columns, spreadsheets read a comma in a number.
  const decimalPoint = delimiter === ";" ? "," : ".";
  for await (const lines of slicesOf(saved)) {
    const cells = lines.map((line) => line.map((cell) => cellText(cell, decimalPoint)));
    text += csvLines(cells, delimiter);
    if (text.length < partLength) continue;
    parts.push(new Blob([text]));
    text = "";
  }
  return csvFile([...parts, text]);
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
    yield [[...padded(header, width), ...namesOf(columns, saved.numbers.prefixes, header)]];
  const chosen = saved.rows && [...new Set(saved.rows.map((place) => saved.numbers.rowOf(place)))];
  const count = chosen?.length ?? rows.length;
  for (let first = 0; first < count; first += rowsPerSlice) {
    const end = Math.min(count, first + rowsPerSlice);
    yield Array.from({ length: end - first }, (_, index) =>
      lineOf(saved, columns, chosen?.[first + index] ?? first + index),
    );
    await rest();
  }
}

function lineOf(saved: SavedRows, columns: readonly AddedColumn[], row: number): unknown[] {
  const { numbers } = saved;
  const first = row * numbers.perRow;
  const added = Array.from({ length: numbers.perRow }, (_, index) => addedTo(saved, columns, first + index));
  return [...padded(numbers.cellsOf(row), numbers.sheet.width), ...added.flat()];
}

function addedTo(saved: SavedRows, columns: readonly AddedColumn[], place: number): unknown[] {
  const { numbers, results } = saved;
  const found = results.of(place);
  if (found === undefined) return columns.map(() => "");
  const verdict = { ...found, message: messageIn(saved.language, found) };
  const number = numbers.number(place);
  const given = "iban" in number ? number.iban : null;
  const iban = found.error === "" ? (found.iban ?? given) : null;
  const facts = { iban, note: numbers.note(place) };
  return columns.map((column) => column.of(verdict, facts) ?? "");
}

/** A row with fewer fields than the others gets empty ones, so that the added fields are below their names. */
function padded<Field>(fields: readonly Field[], width: number): readonly (Field | string)[] {
  return fields.length >= width ? fields : [...fields, ...new Array<string>(width - fields.length).fill("")];
}
