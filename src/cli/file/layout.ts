import Papa from "papaparse";
import { hasHeader } from "../../console/batch/column-kinds.ts";
import { type CheckedColumns, findColumns } from "./columns.ts";
import { type CsvDialect, CsvRows } from "./csv-rows.ts";
import { InputError } from "./input-error.ts";
import { JsonRows, parseJsonRow } from "./json-rows.ts";
import type { Row, RowParser } from "./rows.ts";
import { decoded, type Encoding, encodingOf } from "./text.ts";

/** What a person may say of a file instead of having it recognised. */
export interface LayoutOptions {
  readonly column: readonly string[];
  readonly inputFormat?: "csv" | "ndjson" | undefined;
  readonly delimiter?: string | undefined;
  readonly header?: boolean | undefined;
  readonly encoding?: Encoding | undefined;
  /** The format to write; as the file's unless given. */
  readonly format?: "csv" | "ndjson" | undefined;
}

/** How a file is written and what is to be checked in it. */
export interface Layout {
  readonly format: "csv" | "ndjson";
  /** Undefined as long as all is ASCII. */
  readonly encoding: Encoding | undefined;
  /** For NDJSON how CSV made of it is written. */
  readonly dialect: CsvDialect;
  readonly parser: RowParser;
  readonly columns: CheckedColumns;
  /** Names of the columns; undefined for CSV without a header. */
  readonly names: readonly string[] | undefined;
  /** How many columns a row has. */
  readonly width: number;
  /** The header as it stands in the file, and where the first row begins. */
  readonly headerText: string;
  readonly begin: number;
  readonly hasByteOrderMark: boolean;
}

/** How much of a file is looked at to recognise how it is written. */
export const headBytes = 65_536;
const sampleRows = 100;
const byteOrderMark = "\u00ef\u00bb\u00bf";
const delimiters = [",", ";", "\t", "|"];

/** Recognises how a file is written by its first 64 KB. Throws an InputError where that cannot be told. */
export function recogniseLayout(head: Buffer, isWhole: boolean, options: LayoutOptions): Layout {
  refuseUnreadable(head);
  const text = head.toString("latin1");
  const hasByteOrderMark = text.startsWith(byteOrderMark);
  const begin = hasByteOrderMark ? byteOrderMark.length : 0;
  const body = text.slice(begin);
  if (body.trim() === "") throw new InputError("The file is empty.");
  const isJson =
    options.inputFormat === undefined ? body.trimStart().startsWith("{") : options.inputFormat === "ndjson";
  if (!isJson && body.trimStart().startsWith("[")) {
    throw new InputError("The file is a JSON array; NDJSON has one object a line.");
  }
  const encoding = hasByteOrderMark || isJson ? "utf-8" : (options.encoding ?? encodingOf(body, !isWhole));
  const recognise = isJson ? recogniseJson : recogniseCsv;
  return { ...recognise(body, begin, isWhole, { ...options, encoding }), hasByteOrderMark, encoding };
}

function refuseUnreadable(head: Buffer): void {
  if (head.includes(0)) {
    throw new InputError(
      "The file is not text in UTF-8 or Latin-1; it may be UTF-16 or a spreadsheet: save it as CSV in UTF-8.",
    );
  }
}

type Recognised = Omit<Layout, "hasByteOrderMark" | "encoding">;

function recogniseCsv(body: string, begin: number, isWhole: boolean, options: LayoutOptions): Recognised {
  const dialect = recogniseDialect(body, options.delimiter);
  const parser = new CsvRows(dialect);
  const found: (Row & { readonly next: number })[] = [];
  const take = (fields: readonly string[], from: number, to: number, next: number) => {
    if (fields.length > 0 && found.length <= sampleRows)
      found.push({ text: body.slice(from, to), fields, next });
  };
  const consumed = parser.parse(body, isWhole, take);
  if (found.length === 0) {
    if (consumed === 0 && !isWhole) throw new InputError("The first row is longer than 64 KB.");
    throw new InputError("The file has no rows.");
  }
  const rows = found.map(({ fields }) => fields.map((field) => decoded(field, options.encoding)));
  const isHeaded = options.header ?? hasHeader(rows, options.column);
  const [first] = found;
  const names = isHeaded ? rows[0] : undefined;
  const sample = { header: names, rows: isHeaded ? rows.slice(1) : rows };
  return {
    format: "csv",
    dialect,
    parser,
    columns: findColumns(sample, options.column),
    names,
    width: first!.fields.length,
    headerText: isHeaded ? first!.text : "",
    begin: isHeaded ? begin + first!.next : begin,
  };
}

function recogniseDialect(body: string, delimiter: string | undefined): CsvDialect {
  const { meta } = Papa.parse<string[]>(body, {
    preview: sampleRows,
    delimitersToGuess: delimiters,
    skipEmptyLines: true,
    ...(delimiter === undefined ? {} : { delimiter }),
  });
  // Lists that others have added to often end their rows in more than one way.
  const isMixed = meta.linebreak === "\r\n" && !body.includes('"');
  return {
    delimiter: meta.delimiter,
    lineBreak: isMixed && /(^|[^\r])\n/.test(body) ? "\n" : (meta.linebreak as CsvDialect["lineBreak"]),
  };
}

function recogniseJson(body: string, begin: number, isWhole: boolean, options: LayoutOptions): Recognised {
  const lines = body.split("\n").slice(0, sampleRows + 1);
  if (!isWhole) lines.pop();
  if (lines.length === 0) throw new InputError("The first line is longer than 64 KB.");
  const keys = new Set<string>();
  for (const line of lines)
    if (line.trim() !== "") for (const key of Object.keys(parseJsonRow(line))) keys.add(key);
  const names = [...keys];
  const parser = new JsonRows(names, options.format === "csv");
  const rows: (readonly string[])[] = [];
  parser.parse(`${lines.join("\n")}\n`, true, (fields) => {
    if (fields.length > 0) rows.push(fields);
  });
  const columns = findColumns({ header: names, rows }, options.column);
  const lineBreak = body.includes("\r\n") ? "\r\n" : "\n";
  const dialect = { delimiter: options.delimiter ?? ",", lineBreak } as const;
  return { format: "ndjson", dialect, parser, columns, names, width: names.length, headerText: "", begin };
}
