import type { VerdictWord } from "../../contract/verdict.ts";
import type { CheckedNumbers } from "./columns.ts";
import { type Filter, verdictText, wordOf } from "./results.ts";
import { rest, sortedInSlices } from "./slices.ts";

const order: readonly VerdictWord[] = ["invalid", "doubtful", "valid"];

/** Rows searched between two looks at the clock. */
const rowsPerSlice = 128;

export interface Arrangement {
  readonly filter: Filter;
  /** A text that one of a row's columns contains. */
  readonly search: string;
  /** The name of a column; undefined for the order of the file. */
  readonly sortedBy: string | undefined;
  readonly isDescending: boolean;
}

/** The columns beside the number and its verdict, by their names. */
export function textColumns(numbers: CheckedNumbers): readonly string[] {
  return ["bank", ...numbers.others().map(({ index }) => `own own-${index}`), "bic", "place"];
}

/** Returns what a row has in a column, by the column's name; empty where it is not known. */
export function textIn(numbers: CheckedNumbers, row: number, column: string): string {
  const entry = numbers.results.of(row);
  const { bank, bic, zip = "", location = "" } = entry ?? {};
  if (column === "checked") return numbers.written(row).replace(/\s/g, "");
  if (column === "verdict") return entry ? order.indexOf(wordOf(entry)) + verdictText(entry) : "";
  if (column === "bank") return bank ?? "";
  if (column === "bic") return bic ?? "";
  if (column === "place") return `${zip} ${location}`.trim();
  return numbers.field(row, Number(column.slice("own own-".length)));
}

/** Finds the rows that are wanted in the order that is wanted, in slices of some milliseconds. */
export async function arrangedRows(
  numbers: CheckedNumbers,
  { filter, search, sortedBy, isDescending }: Arrangement,
): Promise<readonly number[]> {
  const { results } = numbers;
  const wanted = search.trim().toLowerCase().replace(/\s+/g, " ");
  const columns = textColumns(numbers);
  const hasWanted = (row: number) =>
    `${numbers.written(row)} ${results.of(row)?.iban ?? ""}`
      .toLowerCase()
      .replace(/\s/g, "")
      .includes(wanted.replaceAll(" ", "")) ||
    columns.some((column) => textIn(numbers, row, column).toLowerCase().includes(wanted));
  const rows: number[] = [];
  for (let row = 0; row < results.size; row++) {
    if (results.passes(row, filter) && (wanted === "" || hasWanted(row))) rows.push(row);
    if (row % rowsPerSlice === 0) await rest();
  }
  if (sortedBy === undefined) return rows;
  if (sortedBy === "number") return rows.reverse();
  const keys: string[] = [];
  for (const [index, row] of rows.entries()) {
    keys[row] = textIn(numbers, row, sortedBy).toLowerCase();
    if (index % rowsPerSlice === 0) await rest();
  }
  const way = isDescending ? -1 : 1;
  return sortedInSlices(rows, (one, other) => {
    const [first, second] = [keys[one]!, keys[other]!];
    return first === second ? one - other : first < second ? -way : way;
  });
}
