import { isBic } from "../../banking/bic.ts";
import { dayInText } from "../editions/days.ts";
import type { DatasetName } from "../files/datasets.ts";
import {
  bicOrNone,
  delimitedRows,
  expectReading,
  nameForm,
  type SourceForm,
  type SourceRow,
  type SourceTable,
  type ValueForm,
} from "./source-rows.ts";
import type { SourceText } from "./source-text.ts";

/** How a column is found: by its heading or, in a list without header, by its place. */
type Heading = RegExp | number;

interface ListColumn {
  readonly heading: Heading;
  readonly form?: ValueForm;
}

/** Layout of an issuer's list of banks. */
export interface BankListLayout {
  readonly name: string;
  readonly dataset: DatasetName;
  /** Undefined where a workbook is published, which may have been saved as CSV with any delimiter. */
  readonly delimiter?: string;
  /** Number of columns of a list without header. */
  readonly columnCount?: number;
  readonly country: string | { readonly heading: RegExp; readonly of: (given: string) => string };
  readonly bankCode: ListColumn & { readonly digits: number };
  /** `none` is the text in place of a BIC, `passesOver` the text of an unassigned code. */
  readonly bic: ListColumn & { readonly none?: RegExp; readonly passesOver?: RegExp };
  /** The first of these columns that is not empty holds the name. */
  readonly names: readonly Heading[];
  readonly zip?: ListColumn;
  readonly city?: ListColumn;
  readonly passesOver?: { readonly heading: RegExp; readonly is: RegExp };
  /** A name that marks an unassigned code. */
  readonly vacant?: RegExp;
  /** The column that holds the day of the list; otherwise it is above the header, or missing. */
  readonly day?: { readonly heading: RegExp };
  /** Columns that are not taken, but must be there and be well-formed. */
  readonly others?: readonly ListColumn[];
}

const textOrNone: ValueForm = { test: (value) => value === "" || nameForm.test(value) };
const dayLike = /\d{1,4}[./-]\d{1,2}[./-]\d{2,4}/;
/** A title, a disclaimer and a date may precede the header. */
const maxLinesAbove = 20;
const delimiters = ["\t", ";", ","];

/** Returns the form of a list of banks. */
export function bankListForm(layout: BankListLayout): SourceForm {
  return {
    name: layout.name,
    dataset: layout.dataset,
    recognises: (source) => headerOf(layout, source) !== undefined,
    read: (source) => readList(layout, source),
  };
}

/** Where the header of a list is, and what separates its columns. */
interface Header {
  /** Its line; 0 for a list without header. */
  readonly line: number;
  readonly delimiter: string;
  readonly cells: readonly string[];
}

function headerOf(layout: BankListLayout, { lines, cells }: SourceText): Header | undefined {
  const { bankCode, bic, names, others = [], columnCount } = layout;
  const columns = [bankCode, bic, ...others, ...(names.length === 1 ? [{ heading: names[0]! }] : [])];
  for (const delimiter of cells === undefined && layout.delimiter !== undefined
    ? [layout.delimiter]
    : delimiters) {
    if (columnCount !== undefined) {
      if (lines[0]!.split(delimiter).length === columnCount) return { line: 0, delimiter, cells: [] };
      continue;
    }
    for (const [index, text] of lines.slice(0, maxLinesAbove).entries()) {
      const unquoted = (cell: string) =>
        cell
          .trim()
          .replace(/^"(.*)"$/, "$1")
          .trim();
      const header = {
        line: index + 1,
        delimiter,
        cells: (cells?.[index] ?? text.split(delimiter)).map(unquoted),
      };
      if (columns.every((column) => placeOf(header, column) >= 0)) return header;
    }
  }
  return undefined;
}

/** Returns the place of a column; -1 if the list does not have it. */
function placeOf({ cells }: Header, { heading }: { readonly heading: Heading }): number {
  return typeof heading === "number" ? heading : cells.findIndex((cell) => heading.test(cell));
}

