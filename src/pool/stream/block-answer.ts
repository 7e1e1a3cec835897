import { errorBody, type RequestError } from "../../contract/errors.ts";
import type { Slot } from "../slots.ts";
import type { AnswerForm, KnownAnswer } from "./known-answers.ts";
import type { LineOptions } from "./line-answer.ts";
import type { NumberAnswer } from "./number-answers.ts";
import type { RowTable } from "./row-scan.ts";
import type { StreamRow } from "./stream-line.ts";
import type { StreamState, StreamSummary } from "./stream-task.ts";

/** The answer to a block as it grows in its slot. */
export abstract class BlockAnswer {
  /** Numbers that count as checks. */
  checks = 0;
  /** How many bytes are written. */
  length = 0;
  /** The output format of a number's answer. */
  abstract readonly form: AnswerForm;
  readonly #slot: Slot;
  readonly #memory: Uint8Array;
  protected readonly input: Buffer;
  protected readonly output: Buffer;
  protected readonly summary: StreamSummary;
  protected readonly options: LineOptions;

  constructor(slot: Slot, { summary }: StreamState, options: LineOptions) {
    this.#slot = slot;
    this.input = slot.input;
    this.output = slot.output;
    this.#memory = new Uint8Array(slot.output.buffer);
    this.summary = summary;
    this.options = options;
  }

  /** Adds a row that was answered, in order. */
  abstract add(row: StreamRow, answers: readonly NumberAnswer[]): void;

  /** Writes a row of a table whose answer is known. Nothing that was added may wait to be written. */
  abstract writeRegular(table: RowTable, row: number, line: number, known: KnownAnswer): void;

  /** Writes an empty row, which is not answered. */
  abstract writeEmpty(): void;

  /** Writes what was added since it was called last. */
  abstract flush(): void;

  /** Adds an error that concerns the stream. */
  abstract fail(error: RequestError): void;

  /** Writes the summary; for a stream cut short it says from which line to continue. */
  finish(nextLine: number | undefined): number {
    const summary = nextLine === undefined ? this.summary : { ...this.summary, next_line: nextLine };
    return this.write(`${this.beforeSummary}${JSON.stringify({ summary })}\n`);
  }

  protected abstract readonly beforeSummary: string;

  /** Counts one line: its numbers are valid, or one of them is not for a reason, or it could not be read. */
  protected count(answers: readonly NumberAnswer[]): void {
    const { summary } = this;
    summary.lines++;
    this.checks += Math.max(1, answers.length);
    let isValid = true;
    for (const answer of answers) {
      if (answer.kind === "error") {
        summary.errors++;
        return;
      }
      isValid &&= answer.answer.valid;
    }
    if (isValid) {
      summary.valid++;
      return;
    }
    summary.invalid++;
    for (const answer of answers) {
      if (answer.kind !== "error") this.#countReason(answer.answer.reason);
    }
  }

  /** Counts a line of one number. */
  #countKnown(valid: boolean, reason: string): void {
    this.checks++;
    this.summary.lines++;
    if (valid) this.summary.valid++;
    else {
      this.summary.invalid++;
      this.#countReason(reason);
    }
  }

  #countReason(reason: string): void {
    const { reasons } = this.summary;
    if (reason !== "") reasons[reason] = (reasons[reason] ?? 0) + 1;
  }

  /** Writes text with one character for each byte. */
  protected write(text: string): number {
    const written = this.#slot.output.write(text, this.length, "latin1");
    if (written < text.length) throw new RangeError("the answer to a block does not fit its slot");
    this.length += written;
    return written;
  }

  protected writeBytes(bytes: Uint8Array): void {
    this.#slot.output.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Copies bytes of the block to a place of the answer; returns where they end. */
  protected copy(at: number, begin: number, end: number): number {
    const { inputOffset, outputOffset } = this.#slot;
    this.#memory.copyWithin(outputOffset + at, inputOffset + begin, inputOffset + end);
    return at + end - begin;
  }

  /** Counts a line whose answer is known, and writes that to the place where the row's own text ends. */
  protected writeKnown(at: number, known: KnownAnswer, table: RowTable, row: number): void {
    this.#countKnown(known.valid, known.reason);
    const { input, output } = this;
    this.length = known.template.write(output, at, input, table.numberBegin[row]!, table.numberEnd[row]!);
  }

  protected errorOf({ code, detail }: RequestError) {
    return errorBody(code, detail, { language: this.options.language, explain: false }).error;
  }
}
