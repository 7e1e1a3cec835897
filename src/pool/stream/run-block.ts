import { isBic, isOfInstitution } from "../../banking/bic.ts";
import { normaliseIban } from "../../banking/iban/normalise.ts";
import type { BankDirectory } from "../../banks/directory/directory.ts";
import { RequestError } from "../../contract/errors.ts";
import { maxStreamLineBytes, maxStreamNumberLength } from "../../contract/limits.ts";
import { message } from "../../contract/message.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { VERDICT_BLANK, VERDICT_BYTES, VERDICT_OUTCOMES } from "../../kernel/layout.ts";
import { addedColumns } from "../../rows/added-columns.ts";
import type { Layout } from "../../rows/layout.ts";
import { makeRenderer, type Renderer, type RenderLayout } from "../../rows/render.ts";
import { type Slot, SlotField } from "../slots.ts";
import { type BlockAnswer, CsvAnswer, JsonAnswer, type NumberAnswer } from "./block-answer.ts";
import { CsvReader, recogniseCsv } from "./csv-reader.ts";
import { isForReference, type KnownAnswers, knownAnswers } from "./known-answers.ts";
import { answerLine, type LineOptions, type ReadQuestion, reasonOf } from "./line-answer.ts";
import { groupRows, type LineQuestion, type RowGroup, readLines, type StreamRow } from "./stream-line.ts";
import {
  BlockEnd,
  decodeStreamBlock,
  encodeStreamProgress,
  kernelInput,
  type StreamBlock,
  type StreamInput,
  type StreamLayout,
  type StreamState,
} from "./stream-task.ts";

/** Why a stream ends before its body, where it is the client's doing. */
const errorsOf = { stream_idle: "internal_error", stream_gzip: "invalid_request" } as const;

/** What blocks are answered with. */
export interface BlockWorker {
  readonly directory: BankDirectory;
  readonly kernel: Kernel;
}

/** A block ends behind the row that takes its answer or its time beyond these, so that single checks do not wait long. */
const maxAnswerBytes = 192 * 1_024;
const maxBlockMs = 5;
/** Where in the room for the answer the kernel writes: behind the longest answer and its state. */
const kernelOutputOffset = 1_536 * 1_024;
const verdictWords = VERDICT_BYTES / Uint32Array.BYTES_PER_ELEMENT;
/** For so many verdicts as one answer may take, and what the kernel needs beside them. */
const verdictRoom = 3_072 * VERDICT_BYTES + 4_096;

