import { isBic } from "../../banking/bic.ts";
import { dayInText } from "../editions/days.ts";
import { DataFileError } from "../files/csv.ts";
import type { DatasetName } from "../files/datasets.ts";
import {
  bicOrNone,
  expectReading,
  nameForm,
  raggedRows,
  type SourceForm,
  type SourceRow,
  type SourceTable,
  type ValueForm,
} from "./source-rows.ts";
import type { SourceText } from "./source-text.ts";

/** A column of a list, by its heading, and its allowed content. */
interface ListColumn {
  readonly heading: RegExp;
  readonly form?: ValueForm;
}

/** Layout of an issuer's list of banks. */
export interface BankListLayout {
  readonly name: string;
  readonly dataset: DatasetName;
  /** Undefined where a workbook is published, which may have been saved as CSV with any delimiter. */
  readonly delimiter?: string;
  readonly country: string | { readonly heading: RegExp; readonly of: (given: string) => string };
  /**
   * With `isPrefix` a shorter code stands for all codes of `digits` that begin so and are not listed themselves, and a
   * cell may hold several codes and ranges; longer codes, which divide one among banks, are left out.
   */
  readonly bankCode: ListColumn & { readonly digits: number; readonly isPrefix?: true };
  /** `none` is the text in place of a BIC, `passesOver` the text of an unassigned code. */
  readonly bic?: ListColumn & { readonly none?: RegExp; readonly passesOver?: RegExp };
  /** The first of these columns that is not empty holds the name. */
  readonly names: readonly RegExp[];
  readonly zip?: ListColumn;
  readonly city?: ListColumn;
  /** Where a bank has a row for each branch: what marks the one of its head office. */
  readonly headOffice?: { readonly heading: RegExp; readonly is: RegExp };
  readonly passesOver?: { readonly heading: RegExp; readonly is: RegExp };
  /** A name that marks an unassigned code. */
  readonly vacant?: RegExp;
  /** The column that holds the day of the list; otherwise it is above the header, or missing. */
  readonly day?: { readonly heading: RegExp };
  /** Columns that are not taken, but must be there and be well-formed. */
  readonly others?: readonly ListColumn[];
  /** Places of the columns in a list without header. */
  readonly columns?: {
    readonly count: number;
    readonly bankCode: number;
    readonly names: readonly number[];
    readonly bic: number;
  };
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
    ...(layout.bic === undefined ? { absent: ["bic"] } : {}),
    recognises: (source) => headerOf(layout, source) !== undefined,
    read: (source) => readList(layout, source),
  };
}

/** Where the header of a list is, and what separates its columns. */
interface Header {
  /** Index of its line; -1 for a list without header. */
  readonly line: number;
  readonly delimiter: string;
  readonly cells: readonly string[];
}

function headerOf(layout: BankListLayout, { lines, cells }: SourceText): Header | undefined {
  const wanted = requiredHeadings(layout);
  for (const delimiter of cells === undefined && layout.delimiter !== undefined
    ? [layout.delimiter]
    : delimiters) {
    if (layout.columns !== undefined) {
      const count = lines[0]!.split(delimiter).length;
      if (count === layout.columns.count) return { line: -1, delimiter, cells: [] };
      continue;
    }
    for (const [line, text] of lines.slice(0, maxLinesAbove).entries()) {
      const found = (cells?.[line] ?? text.split(delimiter)).map((cell) =>
        cell
          .trim()
          .replace(/^"(.*)"$/, "$1")
          .trim(),
      );
      if (wanted.every((heading) => found.some((cell) => heading.test(cell))))
        return { line, delimiter, cells: found };
    }
  }
  return undefined;
}

function requiredHeadings({ bankCode, bic, names, headOffice, others = [] }: BankListLayout) {
  const columns = [bankCode, bic, headOffice, ...others].filter((column) => column !== undefined);
  return [...columns.map(({ heading }) => heading), ...(names.length === 1 ? names : [])];
}

