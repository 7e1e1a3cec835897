import { isBic } from "../../banking/bic.ts";
import { DataFileError, splitLine, wrongLength } from "../files/csv.ts";
import type { DatasetName } from "../files/datasets.ts";
import { isLei } from "../files/register-csv.ts";
import type { SourceText } from "./source-text.ts";

/** One row of a source file, and its line. */
export interface SourceRow {
  readonly line: number;
  readonly values: readonly string[];
}

/** Content of a source file: rows in the normal form of its dataset, without the columns that the import adds. */
export interface SourceTable {
  readonly rows: readonly SourceRow[];
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | undefined;
}

/** One form in which bank data is published. */
export interface SourceForm {
  readonly name: string;
  /** The dataset, or how to find it by the file's name where the content does not say. */
  readonly dataset:
    | DatasetName
    | { readonly byName: (file: string) => DatasetName | undefined; readonly hint: string };
  /** Columns that the form leaves empty; what was known before stays. */
  readonly absent?: readonly string[];
  recognises(source: SourceText): boolean;
  /** @throws {DataFileError} with line and reason, where the file does not follow the form. */
  read(source: SourceText): SourceTable;
}

/** Accepted form of a value: a regular expression or any other test. */
export type ValueForm = Pick<RegExp, "test">;

/** A name has a letter and is not a word of another column. */
export const nameForm: ValueForm =
  /^(?!(\p{L}|yes|no|credit institution|central bank|money market fund|other institutions?)$)(?=.*\p{L})\S/iu;

/** A BIC, or none. */
export const bicOrNone: ValueForm = { test: (value) => value === "" || isBic(value) };

/** A LEI with right check digits, or none. */
export const leiOrNone: ValueForm = { test: (value) => value === "" || isLei(value) };

/** Characters that a value may have. */
const maxValueLength = 1_000;

/** A column of a source file and the values it accepts. */
export interface SourceColumn {
  readonly name: string;
  readonly form?: ValueForm;
  /** Whether a file may be without it; its values are `""` then. */
  readonly isOptional?: true;
}

/** Cuts lines of fixed width into columns, without the blanks after the values. */
export function fixedWidthRows({ file, lines }: SourceText, widths: readonly number[]): SourceRow[] {
  const width = widths.reduce((sum, part) => sum + part, 0);
  return lines.map((text, index) => {
    const line = index + 1;
    if (text.length !== width) {
      throw new DataFileError(
        file,
        line,
        `it has ${text.length} columns, and the lines of this form have ${width}`,
      );
    }
    let at = 0;
    const values = widths.map((part) => {
      at += part;
      return text.slice(at - part, at).trimEnd();
    });
    return { line, values };
  });
}

/**
 * Splits the lines below `skipped` ones, one row a line, at a delimiter; `quoted` says whether values may be in quotes.
 *
 * @throws {DataFileError} for a row with another number of columns than the first.
 */
export function delimitedRows(
  source: SourceText,
  { skipped = 0, delimiter = ";", quoted = true },
): SourceRow[] {
  const rows = splitRows(source, skipped, delimiter, quoted);
  const count = rows[0]?.values.length;
  for (const { line, values } of rows) {
    if (values.length !== count) {
      throw new DataFileError(source.file, line, wrongLength(count!, values.length));
    }
  }
  return rows;
}

function splitRows(
  { file, lines }: SourceText,
  skipped: number,
  delimiter: string,
  quoted: boolean,
): SourceRow[] {
  return lines.slice(skipped).map((text, index) => {
    const line = skipped + index + 1;
    return { line, values: quoted ? splitLine(file, line, text, delimiter) : text.split(delimiter) };
  });
}

/**
 * Splits the lines below `skipped` ones, one row a line, of which some may lack columns at their end.
 *
 * @param counts how many columns a row may have; those of a workbook are filled up.
 * @throws {DataFileError} for a row with another number of columns.
 */
export function raggedRows(
  source: SourceText,
  skipped: number,
  delimiter: string,
  counts: readonly number[],
): SourceRow[] {
  const { file, cells } = source;
  const rows = cells?.slice(skipped).map((values, index) => ({ line: skipped + index + 1, values }));
  if (rows !== undefined) return rows;
  return splitRows(source, skipped, delimiter, delimiter !== "\t").map((row) => {
    if (counts.includes(row.values.length)) return row;
    const expected = counts.join(" or ");
    throw new DataFileError(file, row.line, `it has ${row.values.length} columns, and a row has ${expected}`);
  });
}

/**
 * Removes the header and returns, for each row, the values of the named columns without blanks around them.
 *
 * @throws {DataFileError} for a header without one of them and for a file without rows.
 */
export function namedColumns(
  file: string,
  [header, ...rows]: readonly SourceRow[],
  columns: readonly SourceColumn[],
): SourceRow[] {
  const headings = header?.values.map((heading) => heading.trim().toLowerCase()) ?? [];
  const places = columns.map(({ name, isOptional }) => {
    const place = headings.indexOf(name.toLowerCase());
    if (place < 0 && isOptional !== true)
      throw new DataFileError(file, header?.line ?? 1, `the header has no column ${name}`);
    return place;
  });
  if (rows.length === 0) throw new DataFileError(file, header!.line, "there is no row below the header");
  return rows.map(({ line, values }) => ({
    line,
    values: places.map((place) => values[place]?.trim() ?? ""),
  }));
}

/** @throws {DataFileError} for the first value that does not have the form of its column. */
export function checkForms(file: string, rows: readonly SourceRow[], columns: readonly SourceColumn[]): void {
  for (const { line, values } of rows) {
    for (let at = 0; at < columns.length; at++) {
      const { name, form } = columns[at]!;
      if (values[at]!.length > maxValueLength) {
        const reason = `the value in the column ${name} has more than ${maxValueLength} characters`;
        throw new DataFileError(file, line, reason);
      }
      if (form?.test(values[at]!) === false) {
        throw new DataFileError(
          file,
          line,
          `${JSON.stringify(values[at])} is not allowed in the column ${name}`,
        );
      }
    }
  }
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
 * Checks that two columns of free text are not swapped.
 *
 * @param place of the column whose values read like `what`.
 * @param others columns that might hold them instead, by their places.
 * @throws {DataFileError} where more values of another column read so than of that one.
 */
export function expectReading(
  file: string,
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
    const found = JSON.stringify(values[other]);
    const reason = `${found} in the column ${column} reads like a ${what}, and more of its values do: are two columns swapped?`;
    throw new DataFileError(file, line, reason);
  }
}
