import { isBic } from "../../banking/bic.ts";
import { splitLine, wrongLength } from "../files/csv.ts";
import type { DatasetName } from "../files/datasets.ts";
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

const maxValueLength = 1_000;

/** A column of a source file and the values it accepts. */
export interface SourceColumn {
  readonly name: string;
  readonly form?: ValueForm;
  /** Whether a file may be without it; its values are `""` then. */
  readonly isOptional?: true;
  /** Maximum number of characters of a value; 1,000 unless given. */
  readonly maxLength?: number;
}

/** Cuts lines of fixed width into columns, without the blanks after the values. */
export function fixedWidthRows(source: SourceText, widths: readonly number[]): SourceRow[] {
  const width = widths.reduce((sum, part) => sum + part, 0);
  return source.lines.map((text, index) => {
    if (text.length !== width) {
      const reason = `it has ${text.length} columns, and the lines of this form have ${width}`;
      throw source.fault(index + 1, reason);
    }
    let at = 0;
    const values = widths.map((part) => {
      at += part;
      return text.slice(at - part, at).trimEnd();
    });
    return { line: index + 1, values };
  });
}

/**
 * Splits the lines below `skipped` ones, one row a line, at a delimiter; `quoted` says whether values may be in quotes.
 *
 * A row has as many columns as `counts` allows, and as many as the first one if it is absent. Those of a workbook
 * have the cells that they have.
 *
 * @throws {DataFileError} for a row with another number of columns.
 */
export function delimitedRows(
  source: SourceText,
  { skipped = 0, delimiter = ";", quoted = true, counts = [] as readonly number[] },
): SourceRow[] {
  const { file, lines, cells } = source;
  let allowed = counts;
  return lines.slice(skipped).map((text, index) => {
    const line = skipped + index + 1;
    if (counts.length > 0 && cells !== undefined) return { line, values: cells[line - 1]! };
    const values = quoted ? splitLine(file, line, text, delimiter) : text.split(delimiter);
    if (allowed.length === 0) allowed = [values.length];
    if (allowed.includes(values.length)) return { line, values };
    const expected = counts.join(" or ");
    const reason = `it has ${values.length} columns, and a row has ${expected}`;
    throw source.fault(line, expected === "" ? wrongLength(allowed[0]!, values.length) : reason);
  });
}

/**
 * Removes the header and returns, for each row, the values of the named columns without blanks around them.
 *
 * @throws {DataFileError} for a header without one of them, a file without rows, and a value of another form.
 */
export function namedColumns(
  source: SourceText,
  [header, ...rows]: readonly SourceRow[],
  columns: readonly SourceColumn[],
): SourceRow[] {
  const headings = header?.values.map((heading) => heading.trim().toLowerCase()) ?? [];
  const places = columns.map(({ name, isOptional }) => {
    const place = headings.indexOf(name.toLowerCase());
    if (place >= 0 || isOptional) return place;
    throw source.fault(header?.line ?? 1, `the header has no column ${name}`);
  });
  if (rows.length === 0) throw source.fault(header!.line, "there is no row after the header");
  const found = rows.map(({ line, values }) => ({
    line,
    values: places.map((place) => values[place]?.trim() ?? ""),
  }));
  checkForms(source, found, columns);
  return found;
}

/** @throws {DataFileError} for the first value that does not have the form of its column. */
export function checkForms(
  source: SourceText,
  rows: readonly SourceRow[],
  columns: readonly SourceColumn[],
): void {
  for (const { line, values } of rows) {
    for (const [at, { name, form, maxLength = maxValueLength }] of columns.entries()) {
      const value = values[at] ?? "";
      if (value.length > maxLength) {
        throw source.fault(line, `the value in the column ${name} has more than ${maxLength} characters`);
      }
      if (form?.test(value) === false) {
        throw source.fault(line, `${JSON.stringify(value)} is not allowed in the column ${name}`);
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
 * @throws {DataFileError} if more values of another column read so than of that one.
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
