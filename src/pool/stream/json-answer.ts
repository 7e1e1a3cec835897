import type { RequestError } from "../../contract/errors.ts";
import type { Templates } from "../../kernel/templates.ts";
import { encoded } from "../../rows/encoding.ts";
import type { Slot } from "../slots.ts";
import { fieldsText, jsonForm } from "./answer-forms.ts";
import { BlockAnswer } from "./block-answer.ts";
import type { AnswerForm } from "./known-answers.ts";
import type { LineOptions } from "./line-answer.ts";
import type { NumberAnswer } from "./number-answers.ts";
import type { StreamRow } from "./stream-line.ts";
import type { StreamState } from "./stream-task.ts";

/** A line of JSON for each number. */
export class JsonAnswer extends BlockAnswer {
  override readonly form: AnswerForm;
  protected override readonly beforeSummary = "";
  #text = "";
  readonly #fields: readonly string[] | undefined;

  constructor(slot: Slot, state: StreamState, options: LineOptions, templates: Templates) {
    super(slot, state, options, templates);
    this.#fields = state.question.fields;
    this.form = jsonForm(this.#fields);
  }

  /** How much is added and not written. */
  get pending(): number {
    return this.#text.length;
  }

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
    if (answer.kind === "known") return this.templates.textOf(answer.template, answer.number);
    if (answer.kind === "answer") return `${encoded(fieldsText(answer.entry, this.#fields))}}\n`;
    return `,"error":${encoded(JSON.stringify(this.errorOf(answer.error)))}}\n`;
  }
}
