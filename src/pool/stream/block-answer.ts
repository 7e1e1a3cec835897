import type { SummaryLine } from "../../contract/api-types.ts";
import type { ErrorForm, RequestError } from "../../contract/errors.ts";
import type { Slot } from "../slots.ts";
import { type AnswerForm, errorIn } from "./answer-forms.ts";
import type { NumberAnswer } from "./number-answers.ts";
import type { ReadRow } from "./read-row.ts";

/** The answer to a block as it grows in its slot. */
export class BlockAnswer {
  /** Numbers that count as checks. */
  checks = 0;
  length = 0;
  readonly form: AnswerForm;
  readonly #slot: Slot;
  readonly #summary: SummaryLine["summary"];
  readonly #errors: ErrorForm;

  constructor(slot: Slot, summary: SummaryLine["summary"], errors: ErrorForm, form: AnswerForm) {
    this.#slot = slot;
    this.#summary = summary;
    this.#errors = errors;
    this.form = form;
  }

  /** Writes and counts a row that was read; without answers it is an empty one. */
  add(row: ReadRow, line: number, answers: readonly NumberAnswer[]): void {
    if (answers.length > 0) this.count(answers, 1);
    const texts = answers.map(({ text }) => text);
    this.write(this.form.rowOf(row, line, texts));
  }

  /** Writes an error that concerns the stream. */
  fail(error: RequestError): void {
    this.#remark({ error: errorIn(error, this.#errors) });
  }

  /** Writes the summary and returns its length; for a stream cut short it says from which line to continue. */
  finish(nextLine: number | undefined): number {
    const { reasons, warnings, ...counts } = this.#summary;
    const sorted = (counted: typeof reasons) => Object.fromEntries(Object.entries(counted).sort());
    const byReason = { reasons: sorted(reasons), warnings: sorted(warnings) };
    return this.#remark({ summary: { ...counts, ...byReason, next_line: nextLine } });
  }

  /** Counts lines with such numbers: all are valid, or one of them is not for a reason, or it could not be checked. */
  count(numbers: readonly Pick<NumberAnswer, "valid" | "reason">[], lines: number): void {
    const summary = this.#summary;
    this.checks += lines * numbers.length;
    summary.lines += lines;
    if (numbers.some(({ reason }) => reason === undefined)) {
      summary.errors += lines;
      return;
    }
    summary[numbers.every(({ valid }) => valid) ? "valid" : "invalid"] += lines;
    for (const { valid, reason = "" } of numbers) {
      const counted = summary[valid ? "warnings" : "reasons"];
      if (reason !== "") counted[reason] = (counted[reason] ?? 0) + lines;
    }
  }

  /** Throws a RangeError for bytes that do not fit the slot. */
  write(bytes: Uint8Array): number {
    this.#slot.output.set(bytes, this.length);
    this.length += bytes.length;
    return bytes.length;
  }

  #remark(value: object): number {
    return this.write(Buffer.from(this.form.remark(value), "latin1"));
  }
}
