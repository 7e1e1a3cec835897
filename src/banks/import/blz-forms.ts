import { DataFileError } from "../files/csv.ts";
import { blzSourceColumns, columnsWithoutRule } from "./blz-columns.ts";
import { readBlzXml } from "./blz-xml.ts";
import type { SourceForm } from "./source-form.ts";
import { checkForms, delimitedRows, fixedWidthRows, type SourceRow } from "./source-rows.ts";

const widths = blzSourceColumns.map(({ width }) => width);
const shortWidth = widths.slice(0, columnsWithoutRule).reduce((sum, part) => sum + part, 0);

/** The forms of the Bundesbank's file of bank codes. */
export const blzForms: readonly SourceForm[] = [
  {
    name: "Bundesbank bank codes, XML",
    dataset: "blz",
    recognises: ({ lines }) => /^\s*</.test(lines[0]!) && lines.some((line) => line.includes("<BLZEintrag")),
    read: (source) => {
      const { rows, validFrom, validUntil } = readBlzXml(source);
      return { rows: checkedRows(source.file, rows), validFrom, validUntil };
    },
  },
  {
    name: "Bundesbank bank codes, CSV",
    dataset: "blz",
    recognises: ({ lines }) => /(^|;)"?Bankleitzahl"?;/.test(lines[0]!) && lines[0]!.includes("Merkmal"),
    read: (source) => {
      const [header, ...rows] = delimitedRows(source, {});
      const names = blzSourceColumns.map(({ name }) => name).slice(0, header!.values.length);
      if (header!.values.length < columnsWithoutRule || header!.values.join(";") !== names.join(";")) {
        throw new DataFileError(source.file, 1, `the header is not ${names.join(";")}`);
      }
      if (rows.length === 0) throw new DataFileError(source.file, 1, "there is no row below the header");
      return { rows: checkedRows(source.file, rows) };
    },
  },
  {
    name: "Bundesbank bank codes, fixed width",
    dataset: "blz",
    recognises: ({ lines }) => /^\d{8}[12]\S/.test(lines[0]!),
    read: (source) => {
      const isShort = source.lines[0]!.length <= shortWidth;
      const rows = fixedWidthRows(source, isShort ? widths.slice(0, columnsWithoutRule) : widths);
      return { rows: checkedRows(source.file, rows) };
    },
  },
];

function checkedRows(file: string, rows: readonly SourceRow[]): readonly SourceRow[] {
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
    if (numbers.has(number)) {
      throw new DataFileError(file, line, `Datensatznummer ${number} is there already`);
    }
    numbers.add(number);
  }
  if (rows.length === 0) throw new DataFileError(file, 1, "it has no entry");
  return rows;
}
