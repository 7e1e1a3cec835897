import { isUtf8 } from "node:buffer";
import { maxStreamLineBytes } from "../../contract/limits.ts";
import type { FillPlace } from "../../kernel/kernel.ts";
import { RowKind, type RowTable } from "../../kernel/row-table.ts";
import { VERDICT_BANK, VERDICT_BYTES, VERDICT_FINDING } from "../../kernel/table-layout.ts";
import type { Slot } from "../slots.ts";
import type { BlockAnswer } from "./block-answer.ts";
import { CsvAnswer } from "./csv-answer.ts";
import { CsvReader } from "./csv-reader.ts";
import { CsvTableScanner } from "./csv-scan.ts";
import { JsonAnswer } from "./json-answer.ts";
import { type BlockWorker, KnownAnswers } from "./known-answers.ts";
import type { LineOptions } from "./line-answer.ts";
import { JsonScanner, TextScanner } from "./line-scan.ts";
import { NumberAnswers } from "./number-answers.ts";
import { Byte, type RowScanner } from "./row-scan.ts";
import { type RowGroup, readLines } from "./stream-line.ts";
import { BlockEnd, type StreamBlock, type StreamState, scannedIbans } from "./stream-task.ts";

/** A block ends after the row that takes its answer or its time beyond these, so that single checks do not wait long. */
const maxAnswerBytes = 144 * 1_024;
const maxBlockMs = 5;
/** Rows that are read together, and those that are after one whose end a scan cannot find. */
const groupRows = 512;
const rowsPastScan = 32;

/**
 * Answers the rows of a block, as many as one turn allows.
 *
 * A scan finds the regular rows, which nearly all are; they are answered from byte to byte. The others are read field
 * by field, each where it is, so that the answer is the same.
 */
export class BlockRows {
  /** Up to where the block is answered. */
  at: number;
  /** Whether there is a row, or may be one once more of the body has come. */
  hasWholeRow = true;
  readonly #begin: number;
  readonly #slot: Slot;
  readonly #block: StreamBlock;
  readonly #answer: BlockAnswer;
  readonly #worker: BlockWorker;
  readonly #known: KnownAnswers;
  readonly #place: FillPlace;
  readonly #words: DataView;
  readonly #numbers: NumberAnswers;
  readonly #reader: CsvReader | undefined;
  readonly #scanner: RowScanner | undefined;
  /** Where the last line break ends. */
  readonly #end: number;
  readonly #isUtf8: boolean;
  /** The rows of the table in which accounts are looked up. */
  #accounts: string | undefined;
  readonly #until = performance.now() + maxBlockMs;

