import Papa from "papaparse";
import { InputError } from "./input-error.ts";
import type { RowParser, TakeRow } from "./rows.ts";

/** How a CSV file is written. */
export interface CsvDialect {
  readonly delimiter: string;
  readonly lineBreak: "\n" | "\r\n" | "\r";
}

/** What the CSV library tells of one row; its cursor stands where the next one begins. */
interface CsvStep {
  readonly data: readonly string[][];
  readonly errors: readonly unknown[];
  readonly meta: { readonly cursor: number };
}

/** Finds the rows of CSV, with quotes as RFC 4180 has them. */
export class CsvRows implements RowParser {
  readonly #dialect: CsvDialect;

  constructor(dialect: CsvDialect) {
    this.#dialect = dialect;
  }

  parse(text: string, isLast: boolean, take: TakeRow): number {
    const { delimiter, lineBreak } = this.#dialect;
    let begin = 0;
    const step = ({ data, errors, meta }: CsvStep) => {
      const fields = data[0]!;
      if (errors.length > 0) {
        throw new InputError(`The quotes of this row are wrong: ${text.slice(begin, begin + 100)}`);
      }
      const next = meta.cursor;
      take(fieldsOf(fields), begin, endOfRow(text, begin, next, lineBreak), next);
      begin = next;
    };
    new Papa.Parser({ delimiter, newline: lineBreak, step }).parse(text, 0, !isLast);
    return begin;
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
