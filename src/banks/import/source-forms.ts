import { DataFileError } from "../files/csv.ts";
import type { DatasetName } from "../files/datasets.ts";
import { blzSourceColumns, columnsWithoutRule } from "./blz-columns.ts";
import { readBlzXml } from "./blz-xml.ts";
import {
  checkForms,
  delimitedRows,
  fixedWidthRows,
  namedColumns,
  type SourceColumn,
  type SourceRow,
} from "./source-rows.ts";
import type { SourceText } from "./source-text.ts";

/** What a source file says: rows of the values that its dataset takes, in the order of the form's columns. */
export interface SourceTable {
  readonly rows: readonly SourceRow[];
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | undefined;
}

/** One form in which bank data is published. */
export interface SourceForm {
  readonly name: string;
  readonly kind: "blz" | "scl" | "epc" | "oenb";
  recognises(source: SourceText): boolean;
  read(source: SourceText): SourceTable;
}

const bic = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/;
const day = /^(\d{4}-\d{2}-\d{2})?$/;
const flag = /^[01]$/;

/** Columns of the directory of reachable payment service providers that are taken; further services are passed over. */
const sclColumns: readonly SourceColumn[] = [
  { name: "BIC", form: bic },
  { name: "Name", form: /^\S/ },
  { name: "SERVICE SCT", form: flag },
  { name: "SERVICE COR", form: flag },
  { name: "SERVICE B2B", form: flag },
  { name: "SERVICE SCC", form: flag },
];

/** Columns of the registers of participants of the European Payments Council. */
const epcColumns: readonly SourceColumn[] = [
  { name: "Country", form: /^\S/ },
  { name: "ParticipantName", form: /^\S/ },
  { name: "Address" },
  { name: "City" },
  { name: "BIC", form: bic },
  { name: "Readiness Date", form: day },
  { name: "Scheme Leaving Date", form: day },
  { name: "Scheme Options" },
];

