import { SaxesParser } from "saxes";
import { DataFileError } from "../files/csv.ts";
import { blzSourceColumns, columnsWithoutRule } from "./blz-columns.ts";
import type { SourceRow } from "./source-rows.ts";
import type { SourceText } from "./source-text.ts";

/** What the XML form of the file of bank codes says. */
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
export function readBlzXml({ file, lines }: SourceText): BlzXml {
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
    const told = values.slice(0, count).map((value, place) => {
      if (value !== undefined) return value;
      const { element, form } = blzSourceColumns[place]!;
      // What is unknown is left out in this form.
      if (form?.test("")) return "";
      throw this.#fault(`the entry has no element ${element}`);
    });
    this.rows.push({ line, values: told });
  }
}
