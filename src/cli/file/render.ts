import { type AddedColumn, namesOf } from "./added-columns.ts";
import { InputError } from "./input-error.ts";
import type { Layout } from "./layout.ts";
import type { Block, Row } from "./rows.ts";
import { decoded, type Encoding, encoded } from "./text.ts";
import type { Verdict } from "./verdict.ts";

/** Writes the rows of a file with what their checks came to. */
export interface Renderer {
  /** What stands before the first row. */
  head(encoding: Encoding | undefined): Buffer;
  /** The rows of a block; a verdict for each row that has fields, in their order. */
  block(block: Block, verdicts: readonly Verdict[], encoding: Encoding | undefined): Buffer;
}

/**
 * How output is composed: for a file in UTF-8 of characters that stand for bytes, so that its rows are never decoded;
 * for one in Latin-1 of characters as they are. What comes out is UTF-8 in either case.
 */
interface Scribe {
  /** Takes text of the file, whose characters stand for bytes. */
  readonly ofFile: (text: string) => string;
  /** Takes text of answers, whose characters stand for bytes of UTF-8. */
  readonly ofAnswer: (text: string) => string;
  /** Takes text as it is. */
  readonly ofText: (text: string) => string;
  readonly bytes: (composed: string) => Buffer;
}

const same = (text: string) => text;
const utf8Scribe: Scribe = {
  ofFile: same,
  ofAnswer: same,
  ofText: encoded,
  bytes: (text) => Buffer.from(text, "latin1"),
};
const latin1Scribe: Scribe = {
  ofFile: (text) => decoded(text, "latin-1"),
  ofAnswer: (text) => decoded(text, "utf-8"),
  ofText: same,
  bytes: (text) => Buffer.from(text, "utf8"),
};
const scribeOf = (encoding: Encoding | undefined) => (encoding === "latin-1" ? latin1Scribe : utf8Scribe);

/** Makes the renderer for a file's layout and the format wanted: CSV in the file's own dialect, or NDJSON. */
export function makeRenderer(
  layout: Layout,
  columns: readonly AddedColumn[],
  format: "csv" | "ndjson",
): Renderer {
  const names = namesOf(columns, layout.names ?? []);
  return format === "csv" ? csvRenderer(layout, columns, names) : jsonRenderer(layout, columns, names);
}

function csvRenderer(layout: Layout, columns: readonly AddedColumn[], names: readonly string[]): Renderer {
  const { delimiter, lineBreak } = layout.dialect;
  const isSame = layout.format === "csv";
  const special = new RegExp(`["\\r\\n${delimiter.replace(/[\\\]^-]/g, "\\$&")}]`);
  const quoted = (text: string) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const csvField = (value: string | number | boolean | null) =>
    typeof value === "string" ? quoted(value) : value === null ? "" : String(value);
  const headerOf = ({ ofFile, ofText }: Scribe) => {
    if (layout.names === undefined) return "";
    const own = isSame
      ? ofFile(padded(layout.headerText, layout.names, layout, delimiter))
      : ofText(layout.names.map(quoted).join(delimiter));
    return `${own}${delimiter}${names.map(quoted).join(delimiter)}${lineBreak}`;
  };
  const addedTo = remembering((verdict) =>
    columns.map((column) => csvField(column.of(verdict))).join(delimiter),
  );
  return {
    head: (encoding) => {
      const scribe = scribeOf(encoding);
      return scribe.bytes(`${layout.hasByteOrderMark ? byteOrderMark : ""}${headerOf(scribe)}`);
    },
    block: (block, verdicts, encoding) => {
      const { ofFile, ofAnswer, bytes } = scribeOf(encoding);
      let composed = "";
      eachRow(block, verdicts, (row, verdict, number) => {
        if (verdict === undefined) {
          composed += isSame ? row.text + lineBreak : "";
          return;
        }
        if (row.fields.length > layout.width) throw tooWide(number, row.fields.length, layout.width);
        const own = isSame
          ? padded(row.text, row.fields, layout, delimiter)
          : row.fields.map(quoted).join(delimiter);
        composed += ofFile(own) + delimiter + ofAnswer(addedTo(verdict)) + lineBreak;
      });
      return bytes(composed);
    },
  };
}

/** Rows of one bank share their verdict. */
function remembering(addedTo: (verdict: Verdict) => string): (verdict: Verdict) => string {
  const remembered = new WeakMap<Verdict, string>();
  return (verdict) => {
    let added = remembered.get(verdict);
    if (added === undefined) {
      added = addedTo(verdict);
      remembered.set(verdict, added);
    }
    return added;
  };
}

/** UTF-8's byte order mark, as characters that stand for bytes. */
const byteOrderMark = "\u00ef\u00bb\u00bf";

/** A row with fewer fields than the others gets empty ones, so that the added columns stand below their names. */
function padded(text: string, { length }: readonly string[], { width }: Layout, delimiter: string): string {
  return length < width ? text + delimiter.repeat(width - length) : text;
}

function tooWide(number: number, fields: number, width: number): InputError {
  return new InputError(
    `Row ${number} has ${fields} fields, the first one ${width}; nothing can be added to it in its place.`,
  );
}

function jsonRenderer(layout: Layout, columns: readonly AddedColumn[], names: readonly string[]): Renderer {
  const keys = names.map((name) => JSON.stringify(name));
  const addedTo = remembering((verdict) =>
    columns.map((column, index) => `${keys[index]}:${JSON.stringify(column.of(verdict))}`).join(","),
  );
  const ownKeys = Array.from({ length: layout.width }, (_, index) =>
    JSON.stringify(layout.names?.[index] ?? `column_${index + 1}`),
  );
  const ownFields = (row: Row, encoding: Encoding | undefined) =>
    ownKeys
      .map((key, index) => `${key}:${JSON.stringify(decoded(row.fields[index] ?? "", encoding))}`)
      .join(",");
  return {
    head: () => Buffer.alloc(0),
    block: (block, verdicts, encoding) => {
      const { ofFile, ofAnswer, ofText, bytes } = scribeOf(encoding);
      let composed = "";
      eachRow(block, verdicts, (row, verdict, number) => {
        if (verdict === undefined) return;
        if (row.fields.length > layout.width) throw tooWide(number, row.fields.length, layout.width);
        const own =
          layout.format === "ndjson" ? ofFile(openObject(row.text)) : ofText(`{${ownFields(row, encoding)},`);
        composed += `${own}${ofAnswer(addedTo(verdict))}}\n`;
      });
      return bytes(composed);
    },
  };
}

/** A JSON object without its closing brace, ready for a further property. */
function openObject(text: string): string {
  const open = text.slice(0, -1).trimEnd();
  return open.endsWith("{") ? open : `${open},`;
}

/** An empty line has no verdict. */
function eachRow(
  block: Block,
  verdicts: readonly Verdict[],
  write: (row: Row, verdict: Verdict | undefined, number: number) => void,
): void {
  let next = 0;
  for (const [index, row] of block.rows.entries()) {
    write(row, row.fields.length === 0 ? undefined : verdicts[next++], block.firstRow + index);
  }
}
