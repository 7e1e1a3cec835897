import type { RequestError } from "../../contract/errors.ts";
import { encoded } from "../../rows/encoding.ts";
import type { Slot } from "../slots.ts";
import { fieldsText, jsonForm } from "./answer-forms.ts";
import { BlockAnswer } from "./block-answer.ts";
import type { AnswerForm, KnownAnswer } from "./known-answers.ts";
import type { LineOptions } from "./line-answer.ts";
import type { NumberAnswer } from "./number-answers.ts";
import type { RowTable } from "./row-scan.ts";
import type { StreamRow } from "./stream-line.ts";
import type { StreamState } from "./stream-task.ts";

/** A line of JSON for each number. */
export class JsonAnswer extends BlockAnswer {
  override readonly form: AnswerForm;
  protected override readonly beforeSummary = "";
  #text = "";
  readonly #fields: readonly string[] | undefined;

  constructor(slot: Slot, state: StreamState, options: LineOptions) {
    super(slot, state, options);
    this.#fields = state.question.fields;
    this.form = jsonForm(this.#fields);
  }

  /** How much is added and not written. */
  get pending(): number {
    return this.#text.length;
  }

  override writeRegular(table: RowTable, row: number, line: number, known: KnownAnswer): void {
    const { output } = this;
    let at = writeText(output, this.length, '{"line":');
    at = writeNumber(output, at, line);
    if (table.idEnd[row] !== 0) {
      at = writeText(output, at, ',"id":');
      at = this.copy(at, table.idBegin[row]!, table.idEnd[row]!);
    }
    this.writeKnown(at, known, table, row);
  }

  override writeEmpty(): void {}

  override add({ line, id, columns }: StreamRow, answers: readonly NumberAnswer[]): void {
    this.count(answers);
    for (const [place, answer] of answers.entries()) {
      const column = columns?.[place];
      const named = column === undefined ? "" : `,"column":${encoded(JSON.stringify(column))}`;
      const head = `{"line":${line}${id === "" ? "" : `,"id":${encoded(id)}`}${named}`;
      this.#text += `${head}${this.#textOf(answer)}`;
    }
  }

  override flush(): void {
    this.write(this.#text);
    this.#text = "";
  }

  override fail(error: RequestError): void {
    this.#text += `${encoded(JSON.stringify({ error: this.errorOf(error) }))}\n`;
    this.flush();
  }

  #textOf(answer: NumberAnswer): string {
    if (answer.kind === "known") return answer.answer.template.textFor(answer.number);
    if (answer.kind === "answer") return `${encoded(fieldsText(answer.answer.entry, this.#fields))}}\n`;
    return `,"error":${encoded(JSON.stringify(this.errorOf(answer.error)))}}\n`;
  }
}

function writeText(output: Buffer, at: number, text: string): number {
  for (let place = 0; place < text.length; place++) output[at + place] = text.charCodeAt(place);
  return at + text.length;
}

/** Writes the digits of a number above 0; returns where they end. */
function writeNumber(output: Buffer, at: number, number: number): number {
  let end = at + 1;
  for (let power = 10; power <= number; power *= 10) end++;
  let rest = number;
  for (let place = end - 1; place >= at; place--) {
    const tenth = Math.floor(rest / 10);
    output[place] = 0x30 + rest - 10 * tenth;
    rest = tenth;
  }
  return end;
}
