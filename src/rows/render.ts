import { isUtf8 } from "node:buffer";
import type { Language } from "../contract/language.ts";
import { type Message, textOf } from "../contract/message.ts";
import { distinctNames } from "./columns.ts";
import { fieldsOfRow, rowsIn } from "./csv-rows.ts";
import { byteOrderMark, decoded, type Encoding, encoded } from "./encoding.ts";
import type { Layout } from "./layout.ts";
import type { Row } from "./rows.ts";
import {
  type AddedColumn,
  type AddedValue,
  badRow,
  csvQuoter,
  namesOf,
  refusedVerdict,
  type Verdict,
} from "./verdict.ts";

/** A row of the output: one of the input, with the columns that are added to it. */
export interface OutputRow {
  readonly row: Row;
  /** The added columns for all of its numbers, as a row of CSV; absent for an empty row and one that cannot be read. */
  readonly added?: string;
}

export interface RenderOptions {
  readonly columns: readonly AddedColumn[];
  /** Of the reasons why rows cannot be read. */
  readonly language: Language;
  readonly prefix: string;
  readonly format: "csv" | "ndjson";
  /** Whether CSV begins with a byte order mark though the file does not. */
  readonly bom?: boolean | undefined;
  /** The separator of the fields of CSV, if it is not that of the file. */
  readonly delimiter?: string | undefined;
  /** The separator of the added columns, as they are given. */
  readonly addedDelimiter: string;
}

/** The part of a file's layout that a renderer needs. */
export type RenderLayout = Omit<Layout, "finder" | "begin" | "beginLine" | "notes">;

/**
 * Returns what joins the added columns to the rows of a file, as CSV or NDJSON in UTF-8; rows that are in UTF-8 are never
 * decoded.
 */
export function makeRenderer(layout: RenderLayout, options: RenderOptions) {
  const { format, delimiter = layout.dialect.delimiter } = options;
  const isSame = format === layout.format && (format === "ndjson" || delimiter === layout.dialect.delimiter);
  const form = format === "csv" ? csvForm(layout, options, isSame) : jsonForm(layout, options, isSame);
  const decodedText = (text: string) => encoded(decoded(text, layout.encoding));
  const bytesOf = (write: (ownText: OwnText) => string) => {
    const bytes = Buffer.from(write(layout.encoding === "latin-1" ? decodedText : (text) => text), "latin1");
    // Rows that are not UTF-8 are few, or all.
    return isUtf8(bytes) ? bytes : Buffer.from(write(decodedText), "latin1");
  };
  return {
    /** Whether rows are written from their fields; otherwise from their text. */
    needsFields: !isSame,
    head: () => bytesOf(form.head),
    rows: (rows: readonly OutputRow[]) =>
      bytesOf((ownText) => {
        let text = "";
        for (const row of rows) text += form.row(row, ownText);
        return text;
      }),
  };
}

/** Makes UTF-8 of text of the file. */
type OwnText = (text: string) => string;

interface Form {
  readonly head: (ownText: OwnText) => string;
  readonly row: (row: OutputRow, ownText: OwnText) => string;
}

/** The values that are added to a row that cannot be read, for all of its numbers. */
function faultValues(fault: Message, { columns, language }: RenderOptions, { numbers }: RenderLayout) {
  const verdict = refusedVerdict(badRow, encoded(textOf(fault, language)));
  return numbers.flatMap(() => columns.map((column) => column.of(verdict)));
}

function addedNames(layout: RenderLayout, { columns, prefix }: RenderOptions, names: Iterable<string>) {
  const prefixes = layout.numbers.map((number) => prefix + number.prefix);
  return namesOf(columns, prefixes, names);
}

/** Returns what writes the added columns of one number as a row of CSV. */
export function csvFields(columns: readonly AddedColumn[], delimiter: string): (verdict: Verdict) => string {
  const row = csvRow(delimiter);
  return (verdict) => row(columns.map((column) => column.of(verdict)));
}

function csvRow(delimiter: string): (values: readonly AddedValue[]) => string {
  const quoted = csvQuoter(delimiter);
  return (values) => values.map((value) => (value === null ? "" : quoted(String(value)))).join(delimiter);
}

