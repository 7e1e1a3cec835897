import type { VerdictWord } from "../../contract/verdict.ts";
import type { Verdict } from "../../rows/verdict.ts";
import type { CheckedNumbers } from "./columns.ts";
import { type Filter, type Results, wordOf } from "./results.ts";
import { rest, sortedInSlices } from "./slices.ts";

/** The order in which verdicts are sorted. */
const order: readonly VerdictWord[] = ["invalid", "doubtful", "valid"];

/** Rows searched between two looks at the clock. */
const rowsPerSlice = 128;

/** The rows of a result table. */
export interface TableRows {
  readonly numbers: CheckedNumbers;
  readonly results: Results;
  /** The columns of the file that are shown beside the verdict. */
  readonly own: ReturnType<CheckedNumbers["others"]>;
  /** What the table says of a verdict. */
  verdictOf(verdict: Verdict): string;
}

/** Which rows are shown, and in which order. */
export interface Arrangement {
  readonly filter: Filter;
  /** A text that one of a row's columns contains. */
  readonly search: string;
  /** The name of a column; undefined for the order of the file. */
  readonly sortedBy: string | undefined;
  readonly isDescending: boolean;
}

/** Returns what a row has in a column, by the column's name; empty where it is not known. */
export function textIn({ numbers, results, verdictOf }: TableRows, row: number, column: string): string {
  const entry = results.of(row);
  const { bank, bic, zip = "", location = "" } = entry ?? {};
  if (column === "checked") return numbers.written(row).replace(/\s/g, "");
  if (column === "verdict") return entry === undefined ? "" : order.indexOf(wordOf(entry)) + verdictOf(entry);
  if (column === "bank") return bank ?? "";
  if (column === "bic") return bic ?? "";
  if (column === "place") return `${zip} ${location}`.trim();
  return numbers.field(row, Number(column.slice("own own-".length)));
}

/** Finds the rows that are wanted in the order that is wanted, in slices of some milliseconds. */
export async function arrangedRows(
  table: TableRows,
  { filter, search, sortedBy, isDescending }: Arrangement,
): Promise<number[]> {
  const { results } = table;
  const wanted = search.trim().toLowerCase().replace(/\s+/g, " ");
  const rows: number[] = [];
  for (let row = 0; row < results.size; row++) {
    if (results.passes(row, filter) && (wanted === "" || contains(table, row, wanted))) rows.push(row);
    if (row % rowsPerSlice === 0) await rest();
  }
  if (sortedBy === undefined) return rows;
  if (sortedBy === "number") return rows.reverse();
  const keys: string[] = [];
  for (const [index, row] of rows.entries()) {
    keys[row] = textIn(table, row, sortedBy).toLowerCase();
    if (index % rowsPerSlice === 0) await rest();
  }
  const way = isDescending ? -1 : 1;
  return sortedInSlices(rows, (one, other) => {
    const [first, second] = [keys[one]!, keys[other]!];
    return first === second ? one - other : first < second ? -way : way;
  });
}

function contains(table: TableRows, row: number, wanted: string): boolean {
  const { numbers, results, own } = table;
  const number = `${numbers.written(row)} ${results.of(row)?.iban ?? ""}`;
  const columns = ["bank", "bic", "place", ...own.map(({ index }) => `own own-${index}`)];
  return (
    number.toLowerCase().replace(/\s/g, "").includes(wanted.replaceAll(" ", "")) ||
    columns.some((column) => textIn(table, row, column).toLowerCase().includes(wanted))
  );
}
