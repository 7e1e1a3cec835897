import { addedColumns, namesOf } from "../../rows/verdict.ts";
import { csvDelimiters, csvFile, csvLines } from "../save.ts";
import { language } from "../words.ts";
import { type CheckedNumbers, cellText } from "./columns.ts";
import { messageIn } from "./results.ts";
import { rest } from "./slices.ts";

/** Spreadsheets of more rows take a browser too long. */
export const maxSheetRows = 100_000;
const rowsPerSlice = 100;
/** Length of a text that the browser takes over from the page at once; it makes the page wait each time. */
const partLength = 262_144;

/** Writes the rows of numbers with their results as CSV in UTF-8, with the delimiter of their file, in slices of some milliseconds. */
export async function csvOf(numbers: CheckedNumbers, places: readonly number[]): Promise<Blob> {
  const delimiter = numbers.sheet.delimiter ?? csvDelimiters[language];
  const parts: Blob[] = [];
  let text = "";
  // Where semicolons are between the columns, spreadsheets read a comma in a number.
  const decimalPoint = delimiter === ";" ? "," : ".";
  for await (const lines of slicesOf(numbers, places)) {
    const cells = lines.map((line) => line.map((cell) => cellText(cell, decimalPoint)));
    text += csvLines(cells, delimiter);
    if (text.length < partLength) continue;
    parts.push(new Blob([text]));
    text = "";
  }
  return csvFile([...parts, text]);
}

/** Writes the rows of numbers with their results as the only sheet of an XLSX workbook. */
export async function workbookOf(numbers: CheckedNumbers, places: readonly number[]): Promise<Blob> {
  const { writeWorkbook } = await import("./workbook.ts");
  return writeWorkbook(slicesOf(numbers, places));
}

/** The names of the columns, and each row once, in the language that the page has at the beginning. */
async function* slicesOf(numbers: CheckedNumbers, places: readonly number[]): AsyncGenerator<unknown[][]> {
  const begun = language;
  const columns = addedColumns({ generates: numbers.areAccounts });
  const { checked, perRow } = numbers;
  const { header, width } = numbers.sheet;
  // A row with fewer fields than the others gets empty ones, so that the added fields are below their names.
  const padded = (fields: readonly unknown[]) => Array.from({ length: width }, (_, at) => fields[at] ?? "");
  const prefixes = checked.map(({ prefix }) => prefix);
  if (header !== undefined) yield [[...padded(header), ...namesOf(columns, prefixes, header)]];
  const added = (place: number) => {
    const found = numbers.results.of(place);
    if (found === undefined) return columns.map(() => "");
    const { number, note } = numbers.read(place);
    const given = "iban" in number ? number.iban : null;
    const iban = found.error === "" ? (found.iban ?? given) : null;
    const verdict = { ...found, message: messageIn(begun, found), iban, note };
    return columns.map((column) => column.of(verdict) ?? "");
  };
  const written = new Set<number>();
  let lines: unknown[][] = [];
  for (const place of places) {
    const row = numbers.rowOf(place);
    if (written.has(row)) continue;
    written.add(row);
    const ofRow = checked.flatMap((_, index) => added(row * perRow + index));
    lines.push([...padded(numbers.cellsOf(row)), ...ofRow]);
    if (lines.length < rowsPerSlice) continue;
    yield lines;
    lines = [];
    await rest();
  }
  yield lines;
}