/** Printable ASCII that needs no escape in JSON and no look at its end. */
const plainText = /^[!#-[\]-~]([ !#-[\]-~]*[!#-[\]-~])?$/;

/**
 * Answers the whole rows of a block, as many as one turn allows, and returns the answer's length. The slot says how far
 * it came, and how many numbers are answered.
 *
 * A line that is longer than a block ends the stream with an error. Throws a RequestError for CSV of which it cannot be
 * told what to check.
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
  readonly #known: KnownAnswers;
  readonly #until = performance.now() + maxBlockMs;
  #at = 0;
  /** Whether there is a row, or may be one once more of the body has come. */
  #hasWholeRow = true;

  constructor(slot: Slot, worker: BlockWorker, options: LineOptions, block: StreamBlock) {
    this.#slot = slot;
    this.#worker = worker;
    this.#block = block;
    this.#state = block.state;
    this.#isLast = block.end === BlockEnd.body;
    const { output, fields } = block.state.question;
    const isCsv = output === "csv";
    // The columns of CSV say why a number is not valid.
    this.#options = isCsv ? { ...options, reason: true } : options;
    this.#known = knownAnswers(worker.directory, this.#options, isCsv ? undefined : fields);
  }

  run(): number {
    const { end, text, state } = this.#block;
    const isBody = end <= BlockEnd.body;
    const answer = this.#open(isBody);
    if (answer === undefined) return this.#leave({ length: 0, checks: 0 }, false, 0);
    if (isBody) {
      if (answer instanceof JsonAnswer && state.question.input === "text" && !isForReference(this.#options))
        this.#answerText(answer);
      else this.#answerRows(answer);
    }
    const isWhole = this.#at === text.length;
    const isTooLong = isBody && this.#at === 0 && !this.#hasWholeRow;
    if (isTooLong) {
      const detail = { message: message("stream_line_length", { max: maxStreamLineBytes }) };
      this.#refuse(answer, new RequestError("payload_too_large", detail));
    }
    const told = end === BlockEnd.idle ? "stream_idle" : end === BlockEnd.broken ? "stream_gzip" : undefined;
    if (told !== undefined) answer.fail(new RequestError(errorsOf[told], { message: message(told) }));
    const isComplete = this.#isLast && isWhole;
    const isFinished = isTooLong || !isBody || isComplete;
    const endLength = isFinished ? answer.finish(isComplete ? undefined : state.line) : 0;
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
    const told = { line: this.#state.line++, next: 0, id: "", questions: [], row };
    answer.add(told, [{ kind: "error", error }]);
    answer.flush();
  }

  /** Begins the answer; undefined where more of the body must come first. */
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
        const answer = this.#csvAnswer(makeRenderer(layout, this.#renderOptions()));
        state.hasHead = true;
        answer.writeHead();
        return answer;
      }
    }
    if (state.question.output === "ndjson")
      return new JsonAnswer(this.#slot, state, this.#options, this.#edition);
    const answer = this.#csvAnswer(rendererFor(state, () => this.#renderOptions()));
    if (!state.hasHead && state.question.input !== "csv") answer.writeHead();
    state.hasHead = true;
    return answer;
  }

  get #edition(): string | null {
    return this.#worker.directory.edition.german;
  }

  #csvAnswer(renderer: Renderer): CsvAnswer {
    return new CsvAnswer(this.#slot, this.#state, this.#options, renderer, this.#edition);
  }

  #renderOptions() {
    const { sepa: generates, suggest } = this.#options;
    const select = this.#state.question.fields;
    const columns = addedColumns({ generates, suggests: suggest !== undefined, select });
    return { columns, prefix: "", format: "csv" } as const;
  }

  #recognise(): Layout | undefined {
    const { text, end, state } = this.#block;
    const isFull = text.length === maxStreamLineBytes;
    const isAll = isFull || end !== BlockEnd.more;
    if (text === "" && end === BlockEnd.more) return undefined;
    return recogniseCsv(text, isAll, this.#isLast && !isFull, state.question);
  }

  /** Plain text to JSON: the kernel cuts the lines. */
  #answerText(answer: JsonAnswer): void {
    const { text } = this.#block;
    const end = this.#isLast ? text.length : text.lastIndexOf("\n") + 1;
    this.#hasWholeRow = end > 0 || text.length < maxStreamLineBytes;
    const state = this.#state;
    while (this.#at < end && this.#hasRoom(answer)) {
      const begin = this.#at;
      const verdicts = this.#judge(begin, end - begin);
      const count = verdicts.length / verdictWords;
      for (let line = 0; line < count; line++) {
        const finding = verdicts[line * verdictWords]!;
        const next = begin + verdicts[line * verdictWords + 2]! + 1;
        const outcome = finding & VERDICT_OUTCOMES;
        const from = this.#at;
        const isLong = next - from > maxStreamNumberLength;
        const known =
          outcome >= VERDICT_BLANK || isLong
            ? undefined
            : this.#known.ofIban(finding, verdicts[line * verdictWords + 1]!, () =>
                text.slice(from, next).trim(),
              );
        if (known !== undefined) {
          const number = known.json.isWhole ? "" : normaliseIban(text.slice(from, next));
          answer.addKnown(state.line++, known, number);
        } else if (outcome !== VERDICT_BLANK || isLong) {
          const { rows } = readLines(text.slice(from, Math.min(next, end)), 0, state.line, true, "text");
          for (const row of rows)
            answer.add(
              row,
              row.questions.map((question) => this.#answer(question)),
            );
          state.line++;
          if (performance.now() > this.#until) {
            this.#at = Math.min(next, end);
            break;
          }
        } else state.line++;
        this.#at = Math.min(next, end);
        if (answer.pending >= maxAnswerBytes) break;
      }
      answer.flush();
    }
  }

  #hasRoom({ length }: BlockAnswer): boolean {
    if (length === 0) return true;
    return length < maxAnswerBytes && performance.now() < this.#until;
  }

  #answerRows(answer: BlockAnswer): void {
    const { text, state } = this.#block;
    const reader = state.layout === undefined ? undefined : new CsvReader(state.layout);
    while (this.#hasRoom(answer)) {
      const group =
        reader === undefined
          ? readLines(text, this.#at, state.line, this.#isLast, state.question.input)
          : (this.#readCsv(reader) ?? { rows: [], next: this.#at, nextLine: state.line });
      if (group.next === this.#at) {
        this.#hasWholeRow = this.#at > 0 || text.length < maxStreamLineBytes;
        break;
      }
      this.#answerGroup(answer, group);
    }
  }

  #readCsv(reader: CsvReader): RowGroup | undefined {
    const { text, state } = this.#block;
    const group = reader.read(text, this.#at, state.line, this.#isLast);
    const isStuck = group.next === this.#at && this.#at === 0 && text.length === maxStreamLineBytes;
    return isStuck ? reader.readBroken(text, state.line) : group;
  }

  #answerGroup(answer: BlockAnswer, group: RowGroup): void {
    const state = this.#state;
    const known = this.#knownOf(group.rows);
    let place = 0;
    for (const [index, row] of group.rows.entries()) {
      if (row.questions.length === 0) {
        if (answer instanceof CsvAnswer) answer.addEmpty(row);
      } else {
        const answers = row.questions.map((question) => this.#answer(question, known[place++]));
        answer.add(row, answers);
      }
      const isFull = answer instanceof JsonAnswer && answer.pending + answer.length >= maxAnswerBytes;
      const next = group.rows[index + 1];
      if (next !== undefined && (isFull || (index % 16 === 15 && performance.now() > this.#until))) {
        this.#at = row.next;
        state.line = next.line;
        answer.flush();
        return;
      }
    }
    this.#at = group.next;
    state.line = group.nextLine;
    answer.flush();
  }

  /** By question: what is known of those IBANs that the kernel understands. */
  #knownOf(rows: readonly StreamRow[]): (NumberAnswer | undefined)[] {
    const answers: (NumberAnswer | undefined)[] = [];
    if (isForReference(this.#options)) return answers;
    const questions = rows.flatMap((row) => row.questions);
    for (let first = 0; first < questions.length; ) {
      const texts: string[] = [];
      let bytes = 0;
      while (first + texts.length < questions.length && texts.length < groupRows) {
        const question = questions[first + texts.length]!;
        const isPlain = question.kind === "iban" && question.bic === "" && plainText.test(question.iban);
        const text = isPlain ? question.iban : "";
        if (bytes + text.length >= kernelInput.length) break;
        texts.push(text);
        bytes += text.length + 1;
      }
      this.#slot.input.write(texts.join("\n"), kernelInput.offset, "latin1");
      const verdicts = this.#judge(kernelInput.offset, bytes - 1);
      for (const [place, text] of texts.entries()) {
        const finding = verdicts[place * verdictWords]!;
        if (text === "" || (finding & VERDICT_OUTCOMES) >= VERDICT_BLANK) continue;
        const known = this.#known.ofIban(finding, verdicts[place * verdictWords + 1]!, () => text);
        if (known !== undefined)
          answers[first + place] = { kind: "known", known, number: normaliseIban(text) };
      }
      first += texts.length;
    }
    return answers;
  }

  /** The verdicts on the lines of a text in the slot's input. */
  #judge(offset: number, length: number): Uint32Array {
    const { inputOffset, outputOffset, output } = this.#slot;
    const room = {
      output: outputOffset + kernelOutputOffset,
      outputRoom: verdictRoom,
    };
    const input = { input: inputOffset + offset, inputLength: length };
    const count = length <= 0 ? 0 : this.#worker.kernel.judge({ ...input, ...room }, this.#options);
    return new Uint32Array(output.buffer, room.output, count * verdictWords);
  }

  #answer(question: LineQuestion, known?: NumberAnswer): NumberAnswer {
    if (question.kind === "error") return question;
    try {
      if (known !== undefined) return this.#withBic(question, known);
      if (question.kind === "account" && !isForReference(this.#options)) {
        const shared = this.#known.ofAccount(question);
        if (shared !== undefined) return { kind: "known", known: shared, number: question.kontonummer };
      }
      return this.#withBic(question, this.#fromReference(question));
    } catch (error) {
      if (error instanceof RequestError) return { kind: "error", error };
      throw error;
    }
  }

  #fromReference(question: ReadQuestion): NumberAnswer {
    const { directory } = this.#worker;
    const answer = answerLine(directory, question, this.#options);
    const reason = answer.entry.valid ? "" : reasonOf(directory, question, this.#options);
    return { kind: "answer", answer, reason };
  }

  /** Checks a valid IBAN with its BIC too, unless that names the institution that the bank data names. */
  #withBic(question: ReadQuestion, answer: NumberAnswer): NumberAnswer {
    if (question.kind === "account" || question.bicIfValid === undefined || answer.kind === "error")
      return answer;
    const { valid, data } = answer.kind === "known" ? answer.known.verdict : answer.answer.verdict;
    if (!valid || isOfInstitution(question.bicIfValid, data?.bic ?? null)) return answer;
    if (!isBic(question.bicIfValid)) throw new RequestError("invalid_bic");
    return this.#fromReference({ kind: "iban", iban: question.iban, bic: question.bicIfValid });
  }
}

const maxRenderers = 64;
const renderers = new Map<string, Renderer>();

/** The renderer for the rows of an answer, which remembers what it wrote for a verdict; streams of one kind share it. */
function rendererFor(
  { question, layout }: StreamState,
  options: () => Parameters<typeof makeRenderer>[1],
): Renderer {
  const rendered = layoutFor(layout, question.input);
  const chosen = options();
  const key = JSON.stringify([layout, chosen.columns.map(({ name }) => name), question.input]);
  const known = renderers.get(key);
  if (known !== undefined) return known;
  if (renderers.size === maxRenderers) renderers.clear();
  const renderer = makeRenderer(rendered, chosen);
  renderers.set(key, renderer);
  return renderer;
}

/** How rows are written: as those of CSV came, or with the number of the line and the id. */
function layoutFor(layout: StreamLayout | undefined, input: StreamInput): RenderLayout {
  const common = { preamble: "", headerText: "", hasByteOrderMark: false, encoding: undefined };
  if (layout !== undefined) return { ...layout, ...common, format: "csv", names: undefined };
  return {
    ...common,
    format: "ndjson",
    dialect: { delimiter: ",", lineBreak: "\n" },
    numbers: [{ kind: "iban", iban: 0, bic: undefined, prefix: "" }],
    ...(input === "text" ? { names: ["line"], width: 1 } : { names: ["line", "id"], width: 2 }),
  };
}
