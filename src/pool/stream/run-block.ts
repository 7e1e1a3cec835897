import { RequestError } from "../../contract/errors.ts";
import { maxBlankBytes, maxLinesPerPackedByte, maxStreamLineBytes } from "../../contract/limits.ts";
import { message } from "../../contract/message.ts";
import type { Layout } from "../../rows/layout.ts";
import { makeRenderer, type Renderer, type RenderOptions } from "../../rows/render.ts";
import { selectedColumns } from "../../rows/verdict.ts";
import { type Slot, SlotField } from "../slots.ts";
import { layoutFor } from "./answer-forms.ts";
import type { BlockAnswer } from "./block-answer.ts";
import { BlockRows } from "./block-rows.ts";
import { CsvAnswer } from "./csv-answer.ts";
import { recogniseCsv } from "./csv-reader.ts";
import { JsonAnswer } from "./json-answer.ts";
import type { BlockWorker } from "./known-answers.ts";
import type { LineOptions } from "./line-answer.ts";
import {
  BlockEnd,
  decodeStreamBlock,
  encodeStreamProgress,
  type StreamBlock,
  type StreamState,
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
  readonly #state: StreamState;
  readonly #isLast: boolean;
  #at = 0;

  constructor(slot: Slot, worker: BlockWorker, options: LineOptions, block: StreamBlock) {
    this.#slot = slot;
    this.#worker = worker;
    this.#block = block;
    this.#state = block.state;
    this.#isLast = block.end === BlockEnd.body;
    // The columns of CSV say why a number is not valid.
    this.#options = block.state.question.output === "csv" ? { ...options, reason: true } : options;
  }

  run(): number {
    const { end, length, state } = this.#block;
    const isBody = end <= BlockEnd.body;
    const answer = this.#open(isBody);
    if (answer === undefined) return this.#leave({ length: 0, checks: 0 }, false, 0);
    const hasWholeRow = !isBody || this.#answerBody(answer);
    const isWhole = this.#at === length;
    const isTooLong = this.#at === 0 && !hasWholeRow;
    if (isTooLong) {
      const detail = { message: message("stream_line_length", { max: maxStreamLineBytes }) };
      this.#refuse(answer, new RequestError("payload_too_large", detail));
    }
    const cause = causes[end]?.();
    if (cause !== undefined) answer.fail(cause);
    const isComplete = this.#isLast && isWhole;
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
    return encodeStreamProgress(this.#slot, length, this.#state, progress);
  }

  #refuse(answer: BlockAnswer, error: RequestError): void {
    const row = { text: "", fields: [], fault: { line: this.#state.line, message: "it is too long" } };
    const failed = { line: this.#state.line++, next: 0, id: "", questions: [], row };
    answer.add(failed, [{ kind: "error", error }]);
    answer.flush();
  }

  /** Begins the answer; undefined if more of the body must come first. */
  #open(isBody: boolean): BlockAnswer | undefined {
    const state = this.#state;
    if (state.question.input === "csv" && state.layout === undefined && isBody) {
      const layout = this.#recognise();
      if (layout === undefined) return undefined;
      const { dialect, numbers, width } = layout;
      state.layout = { dialect, numbers, width };
      this.#at = layout.begin;
      state.line = layout.beginLine;
      if (state.question.output === "csv") {
        const options = this.#renderOptions();
        return this.#headed(this.#csvAnswer(makeRenderer(layout, options), options));
      }
    }
    if (state.question.output === "ndjson")
      return new JsonAnswer(this.#slot, state, this.#options, this.#worker.templates);
    const options = this.#renderOptions();
    const answer = this.#csvAnswer(
      makeRenderer(layoutFor(state.layout, state.question.input), options),
      options,
    );
    if (state.headLength === undefined && state.question.input !== "csv") return this.#headed(answer);
    state.headLength = 0;
    return answer;
  }

  #headed(answer: CsvAnswer): CsvAnswer {
    answer.writeHead();
    this.#state.headLength = answer.length;
    return answer;
  }

  #csvAnswer(renderer: Renderer, options: RenderOptions): CsvAnswer {
    const { templates } = this.#worker;
    return new CsvAnswer(this.#slot, this.#state, this.#options, templates, renderer, options);
  }

  #renderOptions(): RenderOptions {
    const { sepa: generates, suggest } = this.#options;
    const select = this.#state.question.fields;
    const columns = selectedColumns({ generates, suggests: suggest !== undefined, select });
    const { delimiter: addedDelimiter = "," } = this.#state.layout?.dialect ?? {};
    return { columns, prefix: "", format: "csv", addedDelimiter };
  }

  #recognise(): Layout | undefined {
    const { length, end, state } = this.#block;
    const isFull = length === maxStreamLineBytes;
    const isAll = isFull || end !== BlockEnd.more;
    if (length === 0 && end === BlockEnd.more) return undefined;
    return recogniseCsv(this.#block.textOf(0, length), isAll, this.#isLast && !isFull, state.question);
  }

  /** Answers rows; false if there is none, and cannot be one when more of the body has come. */
  #answerBody(answer: BlockAnswer): boolean {
    const rows = new BlockRows(this.#slot, this.#worker, this.#options, this.#block, answer, this.#at);
    rows.run();
    this.#at = rows.at;
    return rows.hasWholeRow;
  }
}
