import { message } from "../contract/message.ts";
import {
  type CheckedNumber,
  findColumns,
  hasHeader,
  isKnownName,
  rowsAbove,
  type WantedColumns,
} from "./columns.ts";
import { recogniseDialect, rowsIn } from "./csv-rows.ts";
import { type CsvDialect, CsvScanner } from "./csv-scanner.ts";
import { byteOrderMark, decoded, type Encoding } from "./encoding.ts";
import { JsonRows, parseJsonRow } from "./json-rows.ts";
import { columnsOfJson } from "./json-values.ts";
import { InputError, type Row, type RowFinder } from "./rows.ts";

/** Properties of a file that the user may set, so that they are not detected. */
export interface LayoutOptions extends WantedColumns {
  readonly inputFormat?: "csv" | "ndjson" | undefined;
  readonly delimiter?: string | undefined;
  readonly header?: boolean | undefined;
  readonly encoding?: Encoding | undefined;
  /** How many lines come before the header or the first row. */
  readonly skipLines?: number | undefined;
  /** The format to write; as the file's unless given. */
  readonly format?: "csv" | "ndjson" | undefined;
}

/** How a file is written, and the numbers to check in it. */
export interface Layout {
  readonly format: "csv" | "ndjson";
  /** As a person said; otherwise each row's own. */
  readonly encoding: Encoding | undefined;
  /** For NDJSON how CSV made of it is written. */
  readonly dialect: CsvDialect;
  readonly finder: RowFinder;
  readonly numbers: readonly CheckedNumber[];
  /** Names of the columns; undefined for CSV without a header. */
  readonly names: readonly string[] | undefined;
  readonly width: number;
  /** The lines before the header, with their line ends, and the header; both as they are in the file. */
  readonly preamble: string;
  readonly headerText: string;
  /** Where the first row begins, and the number of its line. */
  readonly begin: number;
  readonly beginLine: number;
  readonly hasByteOrderMark: boolean;
  /** Assumptions that may be wrong, as sentences for the user. */
  readonly notes: readonly string[];
}

const sampleRows = 100;

/**
 * Returns where the lines end that a file is recognised by: a header and 100 rows, empty lines not counted; 0 where the
 * text has fewer.
 */
export function sampleEnd(text: string, skipLines = 0): number {
  let end = 0;
  for (let lines = 0; lines <= sampleRows + skipLines; ) {
    const next = text.indexOf("\n", end) + 1;
    if (next === 0) return 0;
    if (text.slice(end, next).trim() !== "") lines++;
    end = next;
  }
  return end;
}

/**
 * Recognises how a file is written by its first 64 KB, of which no more than the first rows count: so a command and a
 * stream, which need not have the same part of it, recognise the same. Throws an InputError if that is not clear.
 */
export function recogniseLayout(head: Buffer, isAll: boolean, options: LayoutOptions): Layout {
  const all = head.toString("latin1");
  const end = sampleEnd(all, options.skipLines);
  const text = end === 0 ? all : all.slice(0, end);
  const isWhole = isAll || end > 0;
  if (text.includes("\0")) throw new InputError(message("rows_not_text"));
  const hasByteOrderMark = text.startsWith(byteOrderMark);
  const first = hasByteOrderMark ? byteOrderMark.length : 0;
  const { begin, line, delimiter } = afterPreamble(text, first, options.skipLines ?? 0);
  const body = text.slice(begin);
  if (body.trim() === "") throw new InputError(message(isWhole ? "rows_empty" : "rows_unreadable"));
  const isJson =
    options.inputFormat === undefined ? body.trimStart().startsWith("{") : options.inputFormat === "ndjson";
  const recognise = isJson ? recogniseJson : recogniseCsv;
  const start: LayoutStart = {
    preamble: text.slice(first, begin),
    headerText: "",
    begin,
    beginLine: line,
    hasByteOrderMark,
    encoding: options.encoding,
    notes: [],
  };
  return recognise(start, body, isWhole, { ...options, delimiter: options.delimiter ?? delimiter });
}

/** The layout of a file without a header, as far as it does not depend on its rows. */
type LayoutStart = Omit<Layout, "format" | "dialect" | "finder" | "numbers" | "names" | "width">;