function readList(layout: BankListLayout, source: SourceText): SourceTable {
  const header = headerOf(layout, source)!;
  const { delimiter } = header;
  const counts = columnCounts(layout, header);
  const rows = delimitedRows(source, { skipped: header.line, delimiter, quoted: delimiter !== "\t", counts });
  if (rows.length === 0) throw source.fault(Math.max(1, header.line), "there is no row after the header");
  const banks = rows.flatMap(bankReader(layout, source, header));
  if (layout.city !== undefined) expectReading(source, banks, "bank", 4, { "of towns": 7 });
  const [line, stated] =
    layout.day === undefined
      ? [1, source.lines.slice(0, Math.max(0, header.line - 1)).join("\n")]
      : [rows[0]!.line, rows[0]!.values[placeOf(header, layout.day)]!];
  const validFrom = dayInText(stated);
  if (validFrom === undefined && dayLike.test(stated)) {
    throw source.fault(line, `${dayLike.exec(stated)![0]} is not a day`);
  }
  return { rows: banks, validFrom };
}

/** A row may end after the last named column: SIX writes the time of its list there, in the header only. */
function columnCounts({ columnCount }: BankListLayout, { cells }: Header): readonly number[] {
  if (columnCount !== undefined) return [columnCount];
  const named = cells.findLastIndex((cell) => cell !== "" && !/^\d+$/.test(cell)) + 1;
  return Array.from({ length: cells.length - named + 1 }, (_, more) => named + more);
}

/** Returns what reads the bank of a row: none if its code is unassigned. */
function bankReader(
  layout: BankListLayout,
  source: SourceText,
  header: Header,
): (row: SourceRow) => SourceRow[] {
  const { country, bankCode, bic, zip, city, passesOver, vacant, others = [] } = layout;
  const names = layout.names.map((heading) => ({ heading }));
  const places = new Map<unknown, number>();
  for (const column of [country, bankCode, bic, zip, city, passesOver, layout.day, ...names, ...others]) {
    if (typeof column === "object") places.set(column, placeOf(header, column));
  }
  for (const column of [country, zip, city, layout.day]) {
    if (typeof column !== "object" || places.get(column)! >= 0) continue;
    throw source.fault(header.line, `the header has no column like ${(column.heading as RegExp).source}`);
  }
  if (names.every((column) => places.get(column)! < 0)) {
    throw source.fault(header.line, "the header has no column of names");
  }
  return ({ line, values }) => {
    const cell = (column: unknown): string => values[places.get(column) ?? -1]?.trim() ?? "";
    const check = (value: string, form: ValueForm | undefined, place: string): string => {
      if (form?.test(value) !== false) return value;
      throw source.fault(line, `${JSON.stringify(value)} is not allowed in the column ${place}`);
    };
    if (values.every((value) => value.trim() === "")) return [];
    if (passesOver?.is.test(cell(passesOver))) return [];
    const written = check(cell(bankCode), bankCode.form, "of bank codes");
    if (bic.passesOver?.test(cell(bic))) return [];
    const writtenBic = cell(bic).replace(/\s/g, "").toUpperCase();
    const bankBic = bic.none?.test(writtenBic) ? "" : check(writtenBic, bicOrNone, "of BICs");
    const name = names.map(cell).find((text) => text !== "") ?? "";
    if (vacant?.test(name)) return [];
    check(name, nameForm, "of names");
    const bankCountry = typeof country === "string" ? country : country.of(cell(country));
    if (isBicOf(name, bankCountry)) {
      throw source.fault(line, `${JSON.stringify(name)} in the column of names is a BIC`);
    }
    const bankZip = check(cell(zip), zip?.form, "of postal codes");
    for (const column of others) check(cell(column), column.form, String(column.heading));
    const town = check(cell(city), textOrNone, "of towns");
    const code = written.padStart(bankCode.digits, "0");
    const stated = [bankCountry, code, "", bankBic, name, "", bankZip, town, layout.dataset];
    return [{ line, values: stated }];
  };
}

/** Whether a text in the place of a name is a BIC of the list's country: POSTBANK is not one of Germany. */
function isBicOf(name: string, country: string): boolean {
  return isBic(name) && name.slice(4, 6) === country;
}
