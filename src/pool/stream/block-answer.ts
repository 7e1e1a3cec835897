import { errorBody, type RequestError } from "../../contract/errors.ts";
import type { Templates } from "../../kernel/templates.ts";
import type { Slot } from "../slots.ts";
import type { AnswerForm } from "./known-answers.ts";
import type { LineOptions } from "./line-answer.ts";
import type { NumberAnswer } from "./number-answers.ts";
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
  protected readonly summary: StreamSummary;
  protected readonly options: LineOptions;
  protected readonly templates: Templates;

  constructor(slot: Slot, { summary }: StreamState, options: LineOptions, templates: Templates) {
    this.#slot = slot;
    this.summary = summary;
    this.options = options;
    this.templates = templates;
  }

  /** Adds a row that was answered, in order. */
  abstract add(row: StreamRow, answers: readonly NumberAnswer[]): void;

  /** Writes what was added since it was called last. */
  abstract flush(): void;

  /** Adds an error that concerns the stream. */
  abstract fail(error: RequestError): void;

  /** Writes the summary; for a stream cut short it says from which line to continue. */
  finish(nextLine: number | undefined): number {
    const { reasons, ...counts } = this.summary;
    const sorted = Object.fromEntries(Object.entries(reasons).sort());
    const summary = {
      ...counts,
      reasons: sorted,
      ...(nextLine === undefined ? {} : { next_line: nextLine }),
    };
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
      isValid &&= answer.valid;
    }
    if (isValid) {
      summary.valid++;
      return;
    }
    summary.invalid++;
    for (const answer of answers) {
      if (answer.kind !== "error") this.#countReason(answer.reason, 1);
    }
  }

  /** Counts lines of one number that were filled. */
  countFilled(reason: string | undefined, lines: number): void {
    const { summary } = this;
    this.checks += lines;
    summary.lines += lines;
    if (reason === undefined) summary.valid += lines;
    else {
      summary.invalid += lines;
      this.#countReason(reason, lines);
    }
  }

  #countReason(reason: string, times: number): void {
    const { reasons } = this.summary;
    if (reason !== "") reasons[reason] = (reasons[reason] ?? 0) + times;
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

  protected errorOf({ code, detail }: RequestError) {
    return errorBody(code, detail, { language: this.options.language, explain: false }).error;
  }
}
