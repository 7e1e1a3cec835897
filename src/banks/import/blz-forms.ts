import { XmlReader } from "../../rows/xml.ts";
import {
  bicOrNone,
  checkForms,
  delimitedRows,
  expectReading,
  fixedWidthRows,
  type SourceColumn,
  type SourceForm,
  type SourceRow,
  type SourceTable,
} from "./source-rows.ts";
import type { SourceText } from "./source-text.ts";

/** A column of the Bundesbank's file of bank codes in its three forms. */
interface BlzColumn extends SourceColumn {
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
  { name: "Bankleitzahl", maxLength: 8, element: "BLZ", form: /^[1-9]\d{7}$/ },
  { name: "Merkmal", maxLength: 1, element: "Merkmal", form: /^[12]$/ },
  { name: "Bezeichnung", maxLength: 58, element: "Bezeichnung", form: /^\S.*$/ },
  { name: "PLZ", maxLength: 5, element: "PLZ", form: /^(\d{5})?$/ },
  { name: "Ort", maxLength: 35, element: "Ort", form: text },
  { name: "Kurzbezeichnung", maxLength: 27, element: "Kurzbez", form: text },
  { name: "PAN", maxLength: 5, element: "PAN", form: /^(\d{5})?$/ },
  { name: "BIC", maxLength: 11, element: "BIC", form: bicOrNone },
  { name: "Prüfzifferberechnungsmethode", maxLength: 2, element: "PruefZiffMeth", form: /^[0-9A-Z]\d$/ },
  { name: "Datensatznummer", maxLength: 6, element: "DsNr", form: /^\d{6}$/ },
  { name: "Änderungskennzeichen", maxLength: 1, element: "Aenderungskennz", form: /^[ADMU]$/ },
  { name: "Bankleitzahllöschung", maxLength: 1, element: "BLZLoesch", form: /^[01]$/ },
  { name: "Nachfolge-Bankleitzahl", maxLength: 8, element: "NachfolgeBLZ", form: /^(0{8}|[1-9]\d{7})$/ },
  { name: "IBAN-Regel", maxLength: 6, element: "IBANRegel", form: /^\d{6}$/ },
];

/** How many of the columns the plain file has, which lacks the IBAN rules. */
const columnsWithoutRule = blzSourceColumns.length - 1;

const entryElement = "BLZEintrag";
const placeOfElement = new Map(blzSourceColumns.map(({ element }, place) => [element, place]));

/**
 * Reads the XML form of the file of bank codes, element by element.
 *
 * @throws {DataFileError} if it is not XML, has an entry without one of the elements, or an element twice.
 */
function readBlzXml(source: SourceText): SourceTable {
  const fault = (reason: string) => source.fault(xml.line, reason);
  const rows: SourceRow[] = [];
  let [validFrom, validUntil]: [string?, string?] = [];
  let entry: { readonly line: number; readonly values: (string | undefined)[] } | undefined;
  const open = (name: string) => {
    if (name !== entryElement) return;
    if (entry !== undefined) throw fault(`an element ${entryElement} is inside another one`);
    entry = { line: xml.line, values: blzSourceColumns.map(() => undefined) };
  };
  const close = (name: string, text: string) => {
    const value = text.trim();
    const place = placeOfElement.get(name);
    if (entry === undefined) {
      if (name === "ValidFrom") validFrom = value;
      if (name === "ValidTill") validUntil = value;
    } else if (name === entryElement) {
      rows.push({ line: entry.line, values: entry.values.flatMap(statedValue) });
      entry = undefined;
    } else if (place !== undefined) {
      if (entry.values[place] !== undefined) throw fault(`the element ${name} appears twice`);
      // Numbers come without leading zeros in this form.
      entry.values[place] = name === "DsNr" ? value.padStart(6, "0") : value;
    }
  };
  const statedValue = (value: string | undefined, place: number): readonly string[] => {
    if (value !== undefined) return [value];
    const { element, form } = blzSourceColumns[place]!;
    // This form omits unknown values, and the plain file the IBAN rules.
    if (place === columnsWithoutRule) return [];
    if (form?.test("")) return [""];
    throw fault(`the entry has no element ${element}`);
  };
  const xml: XmlReader = new XmlReader({ open, close }, (reason) =>
    fault(`it is not well-formed XML: ${reason.replace(/^\d+:\d+: /, "")}`),
  );
  for (const line of source.lines) xml.read(`${line}\n`);
  xml.close();
  return { rows: checkedRows(source, rows), validFrom, validUntil };
}

const widths = blzSourceColumns.map(({ maxLength }) => maxLength);
const shortWidth = widths.slice(0, columnsWithoutRule).reduce((sum, part) => sum + part, 0);

/** The forms of the Bundesbank's file of bank codes. */
export const blzForms: readonly SourceForm[] = [
  {
    name: "Bundesbank bank codes, XML",
    dataset: "blz",
    recognises: ({ lines }) => /^\s*</.test(lines[0]!) && lines.some((line) => line.includes("<BLZEintrag")),
    read: readBlzXml,
  },
  {
    name: "Bundesbank bank codes, CSV",
    dataset: "blz",
    recognises: ({ lines }) => /(^|;)"?Bankleitzahl"?;/.test(lines[0]!) && lines[0]!.includes("Merkmal"),
    read: (source) => {
      const [header, ...rows] = delimitedRows(source, {});
      const names = blzSourceColumns.map(({ name }) => name).slice(0, header!.values.length);
      if (header!.values.length < columnsWithoutRule || header!.values.join(";") !== names.join(";")) {
        throw source.fault(1, `the header is not ${names.join(";")}`);
      }
      return { rows: checkedRows(source, rows) };
    },
  },
  {
    name: "Bundesbank bank codes, fixed width",
    dataset: "blz",
    recognises: ({ lines }) => /^\d{8}[12]\S/.test(lines[0]!),
    read: (source) => {
      const isShort = source.lines[0]!.length <= shortWidth;
      const rows = fixedWidthRows(source, isShort ? widths.slice(0, columnsWithoutRule) : widths);
      return { rows: checkedRows(source, rows) };
    },
  },
];

function checkedRows(source: SourceText, rows: readonly SourceRow[]): readonly SourceRow[] {
  if (rows.length === 0) throw source.fault(1, "it has no entry");
  checkForms(source, rows, blzSourceColumns.slice(0, rows[0]!.values.length));
  const numbers = new Set<string>();
  for (const { line, values } of rows) {
    const number = values[9]!;
    if (numbers.has(number)) throw source.fault(line, `Datensatznummer ${number} is listed twice`);
    numbers.add(number);
  }
  expectReading(source, rows, "bank", 2, { Ort: 4 });
  return rows;
}
