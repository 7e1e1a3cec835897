import { lineEnd, maxRowBytes, type RowParser, type TakeRow, tooLong, wrongQuotes } from "./rows.ts";

/** Delimiter and line break of a CSV file. */
export interface CsvDialect {
  readonly delimiter: string;
  readonly lineBreak: "\n" | "\r\n" | "\r";
}

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

/** The delimiter whose number in the rows changes least, and of several the one that cuts them into the most fields. */
function delimiterOf(body: string, lineBreak: CsvDialect["lineBreak"]): string {
  let [found, minChange, maxFields] = [",", Number.POSITIVE_INFINITY, 1];
  for (const delimiter of delimiters) {
    const widths: number[] = [];
    new CsvRows({ delimiter, lineBreak }).parse(body, true, ({ length }, _from, _to, _next, fault) => {
      if (length > 0) widths.push(length);
      // After wrong quotes the lines may be those of one field.
      return widths.length === sampleRows || (fault !== undefined && widths.length > 0);
    });
    const fields = widths.reduce((sum, width) => sum + width, 0) / widths.length;
    const change = widths.reduce((sum, width, row) => sum + Math.abs(width - (widths[row - 1] ?? width)), 0);
    const isBetter = change < minChange || (change === minChange && fields > maxFields);
    if (fields >= minFields && isBetter) [found, minChange, maxFields] = [delimiter, change, fields];
  }
  return found;
}

/** A row with quotes, and where its line break begins. */
interface QuotedRow {
  readonly fields: readonly string[];
  readonly last: number;
}

/** Finds the rows of CSV, with quotes as RFC 4180 has them. */
export class CsvRows implements RowParser {
  readonly lineBreak: "\n" | "\r";
  readonly #dialect: CsvDialect;
  readonly #width: number;

  /** @param width how many fields a row may have. */
  constructor(dialect: CsvDialect, width = Number.POSITIVE_INFINITY) {
    this.lineBreak = dialect.lineBreak === "\r" ? "\r" : "\n";
    this.#dialect = dialect;
    this.#width = width;
  }

  parse(text: string, isLast: boolean, take: TakeRow): number {
    const { delimiter, lineBreak } = this.#dialect;
    let quote = -1;
    let begin = 0;
    while (begin < text.length) {
      const found = text.indexOf(lineBreak, begin);
      if (found < 0 && !isLast) break;
      let next = found < 0 ? text.length : found + lineBreak.length;
      let end = endOfRow(text, begin, found < 0 ? text.length : found);
      let fields: readonly string[] = [];
      let fault: string | undefined;
      if (quote < begin) quote = placeOf('"', text, begin);
      if (quote < end) {
        const row = this.#quotedRow(text, begin, isLast);
        if (row === "open" && !isLast) break;
        if (typeof row === "string" || row.last - begin > maxRowBytes) {
          // The end of the row is unknown: treat its line as the row, and the next line as another.
          fault = wrongQuotes;
          next = text.indexOf(this.lineBreak, begin) + 1 || text.length;
          end = lineEnd(text, begin, next);
        } else {
          fields = row.fields;
          next = Math.min(row.last + lineBreak.length, text.length);
          end = endOfRow(text, begin, row.last);
        }
      } else if (end - begin > maxRowBytes) fault = tooLong;
      else fields = text.slice(begin, end).split(delimiter);
      if (fields.length === 1 && fields[0] === "") fields = [];
      const isEnough = take(fields, begin, end, next, fault ?? this.#widthFault(fields, text, end));
      begin = next;
      if (isEnough === true) break;
    }
    return begin;
  }

  /** Reads a row that has quotes: it is open if the text ends in it, and wrong if text follows a closing quote. */
  #quotedRow(text: string, begin: number, isLast: boolean): QuotedRow | "open" | "wrong" {
    const { delimiter, lineBreak } = this.#dialect;
    const fields: string[] = [];
    let breakAt = -1;
    for (let at = begin; ; at++) {
      let end: number;
      if (text[at] === '"') {
        const close = closingQuote(text, at + 1);
        if (close < 0) return "open";
        fields.push(text.slice(at + 1, close).replaceAll('""', '"'));
        end = close + 1;
        while (isPadding(text[end]) && text[end] !== delimiter && !text.startsWith(lineBreak, end)) end++;
      } else {
        if (breakAt < at) breakAt = placeOf(lineBreak, text, at);
        const length = text.slice(at, breakAt).indexOf(delimiter);
        end = length < 0 ? breakAt : at + length;
        fields.push(text.slice(at, length < 0 ? endOfRow(text, at, end) : end));
      }
      if (text.startsWith(lineBreak, end) || (end === text.length && isLast)) return { fields, last: end };
      if (end === text.length) return "open";
      if (text[end] !== delimiter) return "wrong";
      at = end;
    }
  }

  /** Empty fields beyond the last column are passed over: many programs end each row with a delimiter. */
  #widthFault({ length }: readonly string[], text: string, end: number): string | undefined {
    if (length <= this.#width) return undefined;
    const surplus = this.#dialect.delimiter.repeat(length - this.#width);
    if (text.startsWith(surplus, end - surplus.length)) return undefined;
    return `it has ${length} fields instead of ${this.#width}`;
  }
}

/** Where line feeds end the rows, a carriage return before one belongs to it. */
function endOfRow(text: string, begin: number, last: number): number {
  return last > begin && text[last - 1] === "\r" ? last - 1 : last;
}

/** Where something is in a text from a place on, or where the text ends. */
function placeOf(wanted: string, text: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}

/** The quote that closes a field whose text begins at a place; two are one of the text. */
function closingQuote(text: string, begin: number): number {
  let found = text.indexOf('"', begin);
  while (found >= 0 && text[found + 1] === '"') found = text.indexOf('"', found + 2);
  return found;
}

/** Whether a character between a closing quote and the end of its field is passed over. */
function isPadding(character: string | undefined): boolean {
  return character === " " || character === "\t" || character === "\r";
}
