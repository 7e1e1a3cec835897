import Papa from "papaparse";
import { lineEnd, maxRowBytes, type RowParser, shifted, type TakeRow, tooLong, wrongQuotes } from "./rows.ts";

/** Delimiter and line break of a CSV file. */
export interface CsvDialect {
  readonly delimiter: string;
  readonly lineBreak: "\n" | "\r\n" | "\r";
}

const delimiters = [",", ";", "\t", "|"];
const sampleRows = 100;

/** Recognises how CSV is written by its first rows; a delimiter that is given is not guessed. */
export function recogniseDialect(body: string, delimiter?: string | undefined): CsvDialect {
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

/** Report of the CSV library on one row; its cursor is the start of the next row. */
interface CsvStep {
  readonly data: readonly string[][];
  readonly errors: readonly unknown[];
  readonly meta: { readonly cursor: number };
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
    if (!text.includes('"')) return this.#parsePlain(text, isLast, take);
    let begin = 0;
    for (;;) {
      const from = begin;
      const { consumed, fault } = this.#parseUntilFault(
        from === 0 ? text : text.slice(from),
        isLast,
        shifted(take, from),
      );
      begin += consumed;
      if (fault === undefined) return begin;
      // The end of the row is unknown: treat its line as the row, and the next line as another.
      const found = text.indexOf(this.lineBreak, begin);
      if (found < 0 && !isLast) return begin;
      const next = found < 0 ? text.length : found + 1;
      const isEnough = take([], begin, lineEnd(text, begin, next), next, fault);
      begin = next;
      if (isEnough === true) return begin;
    }
  }

  /** Without quotes each line is a row; several times as fast as the library. */
  #parsePlain(text: string, isLast: boolean, take: TakeRow): number {
    const { delimiter, lineBreak } = this.#dialect;
    let begin = 0;
    while (begin < text.length) {
      const found = text.indexOf(lineBreak, begin);
      if (found < 0 && !isLast) break;
      const next = found < 0 ? text.length : found + lineBreak.length;
      const last = found < 0 ? next : found;
      const end = last > begin && text[last - 1] === "\r" ? last - 1 : last;
      const fields = end === begin ? [] : text.slice(begin, end).split(delimiter);
      const fault = next - begin > maxRowBytes ? tooLong : this.#widthFault(fields, text, end);
      const isEnough = take(fields, begin, end, next, fault);
      begin = next;
      if (isEnough === true) break;
    }
    return begin;
  }

  #parseUntilFault(
    text: string,
    isLast: boolean,
    take: TakeRow,
  ): { readonly consumed: number; readonly fault: string | undefined } {
    const { delimiter, lineBreak } = this.#dialect;
    let begin = 0;
    let fault: string | undefined;
    let isDone = false;
    const step = ({ data, errors, meta }: CsvStep) => {
      // The library reports one row more after it was asked to stop.
      if (fault !== undefined || isDone) return;
      const next = meta.cursor;
      // Nothing after the last line break: not a row.
      if (next === begin) return;
      if (errors.length > 0 || next - begin > maxRowBytes) fault = wrongQuotes;
      if (fault !== undefined) {
        parser.abort();
        return;
      }
      const end = endOfRow(text, begin, next, lineBreak);
      const fields = fieldsOf(data[0]!);
      const isEnough = take(fields, begin, end, next, this.#widthFault(fields, text, end));
      begin = next;
      if (isEnough === true) {
        isDone = true;
        parser.abort();
      }
    };
    const parser = new Papa.Parser({ delimiter, newline: lineBreak, step });
    parser.parse(text, 0, !isLast);
    return { consumed: begin, fault };
  }

  /** Empty fields beyond the last column are passed over: many programs end each row with a delimiter. */
  #widthFault({ length }: readonly string[], text: string, end: number): string | undefined {
    if (length <= this.#width) return undefined;
    const surplus = this.#dialect.delimiter.repeat(length - this.#width);
    if (text.startsWith(surplus, end - surplus.length)) return undefined;
    return `it has ${length} fields instead of ${this.#width}`;
  }
}

/** An empty line has no fields; where line feeds end the rows, a carriage return before one belongs to it. */
function fieldsOf(fields: string[]): readonly string[] {
  const last = fields.length - 1;
  if (fields[last]!.endsWith("\r")) fields[last] = fields[last]!.slice(0, -1);
  return last === 0 && fields[0] === "" ? [] : fields;
}

function endOfRow(text: string, begin: number, next: number, lineBreak: string): number {
  let end = next;
  if (end - lineBreak.length >= begin && text.startsWith(lineBreak, end - lineBreak.length)) {
    end -= lineBreak.length;
  }
  return end > begin && text[end - 1] === "\r" ? end - 1 : end;
}
