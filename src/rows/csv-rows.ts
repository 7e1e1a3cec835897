import { type CsvDialect, CsvScanner } from "./csv-scanner.ts";

const delimiters = [",", ";", "\t", "|"];
/** Number of rows that a delimiter is recognised by, and how many fields they have on average, some of which may be missing. */
const sampleRows = 10;
const minFields = 1.5;

/** Recognises how CSV is written by its first rows; a delimiter that is given is not guessed. */
export function recogniseDialect(body: string, delimiter?: string | undefined): CsvDialect {
  const lineBreak = lineBreakOf(body);
  return { delimiter: delimiter ?? delimiterOf(body, lineBreak), lineBreak };
}

/** Lists that others have added to often end their rows in more than one way; each that has a line feed ends with it. */
function lineBreakOf(body: string): CsvDialect["lineBreak"] {
  const unquoted = body.replace(/(^|[^\w ])"(?:[^"]|"")*("|$)/g, "$1");
  const text = /[\r\n]/.test(unquoted) ? unquoted : body;
  const count = (lineBreak: RegExp) => text.match(lineBreak)?.length ?? 0;
  const [crLf, lineFeeds, returns] = [count(/\r\n/g), count(/\n/g), count(/\r/g)];
  if (returns - crLf > lineFeeds) return "\r";
  return crLf > 0 && crLf === lineFeeds ? "\r\n" : "\n";
}

/**
 * The delimiter whose number in the rows changes least, and of several the one that cuts them into the most fields, or
 * else cuts more rows. Commas that are all decimal (`12,50`) are one only where no other is.
 */
function delimiterOf(body: string, lineBreak: CsvDialect["lineBreak"]): string {
  const possible = delimiters
    .map((delimiter) => ({ delimiter, ...cutsOf(body, { delimiter, lineBreak }) }))
    .filter(({ fields }) => fields >= minFields);
  const others = possible.filter(({ isDecimal }) => !isDecimal);
  const [best] = (others.length > 0 ? others : possible).sort(
    (one, other) => one.change - other.change || other.fields - one.fields || other.rows - one.rows,
  );
  return best?.delimiter ?? ",";
}

function cutsOf(body: string, dialect: CsvDialect) {
  const widths: number[] = [];
  let isDecimal = dialect.delimiter === ",";
  for (const { fields, begin, end, fault } of rowsIn(dialect, body, true)) {
    // After wrong quotes the lines may be those of one field.
    if (fault !== undefined && (widths.at(-1) ?? 0) > 0) break;
    if (fields.length > 0 || fault !== undefined) widths.push(fields.length);
    isDecimal &&= !/(?<!\d),|,(?!\d)/.test(body.slice(begin, end));
    if (widths.length === sampleRows) break;
  }
  const fields = widths.reduce((sum, width) => sum + width, 0) / widths.length;
  const change = widths.reduce((sum, width, row) => sum + Math.abs(width - (widths[row - 1] ?? width)), 0);
  return { rows: widths.length, fields, change, isDecimal };
}

/**
 * Finds the whole rows of CSV in a text, and where the text is the last also one that no line break ends: the fields of each,
 * where it begins and ends, where the next one begins, and what is wrong. A row that cannot be read ends with its line.
 */
export function* rowsIn(dialect: CsvDialect, text: string, isLast: boolean) {
  const scanner = new CsvScanner(dialect);
  const codes = new (/[\u0100-\uffff]/.test(text) ? Uint16Array : Uint8Array)(text.length);
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  for (let begin = 0; begin < text.length && scanner.scan(codes, begin, text.length, isLast); ) {
    const { end, next, fault } = scanner;
    yield { fields: scanner.fields(text), begin, end, next, fault };
    begin = next;
  }
}

/** Returns the fields of a row of CSV that is in order. */
export function fieldsOfRow(row: string, delimiter: string): readonly string[] {
  if (!row.includes('"')) return row.split(delimiter);
  const [found] = rowsIn({ delimiter, lineBreak: "\n" }, row, true);
  return found?.fields ?? [];
}
