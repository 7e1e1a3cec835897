import { isUtf8 } from "node:buffer";
import { BankcheckError } from "../../client/errors.ts";
import {
  endedEarly,
  incompleteAnswer,
  otherAnswer,
  type RequestSender,
  type StreamedBody,
} from "../../client/sender.ts";
import { RowKind } from "../../kernel/row-table.ts";
import { CsvScanner } from "../../pool/stream/csv-scan.ts";

import type { CheckedNumber } from "../../rows/columns.ts";
import type { Layout } from "../../rows/layout.ts";
import type { FindPlainRows, PlainRows } from "./blocks.ts";
import type { FileRequest, RowCounts } from "./run-state.ts";

/** Rows as they are written, and counted. */
export interface CheckedRows {
  readonly bytes: Buffer;
  readonly counts: RowCounts;
  /** The rows that go to the file of rejected ones; none if it is absent. */
  readonly rejected?: string;
}

/**
 * Has rows of CSV checked without reading them: only the fields to check are sent, and what the service adds to each is
 * joined to the row as it is in the file.
 *
 * Only for rows that are found as they would be read: UTF-8 whose rows end as those of the file do, none of which has too
 * many fields.
 */
interface PlainRowsCheck {
  readonly find: FindPlainRows;
  /**
   * Resolves with undefined if the rows must be read after all. Rejects with a BankcheckError for an answer that does
   * not have exactly one row for each row sent, in order.
   */
  check(rows: PlainRows, signal: AbortSignal): Promise<CheckedRows | undefined>;
}

/** Returns the check of a file's plain rows; undefined if all of its rows must be read. */
export function plainRowsCheck(
  sender: RequestSender,
  layout: Layout,
  request: FileRequest,
): PlainRowsCheck | undefined {
  const [number, ...others] = layout.numbers;
  const { format = layout.format, only, badRows, outputDelimiter = layout.dialect.delimiter } = request;
  const isCsv = layout.format === "csv" && format === "csv" && layout.encoding !== "latin-1";
  if (outputDelimiter !== layout.dialect.delimiter) return undefined;
  const isAll = only === undefined && badRows.kind !== "stop" && others.length === 0;
  if (!isCsv || !isAll || number === undefined || (number.kind === "iban" && number.bic !== undefined))
    return undefined;
  const scanner = CsvScanner.ofFields(layout);
  if (scanner === undefined) return undefined;
  const path = pathOf(number, layout, request);
  return {
    find: (bytes) => findPlain(bytes, scanner, layout),
    check: async (rows, signal) => {
      const answer = new RowsAnswer(rows, layout);
      try {
        return await sender.send({ path, body: answer, signal, read: () => answer.checked() });
      } catch (error) {
        if (error instanceof BankcheckError && error.code === "invalid_request") return undefined;
        throw error;
      }
    },
  };
}

