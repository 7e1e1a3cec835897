import { open } from "node:fs/promises";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import { SaxesParser } from "saxes";
import { DataFileError } from "../files/csv.ts";

/** Bytes that one file of an archive may have when it is unpacked. */
const maxUnpackedBytes = 64 * 1_048_576;

/** Whether a file is a ZIP archive, as workbooks of Excel are. */
export function isZip(content: Uint8Array): boolean {
  return content[0] === 0x50 && content[1] === 0x4b && content[2] === 3 && content[3] === 4;
}

/** Whether a file is compressed with gzip. */
export function isGzip(content: Uint8Array): boolean {
  return content[0] === 0x1f && content[1] === 0x8b;
}

/** @throws {DataFileError} for a damaged file, and one that is too large when unpacked. */
export function readGzip(file: string, content: Uint8Array): Uint8Array {
  try {
    return gunzipSync(content, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTooLarge = code === "ERR_BUFFER_TOO_LARGE";
    const reason = isTooLarge
      ? `it has more than ${maxUnpackedBytes / 1_048_576} MB when it is unpacked`
      : `the compressed file is damaged: ${message}`;
    throw new DataFileError(file, 1, reason);
  }
}

/**
 * Reads the first sheet of a workbook, or the one file of an archive.
 *
 * @throws {DataFileError} for a damaged archive, one with several files, and one that is too large when unpacked.
 */
export function readZip(
  file: string,
  content: Uint8Array,
): { readonly cells: string[][] } | { readonly name: string; readonly content: Uint8Array } {
  const files = unpack(file, content);
  const sheet = files["xl/worksheets/sheet1.xml"];
  if (sheet !== undefined) return { cells: readSheet(file, sheet, files["xl/sharedStrings.xml"]) };
  const [only, ...others] = Object.entries(files);
  if (only === undefined || others.length > 0) {
    throw new DataFileError(file, 1, "the archive is neither a workbook nor has it one file in it");
  }
  const [name, unpacked] = only;
  return { name: basename(name), content: unpacked };
}

function unpack(file: string, content: Uint8Array): Record<string, Uint8Array> {
  const isWanted = ({
    name,
    originalSize,
  }: {
    readonly name: string;
    readonly originalSize: number;
  }): boolean => {
    const isOfWorkbook = /^(xl\/|_rels\/|docProps\/|\[Content_Types\]|customXml\/)/.test(name);
    const isRead = /^xl\/(worksheets\/sheet1|sharedStrings)\.xml$/.test(name);
    if (name.endsWith("/") || (isOfWorkbook && !isRead)) return false;
    if (originalSize > maxUnpackedBytes) {
      throw new DataFileError(file, 1, `${name} in it has more than ${maxUnpackedBytes / 1_048_576} MB`);
    }
    return true;
  };
  try {
    return unzipSync(content, { filter: isWanted });
  } catch (error) {
    if (error instanceof DataFileError) throw error;
    throw new DataFileError(file, 1, `the archive is damaged: ${(error as Error).message}`);
  }
}

/**
 * Reads the cells of a worksheet of Excel as texts, row by row; cells that are left out are `""`.
 *
 * Source: ECMA-376, SpreadsheetML: rows `row`, cells `c` with reference `r` and type `t`, values `v` or `is`.
 *
 * @throws {DataFileError} where the XML is damaged or a cell holds a formula's error.
 */
function readSheet(file: string, sheet: Uint8Array, sharedStrings: Uint8Array | undefined): string[][] {
  const shared = sharedStrings === undefined ? [] : readSharedStrings(file, sharedStrings);
  const rows: string[][] = [];
  let [row, column, type, text]: [string[], number, string, string] = [[], 0, "", ""];
  const parser = parserFor(file, () => rows.length + 1);
  parser.on("opentag", ({ name, attributes }) => {
    const { r: reference, t: cellType } = attributes as Readonly<Record<string, string>>;
    if (name === "row") {
      // Empty rows are left out of the file; the reported lines are those of the sheet.
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

/** Bytes that a file of bank data may have; the largest published one has a tenth of it. */
export const maxSourceBytes = 64 * 1_048_576;

/**
 * Reads a file, pipe or device up to `maxSourceBytes`; a longer one is refused, so that a device without an end
 * (`/dev/zero`) ends the command instead of the memory.
 *
 * @throws {DataFileError} for more bytes; the system's error where it cannot be read.
 */
export async function readSourceFile(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of file.createReadStream({ autoClose: false, highWaterMark: 1_048_576 })) {
      pieces.push(piece as Buffer);
      bytes += (piece as Buffer).length;
      if (bytes > maxSourceBytes) throw tooLarge(path);
    }
    return Buffer.concat(pieces);
  } finally {
    await file.close();
  }
}

function tooLarge(path: string): DataFileError {
  const megabytes = maxSourceBytes / 1_048_576;
  return new DataFileError(
    basename(path),
    1,
    `it has more than ${megabytes} MB, which no file of bank data has`,
  );
}