function readList(layout: BankListLayout, source: SourceText): SourceTable {
  const header = headerOf(layout, source)!;
  const rows = raggedRows(source, header.line + 1, header.delimiter, columnCounts(layout, header));
  if (rows.length === 0) {
    throw new DataFileError(source.file, Math.max(1, header.line + 1), "there is no row below the header");
  }
  const places = placesOf(layout, source.file, header);
  const read = rows.flatMap((row) => bankOf(layout, source.file, places, row));
  if (layout.city !== undefined) expectReading(source.file, read, "bank", 4, { "of towns": 7 });
  const banks = layout.headOffice === undefined ? read : headOffices(read);
  const expanded = layout.bankCode.isPrefix ? withPrefixes(banks, layout.bankCode.digits) : banks;
  const stated =
    layout.day === undefined
      ? source.lines.slice(0, Math.max(0, header.line)).join("\n")
      : rows[0]!.values[places.day]!;
  const validFrom = dayInText(stated);
  if (validFrom === undefined && dayLike.test(stated)) {
    const line = layout.day === undefined ? 1 : rows[0]!.line;
    throw new DataFileError(source.file, line, `${dayLike.exec(stated)![0]} is not a day`);
  }
  return { rows: expanded.map(({ line, values }) => ({ line, values })), validFrom };
}

interface Places {
  readonly country: number;
  readonly bankCode: number;
  readonly bic: number;
  readonly names: readonly number[];
  readonly zip: number;
  readonly city: number;
  readonly headOffice: number;
  readonly passesOver: number;
  readonly day: number;
  readonly others: readonly number[];
}

const none = -1;
const nowhere = {
  country: none,
  zip: none,
  city: none,
  headOffice: none,
  passesOver: none,
  day: none,
  others: [],
};

function placesOf(layout: BankListLayout, file: string, { line, cells }: Header): Places {
  const { columns } = layout;
  const optional = (column: { readonly heading: RegExp } | undefined): number =>
    column === undefined ? none : cells.findIndex((cell) => column.heading.test(cell));
  const place = (column: { readonly heading: RegExp } | undefined): number => {
    const found = optional(column);
    if (column !== undefined && found < 0) {
      throw new DataFileError(file, line + 1, `the header has no column like ${column.heading.source}`);
    }
    return found;
  };
  if (columns !== undefined) {
    const { bankCode, bic, names } = columns;
    return { ...nowhere, bankCode, bic, names };
  }
  const names = layout.names.map((heading) => optional({ heading })).filter((found) => found >= 0);
  if (names.length === 0) throw new DataFileError(file, line + 1, "the header has no column of names");
  return {
    country: typeof layout.country === "string" ? none : place(layout.country),
    bankCode: place(layout.bankCode),
    bic: place(layout.bic),
    names,
    zip: place(layout.zip),
    city: place(layout.city),
    headOffice: place(layout.headOffice),
    passesOver: optional(layout.passesOver),
    day: place(layout.day),
    others: (layout.others ?? []).map(place),
  };
}

/** A row may end after the last named column: SIX writes the time of its list there, in the header only. */
function columnCounts({ columns }: BankListLayout, { cells }: Header): readonly number[] {
  if (columns !== undefined) return [columns.count];
  const named = cells.findLastIndex((cell) => cell !== "" && !/^\d+$/.test(cell)) + 1;
  return Array.from({ length: cells.length - named + 1 }, (_, more) => named + more);
}

interface ListedRow extends SourceRow {
  readonly isHeadOffice: boolean;
}

