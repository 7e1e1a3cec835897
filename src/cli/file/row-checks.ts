import type { RequestSender } from "../../client/sender.ts";
import { columnsOf } from "../../rows/columns.ts";
import { fieldsOfRow } from "../../rows/csv-rows.ts";
import { decoded, type Encoding, encoded } from "../../rows/encoding.ts";
import type { Layout } from "../../rows/layout.ts";
import { shortened } from "../../rows/read-number.ts";
import { makeRenderer, type OutputRow, type Renderer } from "../../rows/render.ts";
import { badRow, csvQuoter, selectedColumns } from "../../rows/verdict.ts";
import type { RowBlock } from "./blocks.ts";
import { RowsAnswer } from "./rows-answer.ts";
import type { FileRequest, RowCounts } from "./run-state.ts";

/** Rows as they are written, and counted. */
export interface CheckedRows {
  readonly bytes: Buffer;
  readonly counts: RowCounts;
  /** The rows that go to the file of rejected ones, as they are in the input. */
  readonly rejected: string;
}

/** A question about a number in each row. */
interface Question {
  /** Path and query. */
  readonly path: string;
  /** Where its fields are among those that are sent of a row. */
  readonly places: readonly number[];
}

/** The columns that rows are counted by; every question has them. */
const countedColumns = ["valid", "reason"];

/**
 * Checks the rows of a file: asks the service for the added columns of each of their numbers by a row of CSV, of its
 * number and the fields to check, and joins them to its own copy of the row. Nothing else leaves the machine.
 */
export class RowChecks {
  /** The columns whose fields are sent. */
  readonly columns: readonly number[];
  readonly #sender: RequestSender;
  readonly #request: FileRequest;
  readonly #questions: readonly Question[];
  readonly #renderer: Renderer;
  readonly #encoding: Encoding | undefined;
  /** The separator of fields, in questions and answers. */
  readonly #delimiter: string;
  readonly #quoted: (text: string) => string;
  readonly #plain: RegExp;
  /** Columns before those to add, and where among all of them the counted ones are. */
  readonly #surplus: number;
  readonly #countedAt: readonly number[];