/** Passes over the lines to skip and over Excel's `sep=;`, which names the delimiter. */
function afterPreamble(text: string, first: number, skipLines: number) {
  let begin = first;
  for (let line = 0; line < skipLines; line++) {
    const next = text.indexOf("\n", begin) + 1;
    if (next === 0)
      throw new InputError(
        `The file has no line ${skipLines + 1} within its first 64 KB; --skip-lines skips too many.`,
      );
    begin = next;
  }
  const [hint, delimiter] = /^sep=([^\w"\r\n])\r?\n/i.exec(text.slice(begin, begin + 16)) ?? [];
  if (hint === undefined) return { begin, line: skipLines + 1, delimiter: undefined };
  return { begin: begin + hint.length, line: skipLines + 2, delimiter };
}

function recogniseCsv(start: LayoutStart, body: string, isWhole: boolean, options: LayoutOptions): Layout {
  const dialect = recogniseDialect(body, options.delimiter);
  const found: (Row & { readonly from: number; readonly next: number })[] = [];
  let isAny = false;
  for (const { fields, begin: from, end, next } of rowsIn(dialect, body, isWhole)) {
    isAny = true;
    if (fields.length > 0) found.push({ text: body.slice(from, end), fields, from, next });
    if (found.length > sampleRows) break;
  }
  const all = found.map(({ fields }) => fields.map((field) => decoded(field, options.encoding)));
  const named = [...options.column, options.bicColumn, options.kontonummerColumn, options.blzColumn];
  const wanted = named.filter((name) => name !== undefined);
  const isGiven = options.header !== undefined || options.skipLines !== undefined;
  const above = isGiven ? 0 : rowsAbove(all, wanted);
  const rows = all.slice(above);
  const first = found[above];
  if (first === undefined) {
    throw new InputError(message(isAny || isWhole ? "rows_unreadable" : "rows_first_long"));
  }
  const isHeaded = options.header ?? hasHeader(rows, wanted);
  const names = isHeaded ? rows[0]! : undefined;
  const isSure = options.header !== undefined || names === undefined || names.some(isKnownName);
  const header = names?.join(", ").slice(0, 100);
  const sample = { header: names, rows: isHeaded ? rows.slice(1) : rows };
  const widths = isHeaded ? [] : found.map(({ fields }) => fields.findLastIndex((field) => field !== "") + 1);
  const width = Math.max(first.fields.length, ...widths);
  const finder = new CsvScanner(dialect, width);
  const upToHeader = isHeaded ? body.slice(0, first.next) : "";
  return {
    ...start,
    format: "csv",
    dialect,
    finder,
    numbers: findColumns(sample, options),
    names,
    width,
    preamble: start.preamble + (isHeaded ? body.slice(0, first.from) : ""),
    headerText: isHeaded ? first.text : "",
    begin: start.begin + upToHeader.length,
    beginLine: start.beginLine + upToHeader.split(finder.lineBreak).length - 1,
    notes: [
      ...(above > 0
        ? [`What is above the header (${header}) is taken for a title; --skip-lines 0 makes it rows.`]
        : []),
      ...(isSure ? [] : [`The first row (${header}) is taken for the header; --no-header makes it data.`]),
    ],
  };
}

function recogniseJson(start: LayoutStart, body: string, isWhole: boolean, options: LayoutOptions): Layout {
  const lines = body.split("\n").slice(0, sampleRows + 1);
  if (!isWhole && body.split("\n", sampleRows + 2).length <= sampleRows + 1) lines.pop();
  if (lines.length === 0) throw new InputError(message("rows_first_long"));
  if (/^\s*\{\s*$/.test(lines[0]!)) {
    throw new InputError(
      "The file is a JSON object over several lines; save what is to be checked as a JSON array, or as one object a line.",
    );
  }
  const { names, nested } = columnsOfJson(lines.map((line) => parseJsonRow(line, options.encoding) ?? {}));
  if (names.length === 0) throw new InputError("None of the first lines is a JSON object.");
  const columns = [...names, ...nested];
  const rows: (readonly string[])[] = [];
  const { encoding } = options;
  const sample = new JsonRows(columns, encoding);
  for (const line of lines) {
    const bytes = Buffer.from(line, "latin1");
    sample.scan(bytes, 0, bytes.length, true);
    if (sample.count > 0) rows.push(sample.fields().map((field) => decoded(field, "utf-8")));
  }
  const known = options.format === "csv" ? names : undefined;
  return {
    ...start,
    format: "ndjson",
    dialect: { delimiter: options.delimiter ?? ",", lineBreak: body.includes("\r\n") ? "\r\n" : "\n" },
    finder: new JsonRows(columns, encoding, known),
    numbers: findColumns({ header: columns, rows }, options),
    names,
    width: names.length,
  };
}