/** Reads a bank's row; undefined if its code is unassigned. */
function bankOf(
  layout: BankListLayout,
  file: string,
  places: Places,
  { line, values }: SourceRow,
): ListedRow[] {
  const cell = (place: number): string => (place < 0 ? "" : (values[place] ?? "").trim());
  if (values.every((value) => value.trim() === "")) return [];
  if (layout.passesOver?.is.test(cell(places.passesOver))) return [];
  const check = (value: string, form: ValueForm | undefined, column: string): string => {
    if (form?.test(value) === false) {
      throw new DataFileError(file, line, `${JSON.stringify(value)} is not allowed in the column ${column}`);
    }
    return value;
  };
  const { digits, isPrefix, form: codeForm } = layout.bankCode;
  const writtenCode = cell(places.bankCode);
  const bankCodes = (isPrefix ? codesIn(writtenCode) : [writtenCode]).map((code) =>
    check(code, codeForm, "of bank codes"),
  );
  const written = cell(places.bic).replace(/\s/g, "").toUpperCase();
  if (layout.bic?.passesOver?.test(cell(places.bic))) return [];
  const bic = layout.bic?.none?.test(written) ? "" : check(written, bicOrNone, "of BICs");
  const name = places.names.map(cell).find((text) => text !== "") ?? "";
  if (layout.vacant?.test(name)) return [];
  check(name, nameForm, "of names");
  const country =
    typeof layout.country === "string" ? layout.country : layout.country.of(cell(places.country));
  if (isBicOf(name, country))
    throw new DataFileError(file, line, `${JSON.stringify(name)} in the column of names is a BIC`);
  const zip = check(cell(places.zip), layout.zip?.form, "of postal codes");
  for (const [index, { form }] of (layout.others ?? []).entries()) {
    check(cell(places.others[index]!), form, layout.others![index]!.heading.source);
  }
  const city = check(cell(places.city), textOrNone, "of towns");
  const isHeadOffice = layout.headOffice?.is.test(cell(places.headOffice)) ?? true;
  return bankCodes.map((code) => ({
    line,
    isHeadOffice,
    values: [
      country,
      isPrefix ? code : code.padStart(digits, "0"),
      "",
      bic,
      name,
      "",
      zip,
      city,
      layout.dataset,
    ],
  }));
}

/** Reads the codes and ranges of a cell, "8 ja 34" or "405, 470-479"; a text of another form as it is. */
function codesIn(text: string): string[] {
  return text.split(/\s*,\s*|\s+ja\s+/).flatMap((part) => {
    const [, first, last] = /^(\d{3})\s?[-–]\s?(\d{3})$/.exec(part) ?? [];
    if (first === undefined || last === undefined || first > last) return /^\d{4}$/.test(part) ? [] : [part];
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, more) =>
      String(Number(first) + more).padStart(3, "0"),
    );
  });
}

/** Whether a text in the place of a name is a BIC of the list's country: POSTBANK is not one of Germany. */
function isBicOf(name: string, country: string): boolean {
  return isBic(name) && name.slice(4, 6) === country;
}

/** Of the rows of one bank code that of the head office, or else the first. */
function headOffices(rows: readonly ListedRow[]): ListedRow[] {
  const byCode = new Map<string, ListedRow>();
  for (const row of rows) {
    const known = byCode.get(row.values[1]!);
    if (known === undefined || (!known.isHeadOffice && row.isHeadOffice)) byCode.set(row.values[1]!, row);
  }
  return [...byCode.values()];
}

/** Lets a code that is shorter than `digits` stand for all that begin so and are not listed by more of their digits. */
function withPrefixes(rows: readonly ListedRow[], digits: number): ListedRow[] {
  const bySpan = rows.toSorted((a, b) => b.values[1]!.length - a.values[1]!.length);
  const seen = new Set<string>();
  return bySpan.flatMap((row) => {
    const prefix = row.values[1]!;
    const codes = Array.from({ length: 10 ** (digits - prefix.length) }, (_, rest) =>
      prefix.length === digits ? prefix : prefix + String(rest).padStart(digits - prefix.length, "0"),
    );
    // A whole code that is listed twice is refused later; one that a longer prefix covers is not.
    const free = codes.filter((code) => prefix.length === digits || !seen.has(code));
    for (const code of free) seen.add(code);
    return free.map((code) => ({ ...row, values: row.values.with(1, code) }));
  });
}
