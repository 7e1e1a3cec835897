import { isUtf8 } from "node:buffer";
import type { RequestSender } from "../../client/sender.ts";
import type { CheckedNumber } from "../../rows/columns.ts";
import type { Layout } from "../../rows/layout.ts";
import { makeRenderer, type OutputRow, type Renderer } from "../../rows/render.ts";
import { badRow, selectedColumns } from "../../rows/verdict.ts";
import { type AnsweredNumbers, AskedNumbers } from "./asked-numbers.ts";
import { type RowBlock, rowPlaces } from "./blocks.ts";
import type { FileRequest, RowCounts } from "./run-state.ts";

/** Rows as they are written, and counted. */
export interface CheckedRows {
  readonly bytes: Buffer;
  readonly counts: RowCounts;
  /** The rows that go to the file of rejected ones, as they are in the input. */
  readonly rejected: string;
}

/** A row that is written: its index in the block and, if it was checked, among the rows that were. */
interface WrittenRow {
  readonly row: number;
  readonly place: number | undefined;
}

/** Returns the columns that numbers are in. */
function columnsOf(number: CheckedNumber): readonly number[] {
  if (number.kind === "account") return [number.kontonummer, number.blz];
  return number.bic === undefined ? [number.iban] : [number.iban, number.bic];
}

/** Checks the rows of a file: sends the fields to check, and joins what the service adds to its own copy of each row. */
export class RowChecks {
  /** The columns whose fields are sent. */
  readonly columns: readonly number[];
  readonly #layout: Layout;
  readonly #request: FileRequest;
  readonly #numbers: readonly AskedNumbers[];
  readonly #renderer: Renderer;
  readonly #delimiter: string;

