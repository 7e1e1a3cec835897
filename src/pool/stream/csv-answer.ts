import type { RequestError } from "../../contract/errors.ts";
import type { Templates } from "../../kernel/templates.ts";
import { encoded } from "../../rows/encoding.ts";
import type { OutputRow, Renderer, RenderOptions } from "../../rows/render.ts";
import { csvQuoter, refusedVerdict } from "../../rows/verdict.ts";
import type { Slot } from "../slots.ts";
import { type CsvForm, csvForm } from "./answer-forms.ts";
import { BlockAnswer } from "./block-answer.ts";
import type { LineAnswer, LineOptions } from "./line-answer.ts";
import type { NumberAnswer } from "./number-answers.ts";
import type { StreamRow } from "./stream-line.ts";
import type { StreamState } from "./stream-task.ts";

/** The rows of the input with the columns that a check adds. */
export class CsvAnswer extends BlockAnswer {
  override readonly form: CsvForm;
  protected override readonly beforeSummary = "# ";
  readonly #renderer: Renderer;
  readonly #delimiter: string;
  readonly #quoted: (text: string) => string;
  #rows: OutputRow[] = [];

  constructor(
    slot: Slot,
    state: StreamState,
    options: LineOptions,
    templates: Templates,
    renderer: Renderer,
    rendered: RenderOptions,
  ) {
    super(slot, state, options, templates);
    this.#renderer = renderer;
    const dialect = state.layout?.dialect ?? { delimiter: ",", lineBreak: "\n" };
    this.#delimiter = dialect.delimiter;
    this.#quoted = csvQuoter(dialect.delimiter);
    this.form = csvForm(rendered, dialect);
  }

  /** Writes what comes before the first row. */
  writeHead(): void {
    this.writeBytes(this.#renderer.head());
  }

  /** Adds an empty row, which is not answered. */
  addEmpty({ row }: StreamRow): void {
    if (row !== undefined) this.#rows.push({ row });
  }

  override add({ line, id, row, notes }: StreamRow, answers: readonly NumberAnswer[]): void {
    this.count(answers);
    if (row?.fault !== undefined) {
      this.#rows.push({ row });
      return;
    }
    const added = answers.map((answer, number) => this.#columnsOf(answer, notes?.[number] ?? ""));
    this.#rows.push({
      row: row ?? { text: "", fields: [String(line), idField(id)] },
      added: added.join(this.#delimiter),
    });
  }

  override flush(): void {
    if (this.#rows.length === 0) return;
    this.writeBytes(this.#renderer.rows(this.#rows));
    this.#rows = [];
  }

  /** Writes it as a comment before the summary: it concerns no row. */
  override fail(error: RequestError): void {
    this.write(`# ${encoded(JSON.stringify({ error: this.errorOf(error) }))}\n`);
  }

  #columnsOf(answer: NumberAnswer, note: string): string {
    const { form } = this;
    if (answer.kind === "known") {
      const quoted = note === "" ? "" : encoded(this.#quoted(note));
      return form.columnsIn(this.templates.textOf(answer.template, answer.number, quoted));
    }
    if (answer.kind === "answer") return form.fieldsOf(answer.verdict, { iban: ibanOf(answer), note });
    const { code, message } = this.errorOf(answer.error);
    return form.fieldsOf(refusedVerdict(code, message), { iban: null, note });
  }
}

function ibanOf({ entry }: LineAnswer): string | null {
  if (entry.iban !== undefined) return "error" in entry ? null : entry.iban;
  return (entry.data["iban"] as string | null | undefined) ?? null;
}

/** An id of NDJSON as a field. */
function idField(id: string): string {
  return id.startsWith('"') ? encoded(JSON.parse(id) as string) : id;
}
