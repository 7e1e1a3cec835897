import { normaliseBic } from "../../banking/bic.ts";
import { isBlz, isKontonummer } from "../../banking/germany/account.ts";
import { RequestError } from "../../contract/errors.ts";
import { message } from "../../contract/message.ts";
import { validate } from "../../contract/schema/validate.ts";
import type { CheckedNumber } from "../../rows/columns.ts";
import { CsvRows } from "../../rows/csv-rows.ts";
import { decoded } from "../../rows/encoding.ts";
import { type Layout, recogniseLayout, sampleEnd } from "../../rows/layout.ts";
import { type AskedAccount, readNumber } from "../../rows/read-number.ts";
import { InputError, lineEnd, linesOf, type Row, type TakeRow, wrongQuotes } from "../../rows/rows.ts";
import { ibanQuestion, type LineQuestion, type RowGroup, type StreamRow } from "./stream-line.ts";
import type { StreamLayout, StreamQuestion } from "./stream-task.ts";

/**
 * Recognises CSV by the first lines of a body, or as many as a block holds; undefined if more of it has to come first.
 * It is the same however the body is cut into pieces. Throws a RequestError if it is not clear what to check.
 */
export function recogniseCsv(
  text: string,
  isAll: boolean,
  isWhole: boolean,
  { columns }: StreamQuestion,
): Layout | undefined {
  if (!isAll && sampleEnd(text) === 0) return undefined;
  const optionName = (name: string) => name.replaceAll("-", "_");
  try {
    const head = Buffer.from(text, "latin1");
    return recogniseLayout(head, isWhole, { ...columns, inputFormat: "csv", optionName });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const reason = error.reason ?? message("rows_unreadable");
    throw new RequestError("invalid_request", { field: "column", message: reason });
  }
}

/** Reads the rows of CSV and the numbers to check in them. */
export class CsvReader {
  readonly #parser: CsvRows;
  readonly #numbers: readonly CheckedNumber[];
  readonly #names: readonly string[] | undefined;

  constructor({ dialect, width, numbers }: StreamLayout) {
    this.#parser = new CsvRows(dialect, width);
    this.#numbers = numbers;
    this.#names = numbers.length === 1 ? undefined : numbers.map(({ prefix }) => prefix.replace(/_$/, ""));
  }

  /** Reads at most `maxRows` rows. */
  read(text: string, maxRows: number, firstLine: number, isLast: boolean): RowGroup {
    const rows: StreamRow[] = [];
    let line = firstLine;
    const take: TakeRow = (fields, from, to, next, fault) => {
      const own = text.slice(from, to);
      rows.push(this.#rowOf(line, next, { text: own, fields }, fault));
      line += linesOf(own);
      return rows.length === maxRows;
    };
    const next = this.#parser.parse(text, isLast, take);
    return { rows, next, nextLine: line };
  }

  /** Reads the first line of a row that is longer than a block, as a quote that was never closed; undefined without one. */
  readBroken(text: string, line: number): RowGroup | undefined {
    const next = text.indexOf("\n") + 1;
    if (next === 0) return undefined;
    const row = this.#rowOf(
      line,
      next,
      { text: text.slice(0, lineEnd(text, 0, next)), fields: [] },
      wrongQuotes,
    );
    return { rows: [row], next, nextLine: line + 1 };
  }

  #rowOf(line: number, next: number, row: Row, fault: string | undefined): StreamRow {
    if (fault !== undefined) {
      const error = new RequestError("invalid_request", {
        message: message("row_unreadable", { line, fault }),
      });
      const questions = [{ kind: "error", error }] as const;
      return { line, next, id: "", questions, row: { ...row, fault: { line, message: fault } } };
    }
    const numbers = row.fields.length === 0 ? [] : this.#numbers;
    const questions: LineQuestion[] = [];
    let notes: (string | undefined)[] | undefined;
    for (const [place, number] of numbers.entries()) {
      const { question, note } = questionOf(number, row.fields);
      questions.push(question);
      if (note === "") continue;
      notes ??= [];
      notes[place] = note;
    }
    const named = { line, next, id: "", questions, row, columns: this.#names };
    return notes === undefined ? named : { ...named, notes };
  }
}

function questionOf(
  checked: CheckedNumber,
  fields: readonly string[],
): { readonly question: LineQuestion; readonly note: string } {
  const { number, note } = readNumber(checked, (column) => decoded(fields[column] ?? "", undefined));
  if ("kontonummer" in number) return { question: accountQuestion(number), note };
  const question = ibanQuestion(number.iban, "");
  const { bic } = number;
  if (bic === undefined || question.kind !== "iban") return { question, note };
  return { question: { ...question, bicIfValid: normaliseBic(bic) }, note };
}

function accountQuestion(account: AskedAccount): LineQuestion {
  if (!isKontonummer(account.kontonummer) || !isBlz(account.bankleitzahl)) {
    try {
      validate("accountBody", { ...account });
    } catch (error) {
      if (error instanceof RequestError) return { kind: "error", error };
      throw error;
    }
  }
  return { kind: "account", ...account };
}
