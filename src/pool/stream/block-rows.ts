import type { FillPlace } from "../../kernel/kernel.ts";
import type { RowTable } from "../../kernel/row-table.ts";
import { ROW_REGULAR, VERDICT_BANK, VERDICT_BYTES, VERDICT_FINDING } from "../../kernel/table-layout.ts";
import type { Slot } from "../slots.ts";
import { longTaskMs } from "../task-costs.ts";
import type { BlockAnswer } from "./block-answer.ts";
import { CsvTableScanner } from "./csv-scan.ts";
import type { LineOptions } from "./line-answer.ts";
import { JsonScanner, TextScanner } from "./line-scan.ts";
import { type BlockWorker, type IbanVerdict, type NumberAnswers, numberAnswers } from "./number-answers.ts";
import type { RowScanner } from "./row-scan.ts";
import { BlockEnd, type StreamBlock, type StreamState, scannedIbans } from "./stream-task.ts";

/** A block ends after the row that takes its answer beyond this or its time beyond `longTaskMs`: single checks wait for it. */
const maxAnswerBytes = 144 * 1_024;
/** Where the kernel leaves verdicts in the room for the answer, after the longest answer and its state, and their room. */
const verdictsAt = 1_536 * 1_024;
const verdictRoom = 20_480;

/**
 * Answers the rows of a block, as many as one turn allows.
 *
 * A scan finds some rows, and the kernel judges their IBANs and writes the regular ones from templates. What the kernel leaves, a row
 * that was read field by field or a number without a template, is answered here.
 */
export class BlockRows {
  readonly #slot: Slot;
  readonly #state: StreamState;
  readonly #answer: BlockAnswer;
  readonly #worker: BlockWorker;
  readonly #numbers: NumberAnswers;
  readonly #scanner: RowScanner;
  readonly #place: FillPlace;
  readonly #words: DataView;
  /** Up to where the block is answered. */
  #at: number;
  /** The rows of the table in which accounts are looked up. */
  #accounts: string | undefined;
  readonly #until = performance.now() + longTaskMs;

  constructor(
    slot: Slot,
    worker: BlockWorker,
    options: LineOptions,
    { length, state, end }: StreamBlock,
    answer: BlockAnswer,
    begin: number,
  ) {
    this.#slot = slot;
    this.#state = state;
    this.#answer = answer;
    this.#worker = worker;
    this.#at = begin;
    this.#numbers = numberAnswers(worker, options, answer.form);
    this.#scanner = scannerFor(state, worker.templates.table, options.explain);
    this.#scanner.open(slot.input, length, end === BlockEnd.body);
    this.#words = new DataView(slot.input.buffer);
    this.#place = {
      table: worker.templates.table,
      input: slot.input.byteOffset,
      limit: slot.output.byteOffset + maxAnswerBytes,
      form: this.#numbers.formNumber,
      dialect: answer.form.dialect,
    };
  }

  /** Writes the answers and returns where the first row begins that is not answered. */
  run(): number {
    do if (!this.#answerTable()) break;
    while (this.#hasRoom);
    this.#worker.templates.takeTallies((outcome, rows) => this.#answer.count([outcome], rows));
    return this.#at;
  }

  get #hasRoom(): boolean {
    return this.#answer.length < maxAnswerBytes && performance.now() < this.#until;
  }

  /** Answers as many rows as a table holds; false if none is whole. */
  #answerTable(): boolean {
    const table = this.#scanner.scan(this.#at, scannedIbans, this.#state.line);
    table.verdict[0] = this.#judge(table);
    this.#accounts = undefined;
    let template = 0;
    for (let row = 0; row < table.count; ) {
      const next = this.#fill(table, row, template);
      if (next === table.count || this.#answer.length >= maxAnswerBytes) break;
      // A row whose template changes nothing has another bank's BIC.
      const isAnother = template !== 0 && next === row;
      template = isAnother ? 0 : this.#templateOf(table, next);
      row = next;
      if (template !== 0) continue;
      this.#answerRow(table, row++);
      if (!this.#hasRoom) break;
    }
    return table.count > 0;
  }

  /** Judges the IBANs of a table; returns the address of their verdicts. */
  #judge({ ibans, ibansEnd }: RowTable): number {
    const output = this.#slot.output.byteOffset + verdictsAt;
    const input = this.#slot.input.byteOffset + ibans;
    const place = { input, inputLength: ibansEnd - ibans, output, outputRoom: verdictRoom };
    if (ibansEnd > ibans) this.#worker.kernel.judge(place);
    return output;
  }

  /** Lets the kernel write rows from one on; returns the first that it leaves. */
  #fill(table: RowTable, row: number, template: number): number {
    const [answer, state] = [this.#answer, this.#state];
    table.at[0] = this.#slot.output.byteOffset + answer.length;
    table.line[0] = state.line;
    const next = this.#worker.kernel.fill(this.#place, row, template);
    answer.length = table.at[0]! - this.#slot.output.byteOffset;
    state.line = table.line[0]!;
    if (next > row) this.#at = table.after[next - 1]!;
    return next;
  }

  /** The template of a regular row that the kernel did not know how to write; 0 if it has none. */
  #templateOf(table: RowTable, row: number): number {
    if (table.kind[row] !== ROW_REGULAR) return 0;
    const { input } = this.#slot;
    const [begin, end] = [table.numberBegin[row]!, table.numberEnd[row]!];
    const blz = table.blz[row]!;
    if (blz < 0) {
      const ibanOf = () => input.toString("latin1", begin, end);
      return this.#numbers.templateOf(this.#verdictAt(table.verdict[0]!), end - begin, ibanOf);
    }
    const from = table.begin[0]!;
    this.#accounts ??= input.toString("latin1", from, table.next);
    const kontonummer = this.#accounts.slice(begin - from, end - from);
    const known = this.#numbers.ofAccount(kontonummer, blz);
    if (known === undefined) return 0;
    if (known.number !== kontonummer) {
      // One that was generated has its place after those that were copied, which are still to be written.
      table.numberBegin[row] = table.ibansEnd;
      table.numberEnd[row] = table.ibansEnd + input.write(known.number, table.ibansEnd, "latin1");
    }
    return known.template;
  }

  /** Answers a row that the kernel left. */
  #answerRow(table: RowTable, row: number): void {
    const state = this.#state;
    const read = this.#scanner.rowAt(row, state.line);
    const isJudged = table.kind[row] === ROW_REGULAR && table.blz[row]! < 0;
    const answers = read.numbers.map((number) => {
      if (!isJudged && number.isCopied !== true) return this.#numbers.answer(number, undefined);
      const verdict = this.#verdictAt(table.verdict[0]!);
      table.verdict[0]! += VERDICT_BYTES;
      return this.#numbers.answer(number, verdict);
    });
    this.#answer.add(read, state.line, answers);
    this.#at = table.after[row]!;
    state.line += table.lines[row]!;
  }

  #verdictAt(at: number): IbanVerdict {
    const finding = this.#words.getUint32(at + VERDICT_FINDING, true);
    return { finding, bank: this.#words.getUint32(at + VERDICT_BANK, true) };
  }
}

function scannerFor({ question, layout }: StreamState, table: RowTable, explains: boolean): RowScanner {
  if (layout !== undefined) return new CsvTableScanner(table, layout, explains);
  const Scanner = question.input === "text" ? TextScanner : JsonScanner;
  return new Scanner(table, explains || question.output === "csv", question.input);
}
