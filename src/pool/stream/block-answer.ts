import { errorBody, type RequestError } from "../../contract/errors.ts";
import type { Checked, OutputRow, Renderer } from "../../rows/render.ts";
import { encoded } from "../../rows/text.ts";
import { refusedVerdict, type Verdict } from "../../rows/verdict.ts";
import type { Slot } from "../slots.ts";
import { bankCodeOf, fieldsText, type KnownAnswer } from "./known-answers.ts";
import type { LineAnswer, LineOptions } from "./line-answer.ts";
import type { StreamRow } from "./stream-line.ts";
import type { StreamState, StreamSummary } from "./stream-task.ts";

/** What one number of a row is answered. */
export type NumberAnswer =
  | { readonly kind: "known"; readonly known: KnownAnswer; readonly number: string }
  | { readonly kind: "answer"; readonly answer: LineAnswer; readonly reason: string }
  | { readonly kind: "error"; readonly error: RequestError };

/** The answer to a block as it grows in its slot. */
export abstract class BlockAnswer {
  /** Numbers that count as checks. */
  checks = 0;
  /** How many bytes are written. */
  length = 0;
  readonly #slot: Slot;
  protected readonly summary: StreamSummary;
  protected readonly options: LineOptions;

  constructor(slot: Slot, { summary }: StreamState, options: LineOptions) {
    this.#slot = slot;
    this.summary = summary;
    this.options = options;
  }

  /** Adds a row that was answered, in order. */
  abstract add(row: StreamRow, answers: readonly NumberAnswer[]): void;

  /** Writes what was added since it was called last. */
  abstract flush(): void;

  /** Adds an error that concerns the stream. */
  abstract fail(error: RequestError): void;

  /** Writes the summary; a stream that has not come to the end of its body says from which line to go on. */
  finish(nextLine: number | undefined): number {
    const summary = nextLine === undefined ? this.summary : { ...this.summary, next_line: nextLine };
    return this.write(`${this.beforeSummary}${JSON.stringify({ summary })}\n`);
  }

  protected abstract readonly beforeSummary: string;

  /** Counts one line: its numbers are valid, or one of them is not for a reason, or it could not be read. */
  protected count(answers: readonly NumberAnswer[]): void {
    const [first] = answers;
    if (answers.length === 1 && first?.kind === "known") {
      this.countKnown(first.known);
      return;
    }
    const { summary } = this;
    summary.lines++;
    this.checks += Math.max(1, answers.length);
    let isValid = true;
    for (const answer of answers) {
      if (answer.kind === "error") {
        summary.errors++;
        return;
      }
      const { valid } = answer.kind === "known" ? answer.known : answer.answer.entry;
      isValid &&= valid;
    }
    if (isValid) {
      summary.valid++;
      return;
    }
    summary.invalid++;
    for (const answer of answers) {
      const reason =
        answer.kind === "known" ? answer.known.reason : answer.kind === "answer" ? answer.reason : "";
      this.#countReason(reason);
    }
  }

  /** Counts a line of one number whose answer is known. */
  protected countKnown({ valid, reason }: KnownAnswer): void {
    this.checks++;
    this.summary.lines++;
    if (valid) this.summary.valid++;
    else {
      this.summary.invalid++;
      this.#countReason(reason);
    }
  }

  #countReason(reason: string): void {
    const { reasons } = this.summary;
    if (reason !== "") reasons[reason] = (reasons[reason] ?? 0) + 1;
  }

  /** Writes text with one character for each byte. */
  protected write(text: string): number {
    const written = this.#slot.output.write(text, this.length, "latin1");
    if (written < text.length) throw new RangeError("the answer to a block does not fit its slot");
    this.length += written;
    return written;
  }

  protected writeBytes(bytes: Uint8Array): void {
    this.#slot.output.set(bytes, this.length);
    this.length += bytes.length;
  }

  protected errorOf({ code, detail }: RequestError) {
    return errorBody(code, detail, { language: this.options.language, explain: false }).error;
  }
}

