import { isUtf8 } from "node:buffer";
import { decoded, type Encoding, encoded } from "./encoding.ts";
import type { Layout } from "./layout.ts";
import type { Row } from "./rows.ts";
import {
  type AddedColumn,
  type AddedValue,
  badRow,
  csvQuoter,
  namesOf,
  type RowFacts,
  refusedVerdict,
  type Verdict,
} from "./verdict.ts";

/** Results for one number of each row. */
export interface Checked {
  readonly verdicts: readonly Verdict[];
  /** The IBANs as read or generated; null if there is none. */
  readonly ibans: readonly (string | null)[];
  /** How fields were read that are not written as they should be, by place. */
  readonly notes: ReadonlyMap<number, string>;
}

/** A row of the output: one of the input, with what was found for each of its numbers. */
export interface OutputRow {
  readonly row: Row;
  /** Its place among the rows that were checked; undefined for an empty row and one that cannot be read. */
  readonly place?: number | undefined;
  /** The fields that are added to it, where they are written already. */
  readonly added?: string;
}

/**
 * Writes the rows of a file with the result of their checks, in UTF-8.
 *
 * All text is composed with one character for each byte, so that rows in UTF-8 are never decoded.
 */
export interface Renderer {
  head(): Buffer;
  /** Rows; `checked` holds what was found for each number of those that were checked. */
  rows(rows: readonly OutputRow[], checked: readonly Checked[]): Buffer;
}

/** Output format and the columns to add. */
export interface RenderOptions {
  readonly columns: readonly AddedColumn[];
  readonly prefix: string;
  readonly format: "csv" | "ndjson";
  /** Whether CSV begins with a byte order mark though the file does not. */
  readonly bom?: boolean;
  /** The separator of the fields of CSV, if it is not that of the file. */
  readonly delimiter?: string | undefined;
}

/** The part of a file's layout that a renderer needs. */
export type RenderLayout = Omit<Layout, "parser" | "begin" | "beginLine" | "notes">;

/** Returns the renderer for a file's layout and the wanted format: CSV in the file's own dialect, or NDJSON. */
export function makeRenderer(layout: RenderLayout, options: RenderOptions): Renderer {
  const form = options.format === "csv" ? csvForm(layout, options) : jsonForm(layout, options);
  const compose = (rows: readonly OutputRow[], checked: readonly Checked[], ownText: OwnText) => {
    let composed = "";
    for (const row of rows) composed += form.row(row, checked, ownText);
    return Buffer.from(composed, "latin1");
  };
  const decodedText = (text: string) => encoded(decoded(text, layout.encoding));
  const bytesOf = (write: (ownText: OwnText) => Buffer) => {
    const bytes = write(layout.encoding === "latin-1" ? decodedText : same);
    // Rows that are not UTF-8 are few, or all.
    return isUtf8(bytes) ? bytes : write(decodedText);
  };
  return {
    head: () => bytesOf((ownText) => Buffer.from(form.head(ownText), "latin1")),
    rows: (rows, checked) => bytesOf((ownText) => compose(rows, checked, ownText)),
  };
}

/** Makes UTF-8 of text of the file. */
type OwnText = (text: string) => string;
const same: OwnText = (text) => text;

interface Form {
  head(ownText: OwnText): string;
  row(row: OutputRow, checked: readonly Checked[], ownText: OwnText): string;
}

/** Writes the added fields of a row for one number. */
type WriteAdded = (verdict: Verdict, facts: RowFacts) => string;

/** Rows of one bank share their verdict, so that the fields that it alone decides are written once. */
function addedWriter(
  columns: readonly AddedColumn[],
  write: (value: AddedValue, index: number) => string,
  separator: string,
): WriteAdded {
  const parts: WriteAdded[] = [];
  for (let index = 0; index < columns.length; ) {
    const column = columns[index]!;
    if ("ofRow" in column) {
      const place = index++;
      parts.push((_, facts) => write(column.ofRow(facts), place));
      continue;
    }
    const first = index;
    const shared: { readonly of: (verdict: Verdict) => AddedValue }[] = [];
    for (let next = columns[index]; next !== undefined && "of" in next; next = columns[++index])
      shared.push(next);
    parts.push(
      remembering((verdict) => shared.map(({ of }, at) => write(of(verdict), first + at)).join(separator)),
    );
  }
  return (verdict, facts) => {
    let written = parts[0]?.(verdict, facts) ?? "";
    for (let part = 1; part < parts.length; part++) written += separator + parts[part]!(verdict, facts);
    return written;
  };
}

function remembering(write: (verdict: Verdict) => string): WriteAdded {
  const remembered = new WeakMap<Verdict, string>();
  return (verdict) => {
    let added = remembered.get(verdict);
    if (added === undefined) {
      added = write(verdict);
      remembered.set(verdict, added);
    }
    return added;
  };
}

const noFacts: RowFacts = { iban: null, note: "" };

/** The added fields of a row for all of its numbers. */
function addedTo(
  { row: { fault }, place, added: written }: OutputRow,
  checked: readonly Checked[],
  writers: readonly WriteAdded[],
  separator: string,
): string {
  if (written !== undefined) return written;
  if (fault !== undefined || place === undefined) {
    const message = `Line ${fault?.line} cannot be read: ${fault?.message}.`;
    const verdict = refusedVerdict(badRow, encoded(message));
    return writers.map((write) => write(verdict, noFacts)).join(separator);
  }
  let added = "";
  for (let number = 0; number < writers.length; number++) {
    const { verdicts, ibans, notes } = checked[number]!;
    const facts = {
      iban: ibans[place] ?? null,
      note: notes.size === 0 ? "" : (notes.get(place) ?? ""),
    };
    added += (number === 0 ? "" : separator) + writers[number]!(verdicts[place]!, facts);
  }
  return added;
}

