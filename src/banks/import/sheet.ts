import { SaxesParser } from "saxes";
import { DataFileError } from "../files/csv.ts";

/**
 * Reads the cells of a worksheet of Excel as texts, row by row; cells that are left out are `""`.
 *
 * Source: ECMA-376, SpreadsheetML: rows `row`, cells `c` with reference `r` and type `t`, values `v` or `is`.
 *
 * @throws {DataFileError} where the XML is damaged or a cell holds a formula's error.
 */
export function readSheet(
  file: string,
  sheet: Uint8Array,
  sharedStrings: Uint8Array | undefined,
): string[][] {
  const shared = sharedStrings === undefined ? [] : readSharedStrings(file, sharedStrings);
  const rows: string[][] = [];
  let [row, column, type, text]: [string[], number, string, string] = [[], 0, "", ""];
  const parser = parserFor(file, () => rows.length + 1);
  parser.on("opentag", ({ name, attributes }) => {
    const { r: reference, t: cellType } = attributes as Readonly<Record<string, string>>;
    if (name === "row") {
      // Empty rows are left out of the file; the lines told are those of the sheet.
      for (
        let number = Number(reference) || rows.length + 1;
        rows.length < number - 1 && rows.length < maxRows;
      )
        rows.push([]);
      row = [];
    }
    if (name === "c") {
      column = reference === undefined ? row.length : columnOf(reference);
      type = cellType ?? "";
      text = "";
    }
    if (name === "v" || name === "t") text = name === "t" ? text : "";
  });
  parser.on("text", (part) => {
    text += part;
  });
  parser.on("closetag", ({ name }) => {
    if (name === "f") text = "";
    if (name === "c" && column < maxColumns) {
      while (row.length < column) row.push("");
      row[column] = (type === "s" ? (shared[Number(text)] ?? "") : text).trim();
    }
    if (name === "row") rows.push(row);
  });
  parser.write(Buffer.from(sheet).toString("utf8")).close();
  return rows;
}

/** No published list has as many; a damaged reference must not fill the memory. */
const maxColumns = 256;
const maxRows = 1_048_576;

function readSharedStrings(file: string, content: Uint8Array): string[] {
  const strings: string[] = [];
  let [text, isText, isPhonetic] = ["", false, false];
  const parser = parserFor(file, () => 1);
  parser.on("opentag", ({ name }) => {
    if (name === "si") text = "";
    if (name === "t") isText = true;
    if (name === "rPh") isPhonetic = true;
  });
  parser.on("text", (part) => {
    if (isText && !isPhonetic) text += part;
  });
  parser.on("closetag", ({ name }) => {
    if (name === "t") isText = false;
    if (name === "rPh") isPhonetic = false;
    if (name === "si") strings.push(text);
  });
  parser.write(Buffer.from(content).toString("utf8")).close();
  return strings;
}

function parserFor(file: string, line: () => number): SaxesParser {
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw new DataFileError(
      file,
      line(),
      `the workbook is damaged: ${error.message.replace(/^\d+:\d+: /, "")}`,
    );
  });
  return parser;
}

/** "B7" is column 1. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? "A";
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
