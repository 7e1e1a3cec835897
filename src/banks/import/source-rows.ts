import { isBic } from "../../banking/bic.ts";
import { splitLine, wrongLength } from "../files/csv.ts";
import type { DatasetName } from "../files/datasets.ts";
import type { SourceText } from "./source-text.ts";

export interface SourceRow {
  readonly line: number;
  readonly values: readonly string[];
}

/** Content of a source file: rows in the normal form of its dataset, without the columns that the import adds. */
export interface SourceTable {
  readonly dataset: DatasetName;
  readonly rows: readonly SourceRow[];
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | undefined;
}

/** One form in which bank data is published. */
export interface SourceForm {
  readonly name: string;
  /** Reads a file; undefined for one whose beginning is of another form. */
  read(source: SourceText): SourceTable | undefined;
}

export type ValueForm = Pick<RegExp, "test">;

/** A name has a letter and is not a word of another column. */
export const nameForm: ValueForm =
  /^(?!(\p{L}|yes|no|credit institution|central bank|money market fund|other institutions?)$)(?=.*\p{L})\S/iu;

export const nameOrNone: ValueForm = { test: (value) => value === "" || nameForm.test(value) };

export const bicOrNone: ValueForm = { test: (value) => value === "" || isBic(value) };

const maxValueLength = 1_000;

/** A column of a source file and the values it accepts. */
export interface SourceColumn {
  /** Its heading, or the form of it; its place in a table without header. The first value of several such columns counts. */
  readonly heading: string | RegExp | number;
  readonly form?: ValueForm;
  /** Whether a file may be without it; its values are `""` then. */
  readonly isOptional?: true;
  /** Maximum number of characters of a value; 1,000 unless given. */
  readonly maxLength?: number;
}

/** The header of a table, and how its rows are split. */
export interface Header {
  /** Its line; 0 for a table without header. */
  readonly line: number;
  /** The headings; empty texts in a table without header. */
  readonly headings: readonly string[];
  readonly delimiter: string;
  /** Whether quotes stand for themselves, as they do between tabulators. */
  readonly isPlain?: boolean;
}

/**
 * Splits the lines below a header, one row a line, into values without blanks around them; those of a workbook have the
 * cells that they have. Throws a DataFileError for a row with too few or too many columns.
 */
export function delimitedRows(
  source: SourceText,
  { line: above, headings, delimiter, isPlain = delimiter === "\t" }: Header,
): SourceRow[] {
  // A row may end after the last heading that is text: SIX writes the time of its list there, in the header only.
  const least = headings.findLastIndex((text) => !/^\d*$/.test(text)) + 1 || headings.length;
  return source.lines.slice(above).map((text, index) => {
    const line = above + index + 1;
    const values = isPlain ? text.split(delimiter) : splitLine(source.file, line, text, delimiter);
    const isOfWidth = values.length >= least && values.length <= headings.length;
    if (!isOfWidth && source.encoding !== "Excel workbook") {
      throw source.fault(line, wrongLength(least, values.length));
    }
    return { line, values: values.map((value) => value.trim()) };
  });
}

/** Returns the places of a column; none if the table does not have it. */
export function placesOf(headings: readonly string[], { heading }: SourceColumn): number[] {
  if (typeof heading === "number") return [heading];
  const isMeant = (text: string) =>
    typeof heading === "string" ? text.toLowerCase() === heading.toLowerCase() : heading.test(text);
  return headings.flatMap((text, place) => (isMeant(text) ? [place] : []));
}

/**
 * Reads the columns of the rows that are not empty: their values in the order of the columns, and as `cells` by their names.
 *
 * @param isLeftOut says which rows are passed over, by their values as written.
 * @throws {DataFileError} for a header without one of the columns, a table without rows, and a value of another form.
 */
export function namedRows<Name extends string>(
  source: SourceText,
  headings: readonly string[],
  rows: readonly SourceRow[],
  columns: Readonly<Record<Name, SourceColumn>>,
  isLeftOut: (cells: Readonly<Record<Name, string>>) => boolean = () => false,
) {
  const [first] = rows;
  if (first === undefined) throw source.fault(source.lines.length, "there is no row after the header");
  const taken = (Object.entries(columns) as [Name, SourceColumn][]).map(([name, column]) => {
    const places = placesOf(headings, column);
    if (places.length > 0 || column.isOptional) return { name, column, places };
    throw source.fault(first.line - 1, `the header has no column ${column.heading}`);
  });
  return rows.flatMap(({ line, values }) => {
    if (values.every((value) => value === "")) return [];
    const cells = {} as Record<Name, string>;
    for (const { name, places } of taken) cells[name] = values[places.find((at) => values[at]) ?? -1] ?? "";
    if (isLeftOut(cells)) return [];
    for (const { name, column, places } of taken) {
      const { form, maxLength = maxValueLength } = column;
      const value = cells[name];
      const label = headings[places[0]!] || name;
      if (value.length > maxLength) {
        throw source.fault(line, `the value in the column ${label} has more than ${maxLength} characters`);
      }
      if (form?.test(value) === false) {
        throw source.fault(line, `${JSON.stringify(value)} is not allowed in the column ${label}`);
      }
    }
    return [{ line, cells, values: Object.values<string>(cells) }];
  });
}

/** Reads the columns of the rows below a header; see `delimitedRows` and `namedRows`. */
export function tableRows<Name extends string>(
  source: SourceText,
  header: Header,
  columns: Readonly<Record<Name, SourceColumn>>,
  isLeftOut?: (cells: Readonly<Record<Name, string>>) => boolean,
) {
  return namedRows(source, header.headings, delimitedRows(source, header), columns, isLeftOut);
}

/** Matches names of banks, but not names of towns and streets. */
const bankWord =
  /ban[ckq]|kasse|caisse|cassa|caixa|credit|kredit|raiffeisen|\b(ag|sa|spa|plc|ltd|gmbh|nv|ab|s\.a|s\.p\.a|n\.v|a\.s|d\.d)\b/i;

/** How values read that may be in each other's columns and break no rule there. */
const readings = {
  bank: (value: string): boolean => bankWord.test(value) && !/\d/.test(value),
  town: (value: string): boolean => /^[^\d]*\p{L}[^\d]*$/u.test(value),
};

/**
 * Checks that two columns of free text are not swapped: throws a DataFileError if more values of one of the `others`, given
 * by their places, read like `what` than of the one at `place`.
 */
export function expectReading(
  source: SourceText,
  rows: readonly SourceRow[],
  what: keyof typeof readings,
  place: number,
  others: Readonly<Record<string, number>>,
): void {
  const reads = readings[what];
  for (const [column, other] of Object.entries(others)) {
    const elsewhere = rows.filter(
      ({ values }) => values[place] !== "" && reads(values[other]!) && !reads(values[place]!),
    );
    const there = rows.filter(({ values }) => reads(values[place]!) && !reads(values[other]!));
    if (elsewhere.length <= there.length) continue;
    const { line, values } = elsewhere[0]!;
    const found = `${JSON.stringify(values[other])} in the column ${column} reads like a ${what}`;
    throw source.fault(line, `${found}, and more of its values do: are two columns swapped?`);
  }
}