function addedNames(
  { numbers }: RenderLayout,
  { columns, prefix }: RenderOptions,
  names: readonly string[] = [],
): readonly (readonly string[])[] {
  const taken = new Set(names);
  return numbers.map((number) => namesOf(columns, number, prefix, taken));
}

/** Returns what writes the added fields of a row of CSV for one number, with one character for each byte. */
export function csvFields(columns: readonly AddedColumn[], delimiter: string): WriteAdded {
  const quoted = csvQuoter(delimiter);
  const field = (value: AddedValue) =>
    typeof value === "string" ? quoted(value) : value === null ? "" : String(value);
  return addedWriter(columns, field, delimiter);
}

function csvForm(layout: RenderLayout, options: RenderOptions): Form {
  const { width, numbers } = layout;
  const { delimiter: ownDelimiter, lineBreak } = layout.dialect;
  const { delimiter = ownDelimiter, bom = layout.hasByteOrderMark } = options;
  const isSame = layout.format === "csv" && delimiter === ownDelimiter;
  const quoted = csvQuoter(delimiter);
  const writers = numbers.map(() => csvFields(options.columns, delimiter));
  const ownRow = ({ text, fields, fault }: Row) => {
    if (fault !== undefined) return quoted(text) + delimiter.repeat(width - 1);
    // Fields that are missing or too many are empty ones, so that the added columns are below their names.
    const missing = width - fields.length;
    if (!isSame) {
      return fields.slice(0, width).map(quoted).join(delimiter) + delimiter.repeat(Math.max(0, missing));
    }
    if (missing === 0) return text;
    return missing > 0 ? text + delimiter.repeat(missing) : text.slice(0, missing * delimiter.length);
  };
  const headerOf = (ownText: OwnText) => {
    if (layout.names === undefined) return "";
    const own = isSame
      ? ownText(layout.headerText)
      : layout.names.map((name) => quoted(encoded(name))).join(delimiter);
    const added = addedNames(layout, options, layout.names).flat();
    return `${[own, ...added.map((name) => quoted(encoded(name)))].join(delimiter)}${lineBreak}`;
  };
  return {
    head: (ownText) =>
      `${bom ? byteOrderMark : ""}${isSame ? ownText(layout.preamble) : ""}${headerOf(ownText)}`,
    row: (output, checked, ownText) => {
      const { row, place, added } = output;
      const isEmpty = place === undefined && added === undefined && row.fault === undefined;
      if (isEmpty) return isSame ? row.text + lineBreak : "";
      return ownText(ownRow(row)) + delimiter + addedTo(output, checked, writers, delimiter) + lineBreak;
    },
  };
}

/** UTF-8's byte order mark, as characters that stand for bytes. */
const byteOrderMark = "\u00ef\u00bb\u00bf";

function jsonForm(layout: RenderLayout, options: RenderOptions): Form {
  const { columns } = options;
  const isSame = layout.format === "ndjson";
  const writersOf = (names: readonly (readonly string[])[]) =>
    names.map((ofNumber) => {
      const keys = ofNumber.map((name) => encoded(JSON.stringify(name)));
      return addedWriter(columns, (value, index) => `${keys[index]}:${JSON.stringify(value)}`, ",");
    });
  const ownNames = isSame ? layout.names : keysOf(layout);
  const names = addedNames(layout, options, ownNames);
  const writers = writersOf(names);
  const ownKeys = (ownNames ?? []).map((name) => JSON.stringify(name));
  const asObject = ({ fields }: Row, encoding: Encoding | undefined) =>
    ownKeys.map((key, index) => `${key}:${JSON.stringify(decoded(fields[index] ?? "", encoding))}`).join(",");
  // A key that none of the first rows has may be called as an added one: then the added one is dropped in that row.
  const clash = new RegExp(`"(?:${names.flat().map(escaped).join("|")})"\\s*:`);
  const writersFor = (text: string) => {
    if (!clash.test(text)) return writers;
    const own = Object.keys(JSON.parse(decoded(text, layout.encoding)) as object);
    if (!own.some((key) => names.flat().includes(key))) return writers;
    const all = new Set([...(layout.names ?? []), ...own]);
    return writersOf(layout.numbers.map((number) => namesOf(columns, number, options.prefix, all)));
  };
  return {
    head: () => "",
    row: (output, checked, ownText) => {
      const { row, place } = output;
      if (row.fault !== undefined) {
        const raw = encoded(JSON.stringify(decoded(row.text, layout.encoding)));
        return `{"bad_row":${raw},${addedTo(output, checked, writers, ",")}}\n`;
      }
      if (place === undefined) return "";
      if (!isSame) {
        return `{${encoded(asObject(row, layout.encoding))},${addedTo(output, checked, writers, ",")}}\n`;
      }
      const added = addedTo(output, checked, writersFor(row.text), ",");
      return `${ownText(openObject(row.text))}${added}}\n`;
    },
  };
}

/** The names of columns as keys, of which no two may be alike: of those a reader of JSON keeps one. */
function keysOf({ names, width }: RenderLayout): readonly string[] {
  const keys = new Set<string>();
  for (let column = 1; column <= width; column++) {
    let key = names?.[column - 1] || `column_${column}`;
    while (keys.has(key)) key += `_${column}`;
    keys.add(key);
  }
  return [...keys];
}

function escaped(name: string): string {
  return encoded(JSON.stringify(name).slice(1, -1)).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** A JSON object without its closing brace, ready for a further property. */
function openObject(text: string): string {
  const open = text.slice(0, -1).trimEnd();
  return open.endsWith("{") ? open : `${open},`;
}
