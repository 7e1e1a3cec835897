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

/** The columns of the plain file, which lacks the IBAN rules. */
const plainColumns = blzSourceColumns.slice(0, -1);

const entryElement = "BLZEintrag";

/** Reads the XML form of the file of bank codes, which omits values that are not known. */
function readBlzXml(source: SourceText): SourceTable {
  const fault = (reason: string) => source.fault(xml.line, reason);
  const found: SourceRow[] = [];
  const header = new Map<string, string>();
  /** What the header, or the entry that begins at `line`, states by the names of its elements. */
  let stated = header;
  let line = 0;
  const open = (name: string) => {
    if (name !== entryElement) return;
    if (stated !== header) throw fault(`an element ${entryElement} is inside another one`);
    stated = new Map();
    line = xml.line;
  };
  const close = (name: string, text: string) => {
    if (stated === header || name !== entryElement) {
      if (stated !== header && stated.has(name)) throw fault(`the element ${name} appears twice`);
      // Numbers come without leading zeros in this form.
      stated.set(name, name === "DsNr" ? text.trim().padStart(6, "0") : text.trim());
      return;
    }
    const columns = stated.has("IBANRegel") ? blzSourceColumns : plainColumns;
    found.push({ line, values: columns.map(({ element }) => stated.get(element) ?? "") });
    stated = header;
  };
  const xml: XmlReader = xmlReader({ open, close }, (reason) =>
    fault(`it is not well-formed XML: ${reason.replace(/^\d+:\d+: /, "")}`),
  );
  for (const line of source.lines) xml.read(`${line}\n`);
  xml.close();
  const [validFrom, validUntil] = ["ValidFrom", "ValidTill"].map((name) => header.get(name));
  return { ...blzTable(source, found), validFrom, validUntil };
}

const blzHeadings = blzSourceColumns.map(({ heading }) => heading);

export const blzForms: readonly SourceForm[] = [
  {
    name: "Bundesbank bank codes, XML",
    read: (source) => {
      const { lines } = source;
      const isXml = /^\s*</.test(lines[0]!) && lines.some((line) => line.includes(`<${entryElement}`));
      return isXml ? readBlzXml(source) : undefined;
    },
  },
  {
    name: "Bundesbank bank codes, CSV",
    read: (source) => {
      const first = source.lines[0]!;
      if (!/(^|;)"?Bankleitzahl"?;/.test(first) || !first.includes("Merkmal")) return undefined;
      const headings = splitLine(source.file, 1, first, ";");
      const expected = blzHeadings.slice(0, headings.length).join(";");
      if (headings.length < plainColumns.length || headings.join(";") !== expected) {
        throw source.fault(1, `the header is not ${expected}`);
      }
      return blzTable(source, delimitedRows(source, { line: 1, headings, delimiter: ";" }));
    },
  },
  {
    name: "Bundesbank bank codes, fixed width",
    read: (source) => {
      const first = source.lines[0]!;
      if (!/^\d{8}[12]\S/.test(first)) return undefined;
      const columns = first.length <= widthOf(plainColumns) ? plainColumns : blzSourceColumns;
      const starts = columns.map((_, index) => widthOf(columns.slice(0, index)));
      const width = widthOf(columns);
      const rows = source.lines.map((text, index) => {
        if (text.length !== width) throw source.fault(index + 1, wrongLength(width, text.length));
        const values = starts.map((start, place) => text.slice(start, starts[place + 1]).trimEnd());
        return { line: index + 1, values };
      });
      return blzTable(source, rows);
    },
  },
];

function widthOf(columns: readonly BlzColumn[]): number {
  return columns.reduce((sum, { maxLength }) => sum + maxLength, 0);
}

/** @throws {DataFileError} for no row, a value of another form, a number given twice, and columns that are swapped. */
function blzTable(source: SourceText, found: readonly SourceRow[]): SourceTable {
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
  return { dataset: "blz", rows };
}
