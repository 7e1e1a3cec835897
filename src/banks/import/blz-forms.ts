import { SaxesParser } from "saxes";
import { DataFileError } from "../files/csv.ts";
import {
  bicOrNone,
  checkForms,
  delimitedRows,
  expectReading,
  fixedWidthRows,
  type SourceColumn,
  type SourceForm,
  type SourceRow,
} from "./source-rows.ts";
import type { SourceText } from "./source-text.ts";

/** A column of the Bundesbank's file of bank codes in its three forms. */
export interface BlzColumn extends SourceColumn {
  /** Width in the form of fixed width; in the others the most characters. */
  readonly width: number;
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
  { name: "Bankleitzahl", width: 8, element: "BLZ", form: /^[1-9]\d{7}$/ },
  { name: "Merkmal", width: 1, element: "Merkmal", form: /^[12]$/ },
  { name: "Bezeichnung", width: 58, element: "Bezeichnung", form: /^\S.*$/ },
  { name: "PLZ", width: 5, element: "PLZ", form: /^(\d{5})?$/ },
  { name: "Ort", width: 35, element: "Ort", form: text },
  { name: "Kurzbezeichnung", width: 27, element: "Kurzbez", form: text },
  { name: "PAN", width: 5, element: "PAN", form: /^(\d{5})?$/ },
  { name: "BIC", width: 11, element: "BIC", form: bicOrNone },
  { name: "Prüfzifferberechnungsmethode", width: 2, element: "PruefZiffMeth", form: /^[0-9A-Z]\d$/ },
  { name: "Datensatznummer", width: 6, element: "DsNr", form: /^\d{6}$/ },
  { name: "Änderungskennzeichen", width: 1, element: "Aenderungskennz", form: /^[ADMU]$/ },
  { name: "Bankleitzahllöschung", width: 1, element: "BLZLoesch", form: /^[01]$/ },
  { name: "Nachfolge-Bankleitzahl", width: 8, element: "NachfolgeBLZ", form: /^(0{8}|[1-9]\d{7})$/ },
  { name: "IBAN-Regel", width: 6, element: "IBANRegel", form: /^\d{6}$/ },
];

/** How many of the columns the plain file has, which lacks the IBAN rules. */
const columnsWithoutRule = blzSourceColumns.length - 1;

/** Content of the bank code file in its XML form. */
export interface BlzXml {
  readonly validFrom: string | undefined;
  readonly validUntil: string | undefined;
  readonly rows: readonly SourceRow[];
}

const entryElement = "BLZEintrag";
const placeOfElement = new Map(blzSourceColumns.map(({ element }, place) => [element, place]));

/**
 * Reads the XML form of the file of bank codes, element by element.
 *
 * @throws {DataFileError} where it is not XML, has an entry without one of the elements, or an element twice.
 */
function readBlzXml({ file, lines }: SourceText): BlzXml {
  const reader = new BlzXmlReader(file);
  for (const line of lines) reader.parser.write(`${line}\n`);
  reader.parser.close();
  return reader;
}

class BlzXmlReader implements BlzXml {
  readonly parser = new SaxesParser();
  readonly rows: SourceRow[] = [];
  validFrom: string | undefined;
  validUntil: string | undefined;
  readonly #file: string;
  #entry: { readonly line: number; readonly values: (string | undefined)[] } | undefined;
  #text = "";

  constructor(file: string) {
    this.#file = file;
    this.parser.on("error", (error) => {
      throw this.#fault(`no XML: ${error.message.replace(/^\d+:\d+: /, "")}`);
    });
    this.parser.on("opentag", ({ name }) => this.#open(name));
    this.parser.on("text", (text) => {
      this.#text += text;
    });
    this.parser.on("closetag", ({ name }) => this.#close(name));
  }

  #fault(reason: string): DataFileError {
    return new DataFileError(this.#file, this.parser.line, reason);
  }

  #open(name: string): void {
    this.#text = "";
    if (name !== entryElement) return;
    if (this.#entry !== undefined) throw this.#fault(`an element ${entryElement} is inside another one`);
    this.#entry = { line: this.parser.line, values: blzSourceColumns.map(() => undefined) };
  }

  #close(name: string): void {
    const text = this.#text.trim();
    this.#text = "";
    if (name === entryElement) this.#endEntry();
    else if (this.#entry === undefined) this.#readHeader(name, text);
    else this.#enter(this.#entry.values, name, text);
  }

  #readHeader(name: string, text: string): void {
    if (name === "ValidFrom") this.validFrom = text;
    if (name === "ValidTill") this.validUntil = text;
  }

  #enter(values: (string | undefined)[], name: string, text: string): void {
    const place = placeOfElement.get(name);
    if (place === undefined) return;
    if (values[place] !== undefined) throw this.#fault(`the element ${name} is there twice`);
    // Numbers come without leading zeros in this form.
    values[place] = name === "DsNr" ? text.padStart(6, "0") : text;
  }

  #endEntry(): void {
    const { line, values } = this.#entry!;
    this.#entry = undefined;
    const count = values.at(-1) === undefined ? columnsWithoutRule : blzSourceColumns.length;
    const stated = values.slice(0, count).map((value, place) => {
      if (value !== undefined) return value;
      const { element, form } = blzSourceColumns[place]!;
      // This form omits unknown values.
      if (form?.test("")) return "";
      throw this.#fault(`the entry has no element ${element}`);
    });
    this.rows.push({ line, values: stated });
  }
}

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
  expectReading(file, rows, "bank", 2, { Ort: 4 });
  return rows;
}
