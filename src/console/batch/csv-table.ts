import { bicColumns, blzColumns, hasHeader, ibanColumns, kontonummerColumns } from "../../rows/recognise.ts";

/** Rows of a CSV file or of pasted text. */
export interface CsvTable {
  readonly delimiter: string;
  /** Undefined where the first row is one like the others. */
  readonly header: readonly string[] | undefined;
  readonly rows: readonly (readonly string[])[];
  readonly width: number;
  /** The column that holds the IBANs; undefined where that cannot be told. */
  readonly ibanColumn: number | undefined;
  /** The column of BICs beside the IBANs, where there is one. */
  readonly bicColumn: number | undefined;
  /** The columns of account numbers and bank codes, where there is one of each. */
  readonly kontonummerColumn: number | undefined;
  readonly blzColumn: number | undefined;
}

/** Why text cannot be read as rows. */
export class UnreadableRows extends Error {
  readonly reason: "empty" | "noText" | "quotes" | "tooMany";

  constructor(reason: UnreadableRows["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/** More rows than this would be higher than a browser lets an element be. */
const maxRows = 400_000;
const maxBytes = 128 * 1024 * 1024;
const sampleRows = 100;
const headLength = 65_536;
const sliceLength = 262_144;
const delimiters = [",", ";", "\t", "|"];

/** Reads a file in UTF-8, or else in Latin-1 as Windows has it. Rejects with `UnreadableRows`. */
export async function textOf(file: Blob): Promise<string> {
  if (file.size > maxBytes) throw new UnreadableRows("tooMany");
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Finds rows, header and IBAN column of a text, in slices of some milliseconds. Rejects with `UnreadableRows`. */
export async function readTable(given: string): Promise<CsvTable> {
  if (given.slice(0, headLength).includes("\0")) throw new UnreadableRows("noText");
  const library = await loadCsvLibrary();
  const text = given.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const { meta } = library.parse(text.slice(0, headLength), {
    preview: sampleRows,
    delimitersToGuess: delimiters,
    skipEmptyLines: true,
  });
  const { delimiter } = meta;
  const rows: string[][] = [];
  let length = sliceLength;
  for (let position = 0; position < text.length; ) {
    const isLast = position + length >= text.length;
    const parser = new library.Parser({ delimiter, newline: "\n" });
    const parsed = parser.parse(text.slice(position, position + length), 0, !isLast);
    if (parsed.errors.length > 0) throw new UnreadableRows("quotes");
    for (const row of parsed.data) if (row.length > 1 || row[0] !== "") rows.push(row);
    if (rows.length > maxRows + 1) throw new UnreadableRows("tooMany");
    if (isLast) break;
    position += parsed.meta.cursor;
    // A row that is longer than the slice needs a longer one.
    length = parsed.meta.cursor === 0 ? length * 2 : sliceLength;
    await nextTask();
  }
  return tableOf(rows, delimiter);
}

/** Finds header and columns of rows, as those of a spreadsheet. Throws `UnreadableRows`. */
export function tableOf(rows: string[][], delimiter: string): CsvTable {
  const sample = rows.slice(0, sampleRows + 1);
  const header = hasHeader(sample) ? rows.shift() : undefined;
  if (rows.length === 0) throw new UnreadableRows("empty");
  const seen = { header, rows: header === undefined ? sample : sample.slice(1) };
  const width = Math.max(header?.length ?? 0, ...sample.map((row) => row.length));
  const only = (columns: readonly number[]) => (columns.length === 1 ? columns[0] : undefined);
  const blzColumn = only(blzColumns(seen));
  const kontonummerColumn = only(kontonummerColumns(seen).filter((column) => column !== blzColumn));
  const ibanColumn = only(ibanColumns(seen)) ?? (width === 1 ? 0 : undefined);
  const isAccounts = blzColumn !== undefined && kontonummerColumn !== undefined;
  return {
    delimiter,
    header,
    rows,
    width,
    ibanColumn,
    bicColumn: ibanColumn === undefined ? undefined : only(bicColumns(seen)),
    kontonummerColumn: isAccounts ? kontonummerColumn : undefined,
    blzColumn: isAccounts ? blzColumn : undefined,
  };
}

/** Lets the page answer to its user before what follows. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** What is used of the CSV library. */
export interface CsvLibrary {
  parse(
    text: string,
    options: {
      readonly preview: number;
      readonly delimitersToGuess: readonly string[];
      readonly skipEmptyLines: true;
    },
  ): { readonly meta: { readonly delimiter: string } };
  readonly Parser: new (options: {
    readonly delimiter: string;
    readonly newline: string;
  }) => {
    parse(text: string, offset: number, ignoreLastRow: boolean): ParsedRows;
  };
  unparse(
    rows: readonly (readonly unknown[])[],
    options: { readonly delimiter: string; readonly escapeFormulae: RegExp },
  ): string;
}

interface ParsedRows {
  readonly data: readonly string[][];
  readonly errors: readonly { readonly row?: number }[];
  /** Where the first row begins that was not taken. */
  readonly meta: { readonly cursor: number };
}

/** Loads the CSV library. */
export async function loadCsvLibrary(): Promise<CsvLibrary> {
  return (await import("papaparse")).default as unknown as CsvLibrary;
}