  constructor(sender: RequestSender, layout: Layout, request: FileRequest) {
    const { format = layout.format, outputDelimiter, prefix, bom, generates, suggests } = request;
    const columns = selectedColumns(request);
    const written = format === "csv" ? (outputDelimiter ?? layout.dialect.delimiter) : ",";
    // The service takes no other as a separator.
    const delimiter = /^[ -~\t]$/.test(written) ? written : ",";
    const question = {
      delimiter,
      names: columns.map(({ name }) => name),
      // The values of JSON are in UTF-8 by now.
      encoding: layout.format === "ndjson" ? undefined : layout.encoding,
      generates,
      suggests,
    };
    this.#layout = layout;
    this.#request = request;
    this.#delimiter = delimiter;
    this.columns = [...new Set(layout.numbers.flatMap(columnsOf))];
    this.#numbers = layout.numbers.map((number) => {
      const places = columnsOf(number).map((column) => this.columns.indexOf(column));
      return new AskedNumbers(sender, { ...question, kind: number.kind, places });
    });
    this.#renderer = makeRenderer(layout, {
      columns,
      prefix,
      format,
      ...(bom === true ? { bom } : {}),
      delimiter: outputDelimiter,
      addedDelimiter: delimiter,
    });
  }

  /** What comes before the first row. */
  head(): Buffer {
    return this.#renderer.head();
  }

  /** Rejects as `AskedNumbers.ask` does. */
  async check(block: RowBlock, signal: AbortSignal): Promise<CheckedRows> {
    const answers = await Promise.all(
      this.#numbers.map((number) => number.ask(block.fields, this.columns.length, signal)),
    );
    const { written, rejected, counts } = counted(block, answers, this.#request);
    const isCopied = this.#renderer.copies && isUtf8(block.bytes);
    const bytes = isCopied
      ? this.#copied(block, written, answers)
      : this.#renderer.rows(written.map((row) => this.#outputRow(block, row, answers)));
    return { bytes, rejected, counts };
  }

  /** Composes rows of the file's own form without making a text of them. */
  #copied(block: RowBlock, written: readonly WrittenRow[], answers: readonly AnsweredNumbers[]): Buffer {
    const { dialect, width } = this.#layout;
    const lineBreak = Buffer.from(dialect.lineBreak);
    const delimiter = this.#delimiter.charCodeAt(0);
    const { bytes, places } = block;
    const parts: Buffer[] = [];
    let joined = Buffer.allocUnsafe(roomFor(block, answers, width));
    let length = 0;
    for (const { row, place } of written) {
      if (block.bad.has(row)) {
        parts.push(
          joined.subarray(0, length),
          this.#renderer.rows([this.#outputRow(block, { row, place }, answers)]),
        );
        joined = joined.subarray(length);
        length = 0;
        continue;
      }
      const [begin, end, count] = [
        places[row * rowPlaces]!,
        places[row * rowPlaces + 1]!,
        places[row * rowPlaces + 2]!,
      ];
      if (place === undefined) length += bytes.copy(joined, length, begin, end);
      else {
        // Fields too many are empty ones.
        length += bytes.copy(joined, length, begin, end - Math.max(0, count - width));
        for (let missing = width - count; missing > 0; missing--) joined[length++] = delimiter;
        for (const { bytes: answer, from, to } of answers) {
          joined[length++] = delimiter;
          length += answer.copy(joined, length, from[place], to[place]);
        }
      }
      for (const byte of lineBreak) joined[length++] = byte;
    }
    parts.push(joined.subarray(0, length));
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  #outputRow(block: RowBlock, { row, place }: WrittenRow, answers: readonly AnsweredNumbers[]): OutputRow {
    const bad = block.bad.get(row);
    if (bad !== undefined) return { row: { ...bad, fields: [] } };
    const { finder } = this.#layout;
    const { bytes, places } = block;
    const [begin, end] = [places[row * rowPlaces]!, places[row * rowPlaces + 1]!];
    const text = bytes.toString("latin1", begin, end);
    if (place === undefined) return { row: { text, fields: [] } };
    const own = bytes.subarray(begin, end);
    finder.scan(own, 0, own.length, true);
    const added = answers.map((answer) =>
      answer.bytes.toString("latin1", answer.from[place], answer.to[place]),
    );
    return { row: { text, fields: finder.fields(text) }, added: added.join(this.#delimiter) };
  }
}

/** More than the rows of a block with their answers take. */
function roomFor({ bytes, places }: RowBlock, answers: readonly AnsweredNumbers[], width: number): number {
  const answered = answers.reduce((sum, answer) => sum + answer.bytes.length, 0);
  return bytes.length + answered + (places.length / rowPlaces) * (width + 2);
}

/** Counts the rows of a block, and chooses those that are written. */
function counted(
  { places, bad }: RowBlock,
  answers: readonly AnsweredNumbers[],
  { only, badRows }: FileRequest,
): { readonly written: readonly WrittenRow[]; readonly rejected: string; readonly counts: RowCounts } {
  const known = answers.length === 1 && only === undefined ? answers[0]!.counts : undefined;
  const reasons: Record<string, number> = { ...known?.reasons };
  const count = (reason: string) => {
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  };
  const written: WrittenRow[] = [];
  let rejected = "";
  let valid = known?.valid ?? 0;
  let checked = 0;
  for (let row = 0; row < places.length / rowPlaces; row++) {
    const fault = bad.get(row);
    if (fault !== undefined) {
      count(badRow);
      if (badRows.kind === "reject") rejected += `${fault.text}\n`;
      else if (only !== "valid") written.push({ row, place: undefined });
    } else if (places[row * rowPlaces + 2] === 0) {
      if (only === undefined) written.push({ row, place: undefined });
    } else {
      const place = checked++;
      let isValid = true;
      if (known === undefined) {
        const invalid = answers.map((answer) => answer.findingOf(place)).filter((finding) => !finding.valid);
        for (const { reason } of invalid) count(reason);
        isValid = invalid.length === 0;
        if (isValid) valid++;
      }
      if (only === undefined || (only === "valid") === isValid) written.push({ row, place });
    }
  }
  const rows = checked + bad.size;
  return { written, rejected, counts: { rows, valid, invalid: rows - valid, bad: bad.size, reasons } };
}
