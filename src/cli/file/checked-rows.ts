import type { RequestSender } from "../../client/sender.ts";
import { columnsOf } from "../../rows/columns.ts";
import type { Layout } from "../../rows/layout.ts";
import { makeRenderer, type OutputRow, type Renderer } from "../../rows/render.ts";
import { badRow, selectedColumns } from "../../rows/verdict.ts";
import { type AnsweredNumbers, AskedNumbers } from "./asked-numbers.ts";
import type { BlockRow, RowBlock } from "./blocks.ts";
import type { FileRequest, RowCounts } from "./run-state.ts";

/** Rows as they are written, and counted. */
export interface CheckedRows {
  readonly bytes: Buffer;
  readonly counts: RowCounts;
  /** The rows that go to the file of rejected ones, as they are in the input. */
  readonly rejected: string;
}

/** Checks the rows of a file: sends the fields to check, and joins what the service adds to its own copy of each row. */
export class RowChecks {
  /** The columns whose fields are sent. */
  readonly columns: readonly number[];
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
    this.#request = request;
    this.#delimiter = delimiter;
    this.columns = [...new Set(layout.numbers.flatMap(columnsOf))];
    this.#numbers = layout.numbers.map((number) => {
      const places = columnsOf(number).map((column) => this.columns.indexOf(column));
      return new AskedNumbers(sender, { ...question, kind: number.kind, places });
    });
    this.#renderer = makeRenderer(layout, {
      columns,
      language: "en",
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
    const addedTo = (row: number) => answers.map((answer) => answer.columnsOf(row)).join(this.#delimiter);
    const { written, rejected, counts } = counted(block.rows, answers, addedTo, this.#request);
    return { bytes: this.#renderer.rows(written), rejected, counts };
  }
}

/** Counts the rows of a block, and joins to those that are written what `addedTo` returns for the place of one among those that were checked. */
function counted(
  rows: readonly BlockRow[],
  answers: readonly AnsweredNumbers[],
  addedTo: (place: number) => string,
  { only, badRows }: FileRequest,
): { readonly written: readonly OutputRow[]; readonly rejected: string; readonly counts: RowCounts } {
  const reasons: Record<string, number> = {};
  const warnings: Record<string, number> = {};
  const count = (counted: Record<string, number>, reason: string) => {
    counted[reason] = (counted[reason] ?? 0) + 1;
  };
  const written: OutputRow[] = [];
  let rejected = "";
  let valid = 0;
  let checked = 0;
  let bad = 0;
  for (const row of rows) {
    if (row.fault !== undefined) {
      bad++;
      count(reasons, badRow);
      if (badRows.kind === "reject") rejected += `${row.text}\n`;
      else if (only !== "valid") written.push({ row });
    } else if (row.count === 0) {
      if (only === undefined) written.push({ row });
    } else {
      const place = checked++;
      const findings = answers.map((answer) => answer.findingOf(place));
      const isValid = findings.every((finding) => finding.valid);
      for (const finding of findings) if (!finding.valid) count(reasons, finding.reason);
      const warned = isValid ? findings.find(({ reason }) => reason !== "") : undefined;
      if (warned !== undefined) count(warnings, warned.reason);
      if (isValid) valid++;
      if (only === undefined || (only === "valid") === isValid) written.push({ row, added: addedTo(place) });
    }
  }
  const all = checked + bad;
  const counts = { rows: all, valid, invalid: all - valid, bad, reasons, warnings };
  return { written, rejected, counts };
}