  constructor(sender: RequestSender, layout: Layout, request: FileRequest) {
    const { format = layout.format, outputDelimiter, prefix, bom, generates, suggests } = request;
    const columns = selectedColumns(request);
    const written = format === "csv" ? (outputDelimiter ?? layout.dialect.delimiter) : ",";
    // The service takes no other as a separator.
    const delimiter = /^[ -~\t]$/.test(written) ? written : ",";
    const names = columns.map(({ name }) => name);
    const surplus = countedColumns.filter((name) => !names.includes(name));
    const fields = [...surplus, ...names];
    const sent = [...new Set(layout.numbers.flatMap(columnsOf))];
    this.columns = sent;
    this.#sender = sender;
    this.#request = request;
    this.#questions = layout.numbers.map((number) => {
      const places = columnsOf(number).map((column) => sent.indexOf(column));
      const options =
        number.kind === "account" ? ["kontonummer_column", "blz_column"] : ["column", "bic_column"];
      const query = new URLSearchParams({
        header: "0",
        delimiter: delimiter === "\t" ? "tab" : delimiter,
        ...Object.fromEntries(places.map((_, place) => [options[place]!, String(place + 2)])),
        fields: fields.join(),
        ...(suggests ? { suggest: "1" } : {}),
        ...(generates ? { sepa: "1" } : {}),
      });
      return { path: `/v1/stream?${query}`, places };
    });
    // The values of JSON are in UTF-8 by now.
    this.#encoding = layout.format === "ndjson" ? undefined : layout.encoding;
    this.#delimiter = delimiter;
    this.#quoted = csvQuoter(delimiter);
    const special = delimiter.replace(/[\\\]^-]/g, "\\$&");
    this.#plain = new RegExp(`^[^"\\0\\r\\n\\u0080-\\uffff${special}]{0,100}$`);
    this.#surplus = surplus.length;
    this.#countedAt = countedColumns.map((name) => fields.indexOf(name));
    this.#renderer = makeRenderer(layout, {
      ...{ columns, language: "en", prefix, format, bom },
      ...{ delimiter: outputDelimiter, addedDelimiter: delimiter },
    });
  }

  /** What comes before the first row. */
  head(): Buffer {
    return this.#renderer.head();
  }

  /** Rejects with a BankcheckError, also for an answer that does not have exactly one row for each row sent, in order. */
  async check({ rows, fields }: RowBlock, signal: AbortSignal): Promise<CheckedRows> {
    const asking = this.#questions.map((question) => this.#ask(question, fields, signal));
    return this.#joined(rows, await Promise.all(asking));
  }

  /** Resolves with the answer to each row, which has as many of the fields as there are columns. */
  async #ask(
    { path, places }: Question,
    fields: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const ends: number[] = [];
    let asked = "";
    for (let row = 0; row < fields.length; row += this.columns.length) {
      asked += ends.length + 1;
      for (const place of places) asked += this.#delimiter + this.#quotedField(fields[row + place]!);
      asked += "\n";
      ends.push(asked.length);
    }
    if (ends.length === 0) return [];
    const body = new RowsAnswer(Buffer.from(asked, "latin1"), ends, this.#delimiter.charCodeAt(0));
    return this.#sender.send({ path, body, signal, read: () => body.rows() });
  }

  #quotedField(field: string): string {
    if (this.#plain.test(field)) return field;
    // A text with a zero is refused as a whole; no number has any other control character either.
    const text = shortened(decoded(field, this.#encoding)).replaceAll("\0", "\u0001");
    return this.#quoted(encoded(text));
  }

  /** Joins what was answered to the rows with fields, and counts all of them. */
  #joined(rows: RowBlock["rows"], answers: readonly (readonly string[])[]): CheckedRows {
    const { only, badRows } = this.#request;
    const [validAt = 0, reasonAt = 0] = this.#countedAt;
    const reasons: Record<string, number> = {};
    const warnings: Record<string, number> = {};
    const count = (counted: Record<string, number>, reason: string) => {
      counted[reason] = (counted[reason] ?? 0) + 1;
    };
    const written: OutputRow[] = [];
    let rejected = "";
    let valid = 0;
    let checked = 0;
    let bad = 0;
    for (const row of rows) {
      if (row.fault !== undefined) {
        bad++;
        count(reasons, badRow);
        if (badRows.kind === "reject") rejected += `${row.text}\n`;
        else if (only !== "valid") written.push({ row });
      } else if (row.count === 0) {
        if (only === undefined) written.push({ row });
      } else {
        const place = checked++;
        const found = answers.map((answer) => {
          const fields = fieldsOfRow(answer[place]!, this.#delimiter);
          return { isValid: fields[validAt] === "true", reason: fields[reasonAt] ?? "" };
        });
        const isValid = found.every((finding) => finding.isValid);
        for (const finding of found) if (!finding.isValid) count(reasons, finding.reason);
        const warned = isValid ? found.find(({ reason }) => reason !== "") : undefined;
        if (warned !== undefined) count(warnings, warned.reason);
        if (isValid) valid++;
        if (only !== undefined && (only === "valid") !== isValid) continue;
        const added = answers.map((answer) => this.#withoutSurplus(answer[place]!)).join(this.#delimiter);
        written.push({ row, added });
      }
    }
    const all = checked + bad;
    const counts = { rows: all, valid, invalid: all - valid, bad, reasons, warnings };
    return { bytes: this.#renderer.rows(written), rejected, counts };
  }

  /** Neither `valid` nor `reason` has a separator in it. */
  #withoutSurplus(columns: string): string {
    let from = 0;
    for (let field = 0; field < this.#surplus; field++) from = columns.indexOf(this.#delimiter, from) + 1;
    return columns.slice(from);
  }
}
