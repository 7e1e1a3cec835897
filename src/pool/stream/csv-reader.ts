import { normaliseBic } from "../../banking/bic.ts";
import { isBlz, isKontonummer } from "../../banking/germany/account.ts";
import { RequestError } from "../../contract/errors.ts";
import { maxStreamLineBytes } from "../../contract/limits.ts";
import { message } from "../../contract/message.ts";
import { validate } from "../../contract/schema/validate.ts";
import type { CheckedNumber } from "../../rows/columns.ts";
import { CsvScanner } from "../../rows/csv-scanner.ts";
import { decoded } from "../../rows/encoding.ts";
import { type Layout, recogniseLayout, sampleEnd } from "../../rows/layout.ts";
import { type AskedAccount, readNumber } from "../../rows/read-number.ts";
import { InputError, type Row } from "../../rows/rows.ts";
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
  readonly #scanner: CsvScanner;
  readonly #numbers: readonly CheckedNumber[];
  readonly #names: readonly string[] | undefined;

  constructor({ dialect, width, numbers }: StreamLayout) {
    this.#scanner = new CsvScanner(dialect, width, maxStreamLineBytes);
    this.#numbers = numbers;
    this.#names = numbers.length === 1 ? undefined : numbers.map(({ prefix }) => prefix.replace(/_$/, ""));
  }

  /** Reads at most `maxRows` rows of bytes from a place on; places are from there. */
  read(
    bytes: Buffer,
    begin: number,
    limit: number,
    firstLine: number,
    isLast: boolean,
    maxRows: number,
  ): RowGroup {
    const scanner = this.#scanner;
    const text = { slice: (from: number, to: number) => bytes.toString("latin1", from, to) };
    const rows: StreamRow[] = [];
    let line = firstLine;
    let at = begin;
    while (rows.length < maxRows && at < limit && scanner.scan(bytes, at, limit, isLast)) {
      const row = { text: text.slice(at, scanner.end), fields: scanner.fields(text) };
      at = scanner.next;
      rows.push(this.#rowOf(line, at - begin, row, scanner.fault));
      line += scanner.lines;
    }
    return { rows, next: at - begin, nextLine: line };
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