/** Columns of the Oesterreichische Nationalbank's list of banks that are taken; the last one shows that a row is whole. */
const oenbColumns: readonly SourceColumn[] = [
  { name: "Bankleitzahl", form: /^\d{3,5}$/ },
  { name: "SWIFT-Code", form: /^([A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?)?$/ },
  { name: "Bankenname", form: /^\S/ },
  { name: "PLZ", form: /^([A-Z0-9 -]{3,10})?$/ },
  { name: "Ort" },
  { name: "LEI", form: /^([A-Z0-9]{20})?$/ },
];

const widths = blzSourceColumns.map(({ width }) => width);
const shortWidth = total(widths.slice(0, columnsWithoutRule));
const sclHeading = /^"?G(ue|ü)ltig ab \/ valid from (\d{2})\.(\d{2})\.(\d{4})\b/;

/** The forms that can be imported; each knows its files by what stands in them, whatever their name is. */
export const sourceForms: readonly SourceForm[] = [
  {
    name: "Bundesbank bank codes, XML",
    kind: "blz",
    recognises: ({ lines }) => /^\s*</.test(lines[0]!) && lines.some((line) => line.includes("<BLZEintrag")),
    read: (source) => {
      const { rows, validFrom, validUntil } = readBlzXml(source);
      return { rows: checkedBlzRows(source.file, rows), validFrom, validUntil };
    },
  },
  {
    name: "Bundesbank bank codes, CSV",
    kind: "blz",
    recognises: ({ lines }) => /(^|;)"?Bankleitzahl"?;/.test(lines[0]!) && lines[0]!.includes("Merkmal"),
    read: (source) => {
      const [header, ...rows] = delimitedRows(source, {});
      const names = blzSourceColumns.map(({ name }) => name).slice(0, header!.values.length);
      if (header!.values.length < columnsWithoutRule || header!.values.join(";") !== names.join(";")) {
        throw new DataFileError(source.file, 1, `the header is not ${names.join(";")}`);
      }
      if (rows.length === 0) throw new DataFileError(source.file, 1, "there is no row below the header");
      return { rows: checkedBlzRows(source.file, rows) };
    },
  },
  {
    name: "Bundesbank bank codes, fixed width",
    kind: "blz",
    recognises: ({ lines }) => /^\d{8}[12]\S/.test(lines[0]!),
    read: (source) => {
      const isShort = source.lines[0]!.length <= shortWidth;
      const rows = fixedWidthRows(source, isShort ? widths.slice(0, columnsWithoutRule) : widths);
      return { rows: checkedBlzRows(source.file, rows) };
    },
  },
  {
    name: "Bundesbank directory of reachable payment service providers, CSV",
    kind: "scl",
    recognises: ({ lines }) => sclHeading.test(lines[0]!),
    read: (source) => {
      const [, , date, month, year] = sclHeading.exec(source.lines[0]!)!;
      const table = delimitedRows(source, { skipped: 1, quoted: false });
      return {
        rows: checkedRows(source.file, table, sclColumns),
        validFrom: `${year}-${month}-${date}`,
      };
    },
  },
  {
    name: "EPC register of participants, CSV",
    kind: "epc",
    recognises: ({ lines }) => lines[0]!.includes("ParticipantName") && lines[0]!.includes("Readiness Date"),
    read: (source) => ({
      rows: checkedRows(source.file, delimitedRows(source, { delimiter: "," }), epcColumns),
    }),
  },
  {
    name: "OeNB banks of Austria, CSV",
    kind: "oenb",
    recognises: (source) => oenbHeader(source) >= 0,
    read: (source) => ({
      rows: checkedRows(source.file, delimitedRows(source, { skipped: oenbHeader(source) }), oenbColumns),
    }),
  },
];

/**
 * Finds out what form a file has and reads it.
 *
 * @throws {DataFileError} with line and reason, for a file of no known form or one that does not follow its form.
 */
export function readSource(source: SourceText): { readonly form: SourceForm; readonly table: SourceTable } {
  const form = sourceForms.find((candidate) => candidate.recognises(source));
  if (form === undefined) {
    const names = sourceForms.map(({ name }) => name).join("; ");
    throw new DataFileError(
      source.file,
      1,
      `it begins like none of the files that can be imported: ${names}`,
    );
  }
  return { form, table: form.read(source) };
}

/** The registers of the European Payments Council do not say of which scheme they are; their names do. */
const epcSchemes: readonly (readonly [DatasetName, RegExp])[] = [
  ["epc-sct-inst", /sct[-_ ]?inst/i],
  ["epc-sdd-b2b", /b2b/i],
  ["epc-sdd-core", /core|sdd/i],
  ["epc-sct", /sct/i],
];

/** Gives the dataset of a scheme register by the file's name, or undefined. */
export function epcDatasetOf(fileName: string): DatasetName | undefined {
  return epcSchemes.find(([, form]) => form.test(fileName))?.[0];
}

/** Above the header there may stand a disclaimer. */
function oenbHeader({ lines }: SourceText): number {
  return lines
    .slice(0, 20)
    .findIndex((line) => line.startsWith("Kennzeichen;") && line.includes(";Bankenname;"));
}

function checkedRows(
  file: string,
  table: readonly SourceRow[],
  columns: readonly SourceColumn[],
): SourceRow[] {
  const names = columns.map(({ name }) => name);
  const rows = namedColumns(file, table, names);
  checkForms(file, rows, columns);
  return rows;
}

function checkedBlzRows(file: string, rows: readonly SourceRow[]): readonly SourceRow[] {
  const columns = blzSourceColumns.slice(0, rows[0]?.values.length ?? 0);
  checkForms(file, rows, columns);
  const numbers = new Set<string>();
  for (const { line, values } of rows) {
    const tooLong = columns.findIndex(({ width }, place) => values[place]!.length > width);
    if (tooLong >= 0) {
      const { name, width } = columns[tooLong]!;
      throw new DataFileError(file, line, `the value of ${name} has more than ${width} characters`);
    }
    const number = values[9]!;
    if (numbers.has(number))
      throw new DataFileError(file, line, `Datensatznummer ${number} is there already`);
    numbers.add(number);
  }
  if (rows.length === 0) throw new DataFileError(file, 1, "it has no entry");
  return rows;
}

function total(parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum + part, 0);
}