/** A line of JSON for each number. */
export class JsonAnswer extends BlockAnswer {
  protected override readonly beforeSummary = "";
  #text = "";
  readonly #fields: readonly string[] | undefined;
  readonly #edition: string | null;

  constructor(slot: Slot, state: StreamState, options: LineOptions, edition: string | null) {
    super(slot, state, options);
    this.#fields = state.question.fields;
    this.#edition = edition;
  }

  /** How much is added and not written. */
  get pending(): number {
    return this.#text.length;
  }

  /** Adds the answer to a line that has one number and no id. */
  addKnown(line: number, known: KnownAnswer, number: string): void {
    this.countKnown(known);
    this.#text += `{"line":${line}${known.json.textFor(number)}}\n`;
  }

  override add({ line, id, columns }: StreamRow, answers: readonly NumberAnswer[]): void {
    this.count(answers);
    for (const [place, answer] of answers.entries()) {
      const column = columns?.[place];
      const named = column === undefined ? "" : `,"column":${encoded(JSON.stringify(column))}`;
      const head = `{"line":${line}${id === "" ? "" : `,"id":${encoded(id)}`}${named}`;
      this.#text += `${head}${this.#textOf(answer)}}\n`;
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
    if (answer.kind === "known") return answer.known.json.textFor(answer.number);
    if (answer.kind === "answer")
      return encoded(fieldsText(answer.answer.entry, this.#fields, this.#edition));
    return `,"error":${encoded(JSON.stringify(this.errorOf(answer.error)))}`;
  }
}

/** The rows of the input with the columns that a check adds. */
export class CsvAnswer extends BlockAnswer {
  protected override readonly beforeSummary = "# ";
  readonly #renderer: Renderer;
  readonly #edition: string;
  #rows: OutputRow[] = [];
  #checked: { verdicts: Verdict[]; ibans: (string | null)[]; notes: Map<number, string> }[] = [];
  #places = 0;

  constructor(
    slot: Slot,
    state: StreamState,
    options: LineOptions,
    renderer: Renderer,
    edition: string | null,
  ) {
    super(slot, state, options);
    this.#renderer = renderer;
    this.#edition = edition ?? "";
  }

  /** Writes what comes before the first row. */
  writeHead(): void {
    this.writeBytes(this.#renderer.head());
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
    const edition = this.#edition;
    const checked: readonly Checked[] = this.#checked.map((found) => ({ ...found, edition }));
    this.writeBytes(this.#renderer.rows(this.#rows, checked));
    this.#rows = [];
    this.#checked = [];
    this.#places = 0;
  }

  /** Writes it as a comment before the summary: it concerns no row. */
  override fail(error: RequestError): void {
    this.write(`# ${encoded(JSON.stringify({ error: this.errorOf(error) }))}\n`);
  }

  #verdictOf(answer: NumberAnswer): Verdict {
    if (answer.kind === "answer") return answer.answer.verdict;
    if (answer.kind === "error") {
      const { code, message } = this.errorOf(answer.error);
      return refusedVerdict(code, encoded(message));
    }
    const { verdict, hasOwnBankCode } = answer.known;
    if (!hasOwnBankCode || verdict.data === undefined) return verdict;
    return { ...verdict, data: { ...verdict.data, blz: bankCodeOf(answer.number) } };
  }
}

function ibanOf(answer: NumberAnswer): string | null {
  if (answer.kind === "error") return null;
  if (answer.kind === "known")
    return answer.known.isAccount || answer.known.verdict.error !== "" ? null : answer.number;
  const { entry, verdict } = answer.answer;
  if (entry.iban !== undefined) return verdict.error === "" ? entry.iban : null;
  return (entry.data["iban"] as string | null | undefined) ?? null;
}

/** An id of NDJSON as a field. */
function idField(id: string): string {
  return id === "" ? "" : encoded(String(JSON.parse(id)));
}