function csvForm(layout: RenderLayout, options: RenderOptions, isSame: boolean): Form {
  const { width } = layout;
  const { lineBreak } = layout.dialect;
  const { delimiter = layout.dialect.delimiter, addedDelimiter, bom = layout.hasByteOrderMark } = options;
  const rowOf = csvRow(delimiter);
  const ownRow = (row: Row) => {
    const { text, fault, count = row.fields.length } = row;
    if (fault !== undefined) return rowOf([text]) + delimiter.repeat(width - 1);
    // Fields that are missing or too many are empty ones, so that the added columns are below their names.
    if (!isSame) return rowOf(Array.from({ length: width }, (_, column) => row.fields[column] ?? ""));
    const missing = width - count;
    if (missing === 0) return text;
    return missing > 0 ? text + delimiter.repeat(missing) : text.slice(0, missing);
  };
  const titleOf = (ownText: OwnText) => {
    if (isSame) return ownText(layout.preamble);
    const title = layout.preamble.replace(/^sep=.\r?\n/im, "");
    let rows = "";
    for (const { fields, begin, end } of rowsIn(layout.dialect, title, true))
      rows += rowOf(fields.length > 0 ? fields : [title.slice(begin, end)]) + lineBreak;
    return ownText(rows);
  };
  const headerOf = (ownText: OwnText) => {
    if (layout.names === undefined) return "";
    const own = isSame ? ownText(layout.headerText) : rowOf(layout.names.map(encoded));
    const added = addedNames(layout, options, layout.names).map(encoded);
    return own + delimiter + rowOf(added) + lineBreak;
  };
  const addedTo = (added: string) =>
    addedDelimiter === delimiter ? added : rowOf(fieldsOfRow(added, addedDelimiter));
  return {
    head: (ownText) => `${bom ? byteOrderMark : ""}${titleOf(ownText)}${headerOf(ownText)}`,
    row: ({ row, added }, ownText) => {
      const { fault } = row;
      if (added === undefined && fault === undefined) return isSame ? row.text + lineBreak : "";
      const columns = fault === undefined ? addedTo(added!) : rowOf(faultValues(fault, options, layout));
      return ownText(ownRow(row)) + delimiter + columns + lineBreak;
    },
  };
}

function jsonForm(layout: RenderLayout, options: RenderOptions, isSame: boolean): Form {
  const { columns, addedDelimiter } = options;
  const ownNames = isSame ? (layout.names ?? []) : distinctNames(layout.names, layout.width);
  const names = addedNames(layout, options, ownNames);
  const keysIn = (all: readonly string[]) => all.map((name) => encoded(JSON.stringify(name)));
  const keys = keysIn(names);
  const ownKeys = ownNames.map((name) => JSON.stringify(name));
  const asObject = ({ fields }: Row, encoding: Encoding | undefined) =>
    ownKeys.map((key, index) => `${key}:${JSON.stringify(decoded(fields[index] ?? "", encoding))}`).join(",");
  const members = (values: readonly AddedValue[], own: readonly string[]) =>
    values.map((value, index) => `${own[index]}:${JSON.stringify(value)}`).join(",");
  const valuesIn = (added: string) =>
    fieldsOfRow(added, addedDelimiter).map((text, index) => columns[index % columns.length]!.read(text));
  // A key that none of the first rows has may be called as an added one: then the added one is dropped in that row.
  const clash = new RegExp(`"(?:${names.map(escaped).join("|")})"\\s*:`);
  const keysFor = (text: string) => {
    if (!clash.test(text)) return keys;
    const own = Object.keys(JSON.parse(decoded(text, layout.encoding)) as object);
    return own.some((key) => names.includes(key))
      ? keysIn(addedNames(layout, options, [...ownNames, ...own]))
      : keys;
  };
  return {
    head: () => "",
    row: ({ row, added }, ownText) => {
      const { text, fault } = row;
      if (fault !== undefined) {
        const raw = encoded(JSON.stringify(decoded(text, layout.encoding)));
        return `{"bad_row":${raw},${members(faultValues(fault, options, layout), keys)}}\n`;
      }
      if (added === undefined) return "";
      const values = valuesIn(added);
      return isSame
        ? `${ownText(openObject(text))}${members(values, keysFor(text))}}\n`
        : `{${encoded(asObject(row, layout.encoding))},${members(values, keys)}}\n`;
    },
  };
}

function escaped(name: string): string {
  return encoded(JSON.stringify(name).slice(1, -1)).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** A JSON object without its closing brace, ready for a further property. */
function openObject(text: string): string {
  const open = text.slice(0, -1).trimEnd();
  return open.endsWith("{") ? open : `${open},`;
}
