import { isUtf8 } from "node:buffer";
import { CsvError, parse } from "csv-parse/sync";

/** Says where a data file is damaged and why. */
export class DataFileError extends Error {
  override readonly name = "DataFileError";
  /** Name of the file without its folder. */
  readonly file: string;
  /** Line, counted from 1 with the header. */
  readonly line: number;
  /** The fault as half a sentence, without the place. */
  readonly reason: string;

  constructor(file: string, line: number, reason: string) {
    super(`${file}, line ${line}: ${reason}`);
    this.file = file;
    this.line = line;
    this.reason = reason;
  }
}

/** One row: as many values as the file has columns. */
export type CsvRow<Columns extends readonly string[]> = { readonly [Index in keyof Columns]: string };

/** Gives the line of a row that `readCsv` returned, by the row's index. */
export function lineOfRow(rowIndex: number): number {
  return rowIndex + 2;
}

/**
 * Reads a CSV file with semicolons, UTF-8, one row a line (RFC 4180 quoting), and gives its rows without the header.
 *
 * Every row has exactly as many values as the header; an unquoted and an empty quoted value are both `""`.
 *
 * @param file the file's name, for errors.
 * @throws {DataFileError} for another header, a row of another length, broken quoting, a line break inside a value,
 *   an empty line, bytes that are not UTF-8, or a file without rows.
 */
export function readCsv<const Columns extends readonly string[]>(
  file: string,
  content: Uint8Array,
  header: Columns,
): CsvRow<Columns>[] {
  if (!isUtf8(content)) throw new DataFileError(file, firstLineNotUtf8(content), "not UTF-8");
  const rows = parseRows(file, content);
  if (rows.shift()?.join(";") !== header.join(";")) {
    throw new DataFileError(file, 1, `the header is not ${header.join(";")}`);
  }
  if (rows.length === 0) throw new DataFileError(file, 1, "there is no row below the header");
  if (countLines(content) !== rows.length + 1) {
    const broken = rows.findIndex((row) => row.some((value) => value.includes("\n")));
    throw new DataFileError(file, lineOfRow(broken), "a value contains a line break");
  }
  return rows as unknown as CsvRow<Columns>[];
}

function parseRows(file: string, content: Uint8Array): string[][] {
  try {
    return parse(Buffer.from(content.buffer, content.byteOffset, content.byteLength), { delimiter: ";" });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error;
    throw new DataFileError(file, typeof lines === "number" ? lines : 1, csvReason(error));
  }
}

/** The fault as `csv-parse` words it, without its own count of lines, which begins behind what was passed over. */
export function csvReason({ message }: CsvError): string {
  return message.replace(/ (on|at) line \d+/, "");
}

function countLines(content: Uint8Array): number {
  let lines = content.at(-1) === 10 ? 0 : 1;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) lines++;
  return lines;
}

function firstLineNotUtf8(content: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < content.length; line++) {
    const end = content.indexOf(10, start);
    const stop = end < 0 ? content.length : end;
    if (!isUtf8(content.subarray(start, stop))) break;
    start = stop + 1;
  }
  return line;
}
