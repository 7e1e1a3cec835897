import { type XmlReader, xmlReader } from "../../rows/xml.ts";
import { splitLine, wrongLength } from "../files/csv.ts";
import {
  bicOrNone,
  delimitedRows,
  expectReading,
  namedRows,
  type SourceColumn,
  type SourceForm,
  type SourceRow,
  type SourceTable,
} from "./source-rows.ts";
import type { SourceText } from "./source-text.ts";

/** A column of the Bundesbank's file of bank codes in its three forms. */
interface BlzColumn extends SourceColumn {
  readonly heading: string;
  /** Its width in the form of fixed width. */
  readonly maxLength: number;
  /** Name of the element in the XML form. */
  readonly element: string;
}

const text = /^(\S.*)?$/;

/**
 * The columns of the file of bank codes, in order. The last one is in the extended file only (174 columns, or XML with
 * `IBANRegel`); the plain one (168 columns, or CSV) does not have it.
 *
 * Source: Deutsche Bundesbank, "Merkblatt Bankleitzahlendatei".
 */
export const blzSourceColumns: readonly BlzColumn[] = [
  { heading: "Bankleitzahl", maxLength: 8, element: "BLZ", form: /^[1-9]\d{7}$/ },
  { heading: "Merkmal", maxLength: 1, element: "Merkmal", form: /^[12]$/ },
  { heading: "Bezeichnung", maxLength: 58, element: "Bezeichnung", form: /^\S.*$/ },
  { heading: "PLZ", maxLength: 5, element: "PLZ", form: /^(\d{5})?$/ },
  { heading: "Ort", maxLength: 35, element: "Ort", form: text },
  { heading: "Kurzbezeichnung", maxLength: 27, element: "Kurzbez", form: text },
  { heading: "PAN", maxLength: 5, element: "PAN", form: /^(\d{5})?$/ },
  { heading: "BIC", maxLength: 11, element: "BIC", form: bicOrNone },
  { heading: "Prüfzifferberechnungsmethode", maxLength: 2, element: "PruefZiffMeth", form: /^[0-9A-Z]\d$/ },
  { heading: "Datensatznummer", maxLength: 6, element: "DsNr", form: /^\d{6}$/ },
  { heading: "Änderungskennzeichen", maxLength: 1, element: "Aenderungskennz", form: /^[ADMU]$/ },
  { heading: "Bankleitzahllöschung", maxLength: 1, element: "BLZLoesch", form: /^[01]$/ },
  { heading: "Nachfolge-Bankleitzahl", maxLength: 8, element: "NachfolgeBLZ", form: /^(0{8}|[1-9]\d{7})$/ },
  { heading: "IBAN-Regel", maxLength: 6, element: "IBANRegel", form: /^\d{6}$/ },
];

/** How many of the columns the plain file has, which lacks the IBAN rules. */
const columnsWithoutRule = blzSourceColumns.length - 1;

const entryElement = "BLZEintrag";

/** Reads the XML form of the file of bank codes, which omits values that are not known. */
function readBlzXml(source: SourceText): SourceTable {
  const fault = (reason: string) => source.fault(xml.line, reason);
  const found: SourceRow[] = [];
  const header = new Map<string, string>();
  let entry: { readonly line: number; readonly stated: Map<string, string> } | undefined;
  const open = (name: string) => {
    if (name !== entryElement) return;
    if (entry !== undefined) throw fault(`an element ${entryElement} is inside another one`);
    entry = { line: xml.line, stated: new Map() };
  };
  const close = (name: string, text: string) => {
    if (entry === undefined || name !== entryElement) {
      const stated = entry?.stated ?? header;
      if (entry !== undefined && stated.has(name)) throw fault(`the element ${name} appears twice`);
      // Numbers come without leading zeros in this form.
      stated.set(name, name === "DsNr" ? text.trim().padStart(6, "0") : text.trim());
      return;
    }
    const { line, stated } = entry;
    const columns = stated.has("IBANRegel")
      ? blzSourceColumns
      : blzSourceColumns.slice(0, columnsWithoutRule);
    found.push({ line, values: columns.map(({ element }) => stated.get(element) ?? "") });
    entry = undefined;
  };
  const xml: XmlReader = xmlReader({ open, close }, (reason) =>
    fault(`it is not well-formed XML: ${reason.replace(/^\d+:\d+: /, "")}`),
  );
  for (const line of source.lines) xml.read(`${line}\n`);
  xml.close();
  const [validFrom, validUntil] = ["ValidFrom", "ValidTill"].map((name) => header.get(name));
  return { rows: checkedRows(source, found), validFrom, validUntil };
}

const blzHeadings = blzSourceColumns.map(({ heading }) => heading);
const widths = blzSourceColumns.map(({ maxLength }) => maxLength);
const sum = (one: number, other: number) => one + other;

export const blzForms: readonly SourceForm[] = [
  {
    name: "Bundesbank bank codes, XML",
    dataset: "blz",
    read: (source) => {
      const { lines } = source;
      const isXml = /^\s*</.test(lines[0]!) && lines.some((line) => line.includes(`<${entryElement}`));
      return isXml ? readBlzXml(source) : undefined;
    },
  },
  {
    name: "Bundesbank bank codes, CSV",
    dataset: "blz",
    read: (source) => {
      const first = source.lines[0]!;
      if (!/(^|;)"?Bankleitzahl"?;/.test(first) || !first.includes("Merkmal")) return undefined;
      const headings = splitLine(source.file, 1, first, ";");
      const expected = blzHeadings.slice(0, headings.length).join(";");
      if (headings.length < columnsWithoutRule || headings.join(";") !== expected) {
        throw source.fault(1, `the header is not ${expected}`);
      }
      const rows = delimitedRows(source, { line: 1, headings, delimiter: ";" });
      return { rows: checkedRows(source, rows) };
    },
  },
  {
    name: "Bundesbank bank codes, fixed width",
    dataset: "blz",
    read: (source) => {
      if (!/^\d{8}[12]\S/.test(source.lines[0]!)) return undefined;
      const isShort = source.lines[0]!.length <= widths.slice(0, columnsWithoutRule).reduce(sum);
      const taken = isShort ? widths.slice(0, columnsWithoutRule) : widths;
      const pattern = new RegExp(`^${taken.map((width) => `(.{${width}})`).join("")}$`, "s");
      const rows = source.lines.map((text, index) => {
        const values = pattern
          .exec(text)
          ?.slice(1)
          .map((value) => value.trimEnd());
        if (values !== undefined) return { line: index + 1, values };
        throw source.fault(index + 1, wrongLength(taken.reduce(sum), text.length));
      });
      return { rows: checkedRows(source, rows) };
    },
  },
];

/** @throws {DataFileError} for no row, a value of another form, a number given twice, and columns that are swapped. */
function checkedRows(source: SourceText, found: readonly SourceRow[]): readonly SourceRow[] {
  const columns = blzSourceColumns.slice(0, found[0]?.values.length);
  const named = Object.fromEntries(columns.map((column) => [column.heading, column]));
  const rows = namedRows(source, blzHeadings, found, named);
  const numbers = new Set<string>();
  for (const { line, values } of rows) {
    const number = values[9]!;
    if (numbers.has(number)) throw source.fault(line, `Datensatznummer ${number} is listed twice`);
    numbers.add(number);
  }
  expectReading(source, rows, "bank", 2, { Ort: 4 });
  return rows;
}
