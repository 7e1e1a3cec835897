import type { RequestSender } from "../../client/sender.ts";
import type { CheckedNumber } from "../../rows/columns.ts";
import { fieldsOfRow } from "../../rows/csv-rows.ts";
import { decoded, type Encoding, encoded } from "../../rows/encoding.ts";
import { shortened } from "../../rows/read-number.ts";
import { csvQuoter } from "../../rows/verdict.ts";
import { RowsAnswer } from "./rows-answer.ts";
import type { FileRequest } from "./run-state.ts";

/** What is found of one number of a row. */
export interface Finding {
  readonly valid: boolean;
  /** Why it is not valid; empty if it is. */
  readonly reason: string;
}

/** The answer to the same number of several rows. */
export interface AnsweredNumbers {
  /** Returns the columns to add to a row, as a row of CSV. */
  columnsOf(row: number): string;
  findingOf(row: number): Finding;
}

/** A question about a number in each row of a file. */
export interface NumberQuestion extends Pick<FileRequest, "generates" | "suggests"> {
  readonly kind: CheckedNumber["kind"];
  /** Where the fields to send are among those of a row. */
  readonly places: readonly number[];
  readonly encoding: Encoding | undefined;
  /** The separator of fields, in questions and answers. */
  readonly delimiter: string;
  /** Names of the columns to add. */
  readonly names: readonly string[];
}

/** The columns that rows are counted by; every question has them. */
const counted = ["valid", "reason"];

/**
 * Asks the service for the added columns of one number of each row: a row of CSV for each, of its number and the fields to
 * check. Nothing else leaves the machine.
 */
export class AskedNumbers {
  readonly #question: NumberQuestion;
  readonly #sender: RequestSender;
  readonly #path: string;
  readonly #quoted: (text: string) => string;
  readonly #plain: RegExp;
  /** Columns before those to add, and where among all of them the counted ones are. */
  readonly #surplus: number;
  readonly #countedAt: readonly number[];

  constructor(sender: RequestSender, question: NumberQuestion) {
    const { kind, places, delimiter, names, generates, suggests } = question;
    this.#question = question;
    this.#sender = sender;
    this.#quoted = csvQuoter(delimiter);
    const special = delimiter.replace(/[\\\]^-]/g, "\\$&");
    this.#plain = new RegExp(`^[^"\\0\\r\\n\\u0080-\\uffff${special}]{0,100}$`);
    const surplus = counted.filter((name) => !names.includes(name));
    const fields = [...surplus, ...names];
    this.#surplus = surplus.length;
    this.#countedAt = counted.map((name) => fields.indexOf(name));
    const options = kind === "account" ? ["kontonummer_column", "blz_column"] : ["column", "bic_column"];
    const query = new URLSearchParams({
      header: "0",
      delimiter: delimiter === "\t" ? "tab" : delimiter,
      ...Object.fromEntries(places.map((_, place) => [options[place]!, String(place + 2)])),
      fields: fields.join(),
      ...(suggests ? { suggest: "1" } : {}),
      ...(generates ? { sepa: "1" } : {}),
    });
    this.#path = `/v1/stream?${query}`;
  }

  /**
   * Resolves with an answer for each of several rows, of which `fields` has as many fields as `width` says, one character for
   * each byte. Rejects with a BankcheckError for an answer that does not have exactly one row for each row sent, in order, and a
   * summary that counts them.
   */
  async ask(fields: readonly string[], width: number, signal: AbortSignal): Promise<AnsweredNumbers> {
    const { delimiter, places } = this.#question;
    const ends: number[] = [];
    let asked = "";
    for (let row = 0; row < fields.length; row += width) {
      asked += ends.length + 1;
      for (const place of places) asked += delimiter + this.#quotedField(fields[row + place]!);
      asked += "\n";
      ends.push(asked.length);
    }
    const answer = new RowsAnswer(Buffer.from(asked, "latin1"), ends, delimiter.charCodeAt(0));
    const read = () => answer.expectWhole();
    if (ends.length > 0) await this.#sender.send({ path: this.#path, body: answer, signal, read });
    const { from, to } = answer;
    const text = answer.bytes.toString("latin1");
    const answered = (row: number) => text.slice(from[row], to[row]);
    const [valid = 0, reason = 0] = this.#countedAt;
    return {
      columnsOf: (row) => this.#withoutSurplus(answered(row)),
      findingOf: (row) => {
        const fields = fieldsOfRow(answered(row), delimiter);
        return { valid: fields[valid] === "true", reason: fields[reason] ?? "" };
      },
    };
  }

  #quotedField(field: string): string {
    if (this.#plain.test(field)) return field;
    // A text with a zero is refused as a whole; no number has any other control character either.
    const text = shortened(decoded(field, this.#question.encoding)).replaceAll("\0", "\u0001");
    return this.#quoted(encoded(text));
  }

  /** Neither `valid` nor `reason` has a separator in it. */
  #withoutSurplus(columns: string): string {
    let from = 0;
    for (let field = 0; field < this.#surplus; field++)
      from = columns.indexOf(this.#question.delimiter, from) + 1;
    return columns.slice(from);
  }
}
