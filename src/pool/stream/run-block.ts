import { RequestError } from "../../contract/errors.ts";
import { maxBlankBytes, maxLinesPerPackedByte, maxStreamLineBytes } from "../../contract/limits.ts";
import { message } from "../../contract/message.ts";
import { type Layout, recogniseLayout, sampleEnd } from "../../rows/layout.ts";
import type { RenderLayout } from "../../rows/render.ts";
import { InputError } from "../../rows/rows.ts";
import { selectedColumns } from "../../rows/verdict.ts";
import { type Slot, SlotField } from "../slots.ts";
import { type AnswerForm, csvForm, jsonForm, layoutFor } from "./answer-forms.ts";
import { BlockAnswer } from "./block-answer.ts";
import { BlockRows } from "./block-rows.ts";
import type { BlockWorker } from "./known-answers.ts";
import type { LineOptions } from "./line-answer.ts";
import {
  BlockEnd,
  decodeStreamBlock,
  encodeStreamProgress,
  type StreamBlock,
  type StreamQuestion,
} from "./stream-task.ts";

/** Why a stream ends before its body, where it is the client's doing. */
const causes: Readonly<Partial<Record<BlockEnd, () => RequestError>>> = {
  [BlockEnd.idle]: () => new RequestError("internal_error", { message: message("stream_idle") }),
  [BlockEnd.broken]: () => new RequestError("invalid_request", { message: message("stream_gzip") }),
  [BlockEnd.blank]: () => {
    const megabytes = maxBlankBytes / 1_048_576;
    return new RequestError("invalid_request", { message: message("stream_blank", { megabytes }) });
  },
  [BlockEnd.dense]: () => {
    const max = maxLinesPerPackedByte;
    return new RequestError("invalid_request", { message: message("stream_dense", { max }) });
  },
};

/**
 * Answers the whole rows of a block, as many as one turn allows, and returns the answer's length. The slot says how far
 * it came, and how many numbers are answered.
 *
 * A line that is longer than a block ends the stream with an error. Throws a RequestError for CSV where it is not
 * clear what to check.
 */
export function runBlock(slot: Slot, worker: BlockWorker, options: LineOptions): number {
  const block = decodeStreamBlock(slot);
  return new BlockRun(slot, worker, options, block).run();
}

class BlockRun {
  readonly #slot: Slot;
  readonly #worker: BlockWorker;
  readonly #options: LineOptions;
  readonly #block: StreamBlock;
  #at = 0;

  constructor(slot: Slot, worker: BlockWorker, options: LineOptions, block: StreamBlock) {
    this.#slot = slot;
    this.#worker = worker;
    this.#block = block;
    // The columns of CSV say why a number is not valid.
    this.#options = block.state.question.output === "csv" ? { ...options, reason: true } : options;
  }

  run(): number {
    const { end, length, state } = this.#block;
    const isBody = end <= BlockEnd.body;
    const answer = this.#open(isBody);
    if (answer === undefined) return this.#leave({ length: 0, checks: 0 }, false, 0);
    if (isBody) {
      const rows = new BlockRows(this.#slot, this.#worker, this.#options, this.#block, answer, this.#at);
      this.#at = rows.run();
    }
    const isTooLong = isBody && this.#at === 0 && length === maxStreamLineBytes;
    if (isTooLong) this.#refuseLine(answer);
    const cause = causes[end]?.();
    if (cause !== undefined) answer.fail(cause);
    const isComplete = end === BlockEnd.body && this.#at === length;
    const isFinished = isTooLong || !isBody || isComplete;
    // An answer that is cut short ends with its summary in any case: no program must take it for a whole one.
    const hasSummary = isFinished && !(isComplete && state.question.withoutSummary === true);
    const endLength = hasSummary ? answer.finish(isComplete ? undefined : state.line) : 0;
    return this.#leave(answer, isFinished, endLength);
  }

  #leave(
    { length, checks }: Pick<BlockAnswer, "length" | "checks">,
    isFinished: boolean,
    endLength: number,
  ): number {
    this.#slot.set(SlotField.count, checks);
    const progress = { consumed: this.#at, isFinished, endLength };
    return encodeStreamProgress(this.#slot, length, this.#block.state, progress);
  }

  /** Answers a line that is longer than a block. */
  #refuseLine(answer: BlockAnswer): void {
    const fault = message("stream_line_length", { max: maxStreamLineBytes });
    const text = answer.form.refusal(new RequestError("payload_too_large", { message: fault }), "");
    const row = { text: "", fields: [], fault };
    answer.add({ id: "", numbers: [], row }, this.#block.state.line++, [
      { text, valid: false, reason: undefined },
    ]);
  }

  /** Begins the answer; undefined if more of the body must come first. */
  #open(isBody: boolean): BlockAnswer | undefined {
    const { state } = this.#block;
    const { input } = state.question;
    let recognised: Layout | undefined;
    if (input === "csv" && state.layout === undefined && isBody) {
      recognised = this.#recognise();
      if (recognised === undefined) return undefined;
      const { dialect, numbers, width } = recognised;
      state.layout = { dialect, numbers, width };
      this.#at = recognised.begin;
      state.line = recognised.beginLine;
    }
    const form = this.#form(recognised ?? layoutFor(state.layout, input));
    const answer = new BlockAnswer(this.#slot, state.summary, this.#options, form);
    const isFirst = input === "csv" ? recognised !== undefined : state.headLength === undefined;
    if (isFirst) answer.addHead();
    state.headLength = answer.length;
    return answer;
  }

  #form(layout: RenderLayout): AnswerForm {
    const { output, fields: select } = this.#block.state.question;
    const { sepa: generates, suggest, language } = this.#options;
    if (output === "ndjson") return jsonForm(select, this.#options, layout.numbers);
    return csvForm(selectedColumns({ generates, suggests: suggest !== undefined, select }), language, layout);
  }

  #recognise(): Layout | undefined {
    const { length, end, state } = this.#block;
    return recogniseCsv(this.#slot.input.subarray(0, length), end, state.question);
  }
}

/** Characters of the names that the columns of an answer begin with; the stream's state holds them. */
const maxPrefixes = 4_096;

/** Why there is no layout of a body whose first row is not whole. */
const withoutRow: readonly (string | undefined)[] = ["rows_first_long", "rows_unreadable"];

/**
 * Recognises CSV by the first lines of a body, or as many as a block holds; undefined if more of it has to come first.
 * It is the same however the body is cut into pieces. Throws a RequestError if it is not clear what to check.
 */
export function recogniseCsv(
  head: Buffer,
  end: BlockEnd,
  { columns }: Pick<StreamQuestion, "columns">,
): Layout | undefined {
  const isFull = head.length === maxStreamLineBytes;
  if (end === BlockEnd.more && !isFull && sampleEnd(head.toString("latin1")) === 0) return undefined;
  const optionName = (name: string) => name.replaceAll("-", "_");
  const isWhole = end === BlockEnd.body && !isFull;
  try {
    const layout = recogniseLayout(head, isWhole, { ...columns, inputFormat: "csv", optionName });
    if (layout.numbers.map(({ prefix }) => prefix).join("").length <= maxPrefixes) return layout;
    throw new InputError(message("columns_long", { max: maxPrefixes }));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (end === BlockEnd.later && !isFull && withoutRow.includes(error.reason?.id)) return undefined;
    const reason = error.reason ?? message("rows_unreadable");
    throw new RequestError("invalid_request", { field: "column", message: reason });
  }
}
