import { RequestError } from "../../contract/errors.ts";
import { maxBlankBytes, maxLinesPerPackedByte, maxStreamLineBytes } from "../../contract/limits.ts";
import { message } from "../../contract/message.ts";
import { encoded } from "../../rows/encoding.ts";
import { type Layout, recogniseLayout, sampleEnd } from "../../rows/layout.ts";
import { InputError } from "../../rows/rows.ts";
import { selectedColumns } from "../../rows/verdict.ts";
import { type Slot, SlotField } from "../slots.ts";
import { csvForm, jsonForm, layoutFor } from "./answer-forms.ts";
import { BlockAnswer } from "./block-answer.ts";
import { BlockRows } from "./block-rows.ts";
import type { LineOptions } from "./line-answer.ts";
import type { BlockWorker } from "./number-answers.ts";
import {
  BlockEnd,
  decodeStreamBlock,
  encodeStreamProgress,
  type StreamQuestion,
  type StreamState,
} from "./stream-task.ts";

/** Why a stream ends before its body, where it is the client's doing. */
const causes: Readonly<Partial<Record<BlockEnd, RequestError>>> = {
  [BlockEnd.idle]: new RequestError("internal_error", { message: message("stream_idle") }),
  [BlockEnd.broken]: new RequestError("invalid_request", { message: message("stream_gzip") }),
  [BlockEnd.blank]: new RequestError("invalid_request", {
    message: message("stream_blank", { megabytes: maxBlankBytes / 1_048_576 }),
  }),
  [BlockEnd.dense]: new RequestError("invalid_request", {
    message: message("stream_dense", { max: maxLinesPerPackedByte }),
  }),
};

/**
 * Answers the whole rows of a block, as many as one turn allows, and returns the answer's length. The slot says how far
 * it came, and how many numbers are answered.
 *
 * A line that is longer than a block ends the stream with an error. Throws a RequestError for CSV where it is not
 * clear what to check.
 */
export function runBlock(slot: Slot, worker: BlockWorker, asked: LineOptions): number {
  const block = decodeStreamBlock(slot);
  const { end, length, state } = block;
  const { input, output, withoutSummary } = state.question;
  const isBody = end <= BlockEnd.body;
  let first: Layout | undefined;
  if (input === "csv" && state.layout === undefined && isBody) {
    first = recogniseCsv(slot.input.subarray(0, length), end, state.question);
    // More of the body must come first.
    if (first === undefined)
      return encodeStreamProgress(slot, 0, state, { consumed: 0, isFinished: false, endLength: 0 });
    const { dialect, numbers, width } = first;
    state.layout = { dialect, numbers, width };
    state.line = first.beginLine;
  }
  // The columns of CSV say why a number is not valid.
  const options = output === "csv" ? { ...asked, reason: true } : asked;
  const answer = new BlockAnswer(slot, state.summary, options, formOf(state, options, first));
  if (input === "csv" ? first !== undefined : state.headLength === undefined)
    answer.write(answer.form.head());
  state.headLength = answer.length;
  const begin = first?.begin ?? 0;
  const consumed = isBody ? new BlockRows(slot, worker, options, block, answer, begin).run() : 0;
  const isTooLong = isBody && consumed === 0 && length === maxStreamLineBytes;
  if (isTooLong) refuseLine(answer, state);
  const cause = causes[end];
  if (cause !== undefined) answer.fail(cause);
  const isComplete = end === BlockEnd.body && consumed === length;
  const isFinished = isTooLong || !isBody || isComplete;
  // An answer that is cut short ends with its summary in any case: no program must take it for a whole one.
  const hasSummary = isFinished && !(isComplete && withoutSummary === true);
  const endLength = hasSummary ? answer.finish(isComplete ? undefined : state.line) : 0;
  slot.set(SlotField.count, answer.checks);
  return encodeStreamProgress(slot, answer.length, state, { consumed, isFinished, endLength });
}

/** The form of the answers; `first` is the layout of CSV in its first block. */
function formOf({ question, layout }: StreamState, options: LineOptions, first: Layout | undefined) {
  const { input, output, fields: select } = question;
  const whole = first ?? layoutFor(layout, input);
  const { sepa: generates, suggest, language } = options;
  return output === "ndjson"
    ? jsonForm(select, options, whole.numbers)
    : csvForm(selectedColumns({ generates, suggests: suggest !== undefined, select }), language, whole);
}

/** Answers a line that is longer than a block. */
function refuseLine(answer: BlockAnswer, state: StreamState): void {
  const fault = message("stream_line_length", { max: maxStreamLineBytes });
  const text = encoded(answer.form.refusal(new RequestError("payload_too_large", { message: fault }), ""));
  const row = { text: "", fields: [], fault };
  answer.add({ id: "", numbers: [], row }, state.line++, [{ text, valid: false, reason: undefined }]);
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
