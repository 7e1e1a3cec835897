import { isUtf8 } from "node:buffer";
import { DataFileError } from "./data-file.ts";

/** One row: as many values as the file has columns. */
export type CsvRow<Columns extends readonly string[]> = { readonly [Index in keyof Columns]: string };

/** Returns the line of a row that `readCsv` returned, by the row's index. */
export function lineOfRow(rowIndex: number): number {
  return rowIndex + 2;
}

/**
 * Reads a CSV file with semicolons, UTF-8, one row a line (RFC 4180 quoting), and returns its rows without the header.
 *
 * Every row has exactly as many values as the header; an unquoted and an empty quoted value are both `""`. Throws a
 * DataFileError for a file without rows, and for a line that breaks any of these rules.
 */
export function readCsv<const Columns extends readonly string[]>(
  file: string,
  content: Uint8Array,
  header: Columns,
): CsvRow<Columns>[] {
  // Without a byte order mark, with which spreadsheets begin: local entries may come from one.
  const text = new TextDecoder().decode(content);
  if (!isUtf8(content)) {
    const line = text.slice(0, text.indexOf("\ufffd")).split("\n").length;
    throw new DataFileError(file, line, "not UTF-8");
  }
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  if (lines.length === 0 || splitLine(file, 1, lines[0]!, ";").join(";") !== header.join(";")) {
    throw new DataFileError(file, 1, `the header is not ${header.join(";")}`);
  }
  if (lines.length === 1) throw new DataFileError(file, 1, "there is no row after the header");
  return lines.slice(1).map((text, index) => {
    const line = lineOfRow(index);
    const values = splitLine(file, line, text, ";");
    if (values.length === header.length) return values as unknown as CsvRow<Columns>;
    throw new DataFileError(file, line, wrongLength(header.length, values.length));
  });
}

export type MakeRowError = (reason: string) => DataFileError;

/**
 * Reads a file as `readCsv` does, and returns what `read` makes of each row.
 *
 * @param keyOf what no two rows may have in common.
 */
export function readRows<const Columns extends readonly string[], Entry>(
  file: string,
  content: Uint8Array,
  header: Columns,
  read: (row: CsvRow<Columns>, fault: MakeRowError) => Entry,
  keyOf?: (row: CsvRow<Columns>) => string,
): Entry[] {
  const keys = new Set<string>();
  return readCsv(file, content, header).map((row, index) => {
    const fault = (reason: string) => new DataFileError(file, lineOfRow(index), reason);
    const entry = read(row, fault);
    const key = keyOf?.(row);
    if (key === undefined) return entry;
    if (keys.has(key)) throw fault(`${key} is listed twice`);
    keys.add(key);
    return entry;
  });
}

/** Returns the text of a file of these rows, the header first, as `readCsv` reads it. */
export function csvText(rows: readonly (readonly string[])[]): string {
  const cell = (value: string) => (/[";]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return rows.map((row) => `${row.map(cell).join(";")}\n`).join("");
}

export function wrongLength(expected: number, found: number): string {
  return `wrong number of columns: expect ${expected}, got ${found}`;
}

/**
 * Splits a line at a delimiter; values may be in quotes, where a doubled quote stands for one (RFC 4180).
 *
 * Written here because csv-parse takes five times as long, and a start waits for most of it.
 */
export function splitLine(file: string, line: number, text: string, delimiter: string): string[] {
  if (!text.includes('"')) return text.split(delimiter);
  const fault = (reason: string) => new DataFileError(file, line, reason);
  const values: string[] = [];
  for (let at = 0; ; ) {
    let end = text.indexOf(delimiter, at);
    if (end < 0) end = text.length;
    if (text[at] === '"') {
      let close = text.indexOf('"', at + 1);
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
      if (close < 0) throw fault("Quote not closed, or a value contains a line break");
      end = close + 1;
      if (end < text.length && !text.startsWith(delimiter, end))
        throw fault("Quote closed before the end of a value");
      values.push(text.slice(at + 1, close).replaceAll('""', '"'));
    } else {
      const value = text.slice(at, end);
      if (value.includes('"')) throw fault("Quote inside a value without quotes");
      values.push(value);
    }
    if (end === text.length) return values;
    at = end + delimiter.length;
  }
}