function pathOf(number: CheckedNumber, { dialect }: Layout, request: FileRequest): string {
  const columns = number.kind === "iban" ? { column: "2" } : { kontonummer_column: "2", blz_column: "3" };
  const query = new URLSearchParams({
    header: "0",
    delimiter: dialect.delimiter === "\t" ? "tab" : dialect.delimiter,
    ...columns,
    ...(request.suggests ? { suggest: "1" } : {}),
    ...(request.generates ? { sepa: "1" } : {}),
    ...(request.select === undefined
      ? {}
      : { fields: request.select.map((name) => name.trim().toLowerCase()).join() }),
  });
  return `/v1/stream?${query}`;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;
const hash = 0x23;

/** How many numbers `PlainRows.places` has for each row. */
const rowPlaces = 4;

function findPlain(
  bytes: Buffer<ArrayBuffer>,
  scanner: CsvScanner,
  { dialect, numbers }: Layout,
): PlainRows | undefined {
  const end = bytes.lastIndexOf(lineFeed) + 1;
  const whole = bytes.subarray(0, end);
  if (whole.includes(0) || !isUtf8(whole)) return undefined;
  if (dialect.lineBreak !== "\r\n" && whole.includes("\r")) return undefined;
  const { delimiter } = dialect;
  const hasAccounts = numbers[0]?.kind === "account";
  const places: number[] = [];
  let asked = "";
  let at = 0;
  let filled = 0;
  let lines = 0;
  for (let isPlain = true; isPlain && at < end; ) {
    const table = scanner.scan(bytes, at, end, 0, true);
    isPlain = table.count > 0;
    for (let row = 0; row < table.count; row++) {
      const kind = table.kind[row]!;
      if (kind === RowKind.other) {
        isPlain = false;
        break;
      }
      if (kind !== RowKind.empty) {
        filled++;
        asked += filled + delimiter + fieldText(bytes, table.numberBegin[row]!, table.numberEnd[row]!);
        if (hasAccounts) asked += delimiter + fieldText(bytes, table.bicBegin[row]!, table.bicEnd[row]!);
        asked += "\n";
      }
      places.push(table.begin[row]!, table.end[row]!, table.missing[row]!, asked.length);
      lines += table.lines[row]!;
      at = table.after[row]!;
    }
  }
  if (filled === 0) return undefined;
  const rows = places.length / rowPlaces;
  const question = { asked: Buffer.from(asked, "latin1"), places: Int32Array.from(places) };
  return { bytes: bytes.subarray(0, at), ...question, rows, filled, lines };
}

/** A field as it is in the file, with its quotes, one character for each byte. */
function fieldText(bytes: Buffer, from: number, to: number): string {
  const isQuoted = from > 0 && bytes[from - 1] === quote;
  return bytes.toString("latin1", isQuoted ? from - 1 : from, isQuoted ? to + 1 : to);
}

interface AnswerEnd {
  readonly summary?: Omit<RowCounts, "rows" | "bad"> & {
    readonly lines: number;
    readonly errors: number;
    readonly next_line?: number;
  };
}

class RowsAnswer implements StreamedBody {
  readonly mediaType = "text/csv";
  readonly answered = 0;
  readonly #rows: PlainRows;
  readonly #dialect: { readonly delimiter: number; readonly hasReturn: boolean };
  #parts: Uint8Array[] = [];

  constructor(rows: PlainRows, { dialect }: Layout) {
    this.#rows = rows;
    const { delimiter, lineBreak } = dialect;
    this.#dialect = { delimiter: delimiter.charCodeAt(0), hasReturn: lineBreak === "\r\n" };
  }

  begin(): Uint8Array {
    this.#parts = [];
    return this.#rows.asked;
  }

  readonly take = (bytes: Uint8Array): boolean => {
    this.#parts.push(bytes);
    return false;
  };

  /** Whether it may be the beginning of an answer: of the first row, or of how a stream ends before it. */
  #mayBegin(answer: Buffer): boolean {
    const { asked } = this.#rows;
    const length = Math.min(answer.length, Math.max(0, asked.indexOf(lineFeed) - 1));
    return answer[0] === hash || answer.subarray(0, length).equals(asked.subarray(0, length));
  }

  /** Throws a BankcheckError if the answer is cut off, or does not have exactly one row for each row sent, in order. */
  checked(): CheckedRows | undefined {
    const answer = Buffer.concat(this.#parts);
    this.#parts = [];
    const end = answer.lastIndexOf("\n", answer.length - 2) + 1;
    const { summary } = endOf(answer.toString("latin1", end));
    if (summary === undefined && !this.#mayBegin(answer)) throw otherAnswer();
    if (summary === undefined || summary.next_line !== undefined) throw endedEarly();
    const { lines, valid, invalid, errors, reasons } = summary;
    if (errors > 0) return undefined;
    if (lines !== this.#rows.filled || valid + invalid !== lines) throw incompleteAnswer();
    const bytes = this.#joined(answer, end);
    return { bytes, counts: { rows: lines, valid, invalid, bad: 0, reasons } };
  }

  /** The rows of the file, each with what its row of the answer adds to its question. */
  #joined(answer: Buffer, end: number): Buffer {
    const { bytes, asked, places } = this.#rows;
    const { delimiter, hasReturn } = this.#dialect;
    const joined = Buffer.allocUnsafe(bytes.length + answer.length + sumOfMissing(places));
    let length = 0;
    let at = 0;
    let askedAt = 0;
    for (let place = 0; place < places.length; place += rowPlaces) {
      length += bytes.copy(joined, length, places[place]!, places[place + 1]!);
      const askedEnd = places[place + 3]!;
      if (askedEnd > askedAt) {
        for (let missing = places[place + 2]!; missing > 0; missing--) joined[length++] = delimiter;
        // The question without its line break. Most are so short that a loop beats a call into Node.
        for (; askedAt < askedEnd - 1; askedAt++, at++)
          if (answer[at] !== asked[askedAt]) throw incompleteAnswer();
        askedAt++;
        const lineEnd = answer.indexOf(lineFeed, at);
        if (answer[at] !== delimiter || lineEnd < 0 || lineEnd >= end) throw incompleteAnswer();
        length += answer.copy(joined, length, at, lineEnd);
        at = lineEnd + 1;
      }
      if (hasReturn) joined[length++] = carriageReturn;
      joined[length++] = lineFeed;
    }
    if (at !== end) throw incompleteAnswer();
    return joined.subarray(0, length);
  }
}

function sumOfMissing(places: Int32Array): number {
  let sum = 0;
  for (let place = 2; place < places.length; place += rowPlaces) sum += Math.max(0, places[place]!);
  return sum;
}

function endOf(text: string): AnswerEnd {
  try {
    return text.startsWith("# ") ? (JSON.parse(text.slice(2)) as AnswerEnd) : {};
  } catch {
    return {};
  }
}