  constructor(
    slot: Slot,
    worker: BlockWorker,
    options: LineOptions,
    block: StreamBlock,
    answer: BlockAnswer,
    begin: number,
  ) {
    this.at = begin;
    this.#begin = begin;
    this.#slot = slot;
    this.#block = block;
    this.#answer = answer;
    this.#worker = worker;
    this.#known = new KnownAnswers(worker, options, answer.form);
    this.#numbers = new NumberAnswers(slot, worker, options, this.#known);
    const { layout } = block.state;
    this.#reader = layout === undefined ? undefined : new CsvReader(layout);
    this.#scanner = options.explain ? undefined : scannerFor(block.state, worker.templates.table);
    this.#words = new DataView(slot.input.buffer);
    this.#place = {
      table: worker.templates.table,
      input: slot.inputOffset,
      limit: slot.outputOffset + maxAnswerBytes,
      form: this.#known.form,
      dialect: answer.form.dialect,
    };
    const bytes = slot.input.subarray(0, block.length);
    this.#end = bytes.lastIndexOf(Byte.lineFeed) + 1;
    this.#isUtf8 = this.#scanner !== undefined && isUtf8(bytes.subarray(0, this.#end));
  }

  /** Writes the answers and says up to where. */
  run(): void {
    const { length, end } = this.#block;
    const isLast = end === BlockEnd.body;
    const maxRows = this.#scanner === undefined ? groupRows : rowsPastScan;
    while (this.#hasRoom) {
      if (this.#answerScanned()) continue;
      if (this.#answerRead(length, isLast, maxRows)) continue;
      this.hasWholeRow = this.at > 0 || length < maxStreamLineBytes;
      break;
    }
    this.#worker.templates.takeTallies((reason, rows) => this.#answer.countFilled(reason, rows));
  }

  get #hasRoom(): boolean {
    if (this.at === this.#begin) return true;
    return this.#answer.length < maxAnswerBytes && performance.now() < this.#until;
  }

  /** Answers rows that a scan finds; false if the next one is not among them. */
  #answerScanned(): boolean {
    const { state } = this.#block;
    const { kernel } = this.#worker;
    const answer = this.#answer;
    const begin = this.at;
    const table = this.#scanner?.scan(this.#slot.input, begin, this.#end, scannedIbans, this.#isUtf8);
    if (table === undefined) return false;
    table.verdict = this.#numbers.judge(table.ibans, table.ibansEnd - table.ibans);
    this.#accounts = undefined;
    let template = 0;
    for (let row = 0; row < table.count && answer.length < maxAnswerBytes; ) {
      table.at = this.#slot.outputOffset + answer.length;
      table.line = state.line;
      const next = kernel.fill(this.#place, row, template);
      answer.length = table.at - this.#slot.outputOffset;
      state.line = table.line;
      if (next > row) this.at = table.after[next - 1]!;
      // A row whose template changes nothing has another bank's BIC.
      const isAnother = template !== 0 && next === row;
      if (next === table.count || answer.length >= maxAnswerBytes) break;
      template = isAnother ? 0 : this.#templateOf(table, next);
      row = next;
      if (template !== 0) continue;
      if (table.kind[row] === RowKind.regular && table.blz[row]! < 0) table.verdict += VERDICT_BYTES;
      const last = lastOther(table, row);
      const end = table.after[last]!;
      if (!this.#answerRead(end, false, groupRows) || this.at < end) break;
      row = last + 1;
    }
    return this.at > begin;
  }

  /** The template of a row that the kernel did not know how to write; 0 if the row is to be read. */
  #templateOf(table: RowTable, row: number): number {
    if (table.kind[row] !== RowKind.regular) return 0;
    const [begin, end] = [table.numberBegin[row]!, table.numberEnd[row]!];
    const blz = table.blz[row]!;
    if (blz < 0) {
      const finding = this.#words.getUint32(table.verdict + VERDICT_FINDING, true);
      const bank = this.#words.getUint32(table.verdict + VERDICT_BANK, true);
      const ibanOf = () => this.#slot.input.toString("latin1", begin, end);
      return this.#known.ofIban(finding, bank, end - begin, ibanOf);
    }
    const from = table.begin[0]!;
    this.#accounts ??= this.#block.textOf(from, table.next);
    const kontonummer = this.#accounts.slice(begin - from, end - from);
    const known = this.#known.ofAccount(kontonummer, blz);
    if (known === undefined) return 0;
    if (known.number !== kontonummer) {
      // One that was generated has its place after those that were copied, which are still to be written.
      table.numberBegin[row] = table.ibansEnd;
      table.numberEnd[row] = table.ibansEnd + this.#slot.input.write(known.number, table.ibansEnd, "latin1");
    }
    return known.template;
  }

  /** Reads rows field by field up to a place and answers them; false if none is whole. */
  #answerRead(end: number, isLast: boolean, maxRows: number): boolean {
    const { state } = this.#block;
    const group =
      this.#reader?.read(this.#slot.input, this.at, end, state.line, isLast, maxRows) ??
      readLines(this.#block.textOf(this.at, end), maxRows, state.line, isLast, state.question.input);
    if (group.next > 0) this.#answerGroup(group);
    return group.next > 0;
  }

  #answerGroup({ rows, next, nextLine }: RowGroup): void {
    const { state } = this.#block;
    const answer = this.#answer;
    const begin = this.at;
    const known = this.#numbers.knownOf(rows.flatMap((row) => row.questions));
    let place = 0;
    for (const [index, row] of rows.entries()) {
      if (row.questions.length === 0) {
        if (answer instanceof CsvAnswer) answer.addEmpty(row);
      } else {
        answer.add(
          row,
          row.questions.map((question) => this.#numbers.answer(question, known[place++])),
        );
      }
      const isFull = answer instanceof JsonAnswer && answer.pending + answer.length >= maxAnswerBytes;
      const following = rows[index + 1];
      if (following !== undefined && (isFull || (index % 16 === 15 && performance.now() > this.#until))) {
        this.at = begin + row.next;
        state.line = following.line;
        answer.flush();
        return;
      }
    }
    this.at = begin + next;
    state.line = nextLine;
    answer.flush();
  }
}

/** The scanner of a stream; undefined if all of its rows are read field by field. */
function scannerFor({ question, layout }: StreamState, table: RowTable): RowScanner | undefined {
  const { input, output } = question;
  if (input === "csv") return layout === undefined ? undefined : CsvTableScanner.for(layout, table);
  if (output === "csv") return undefined;
  return input === "text" ? new TextScanner(table) : new JsonScanner(table);
}

/** The last of the rows from one on that are read field by field. */
function lastOther({ kind, count }: RowTable, row: number): number {
  let last = row;
  while (last + 1 < count && kind[last + 1] === RowKind.other) last++;
  return last;
}
