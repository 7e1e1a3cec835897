import type { RequestError } from "../../contract/errors.ts";
import { encoded } from "../../rows/encoding.ts";
import type { OutputRow, Renderer, RenderOptions } from "../../rows/render.ts";
import { refusedVerdict, type Verdict } from "../../rows/verdict.ts";
import type { Slot } from "../slots.ts";
import { bankCodeOf, csvForm } from "./answer-forms.ts";
import { BlockAnswer } from "./block-answer.ts";
import type { AnswerForm, KnownAnswer } from "./known-answers.ts";
import type { LineOptions } from "./line-answer.ts";
import type { NumberAnswer } from "./number-answers.ts";
import type { RowTable } from "./row-scan.ts";
import type { StreamRow } from "./stream-line.ts";
import type { StreamState } from "./stream-task.ts";

/** The rows of the input with the columns that a check adds. */
export class CsvAnswer extends BlockAnswer {
  override readonly form: AnswerForm;
  protected override readonly beforeSummary = "# ";
  readonly #renderer: Renderer;
  readonly #delimiter: number;
  readonly #lineBreak: string;
  #rows: OutputRow[] = [];
  #checked: { verdicts: Verdict[]; ibans: (string | null)[]; notes: Map<number, string> }[] = [];
  #places = 0;

  constructor(
    slot: Slot,
    state: StreamState,
    options: LineOptions,
    renderer: Renderer,
    rendered: RenderOptions,
  ) {
    super(slot, state, options);
    this.#renderer = renderer;
    const dialect = state.layout?.dialect ?? { delimiter: ",", lineBreak: "\n" };
    this.#delimiter = dialect.delimiter.charCodeAt(0);
    this.#lineBreak = dialect.lineBreak;
    this.form = csvForm(rendered, dialect);
  }

  /** Writes what comes before the first row. */
  writeHead(): void {
    this.writeBytes(this.#renderer.head());
  }

  override writeRegular(table: RowTable, row: number, _line: number, known: KnownAnswer): void {
    let at = this.copy(this.length, table.begin[row]!, table.end[row]!);
    for (let missing = table.missing[row]!; missing > 0; missing--) this.output[at++] = this.#delimiter;
    this.writeKnown(at, known, table, row);
  }

  override writeEmpty(): void {
    this.write(this.#lineBreak);
  }

  /** Adds an empty row, which is not answered. */
  addEmpty({ row }: StreamRow): void {
    if (row !== undefined) this.#rows.push({ row, place: undefined });
  }

  override add(streamRow: StreamRow, answers: readonly NumberAnswer[]): void {
    this.count(answers);
    const { line, id, row, notes } = streamRow;
    if (row?.fault !== undefined) {
      this.#rows.push({ row, place: undefined });
      return;
    }
    const place = this.#places++;
    this.#rows.push({ row: row ?? { text: "", fields: [String(line), idField(id)] }, place });
    for (const [number, answer] of answers.entries()) {
      this.#checked[number] ??= { verdicts: [], ibans: [], notes: new Map() };
      const checked = this.#checked[number];
      checked.verdicts.push(this.#verdictOf(answer));
      checked.ibans.push(ibanOf(answer));
      const note = notes?.[number];
      if (note !== undefined) checked.notes.set(place, note);
    }
  }

  override flush(): void {
    if (this.#rows.length === 0) return;
    this.writeBytes(this.#renderer.rows(this.#rows, this.#checked));
    this.#rows = [];
    this.#checked = [];
    this.#places = 0;
  }

  /** Writes it as a comment before the summary: it concerns no row. */
  override fail(error: RequestError): void {
    this.write(`# ${encoded(JSON.stringify({ error: this.errorOf(error) }))}\n`);
  }

  #verdictOf(answer: NumberAnswer): Verdict {
    if (answer.kind === "error") {
      const { code, message } = this.errorOf(answer.error);
      return refusedVerdict(code, encoded(message));
    }
    const { verdict } = answer.answer;
    if (answer.kind === "answer" || !answer.answer.hasOwnBankCode || verdict.data === undefined)
      return verdict;
    return { ...verdict, data: { ...verdict.data, blz: bankCodeOf(answer.number) } };
  }
}

function ibanOf(answer: NumberAnswer): string | null {
  if (answer.kind === "error") return null;
  if (answer.kind === "known") {
    const { iban } = answer.answer;
    return iban === undefined ? null : answer.number.slice(iban.start, iban.end);
  }
  const { entry } = answer.answer;
  if (entry.iban !== undefined) return "error" in entry ? null : entry.iban;
  return (entry.data["iban"] as string | null | undefined) ?? null;
}

/** An id of NDJSON as a field. */
function idField(id: string): string {
  return id.startsWith('"') ? encoded(JSON.parse(id) as string) : id;
}
