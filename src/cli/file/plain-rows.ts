import { isUtf8 } from "node:buffer";
import { BankcheckError } from "../../client/errors.ts";
import { endedEarly, otherAnswer, type RequestSender, type StreamedBody } from "../../client/sender.ts";
import { CsvScanner } from "../../pool/stream/csv-scan.ts";
import { RowKind } from "../../pool/stream/row-scan.ts";
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
 * Passes rows of CSV through to the service, which reads them and answers with the rows of the output.
 *
 * Only for rows that the service reads exactly as this command does: UTF-8 whose rows end as those of the
 * file do, none of which has too many fields.
 */
interface PassThrough {
  readonly find: FindPlainRows;
  /** Resolves with undefined if this command must read the rows after all. */
  check(rows: PlainRows, signal: AbortSignal): Promise<CheckedRows | undefined>;
}

/** Returns the pass-through for a file; undefined if this command must read all of its rows. */
export function passThrough(
  sender: RequestSender,
  layout: Layout,
  request: FileRequest,
): PassThrough | undefined {
  const [number, ...others] = layout.numbers;
  const { format = layout.format, only, badRows } = request;
  const isCsv = layout.format === "csv" && format === "csv" && layout.encoding !== "latin-1";
  const isAll = only === undefined && badRows.kind !== "stop" && others.length === 0;
  if (!isCsv || !isAll || number === undefined || (number.kind === "iban" && number.bic !== undefined))
    return undefined;
  const scanner = number.kind === "iban" ? CsvScanner.ofRows(layout) : CsvScanner.for(layout);
  if (scanner === undefined) return undefined;
  const path = pathOf(number, layout, request);
  return {
    find: (bytes) => findPlain(bytes, scanner, layout),
    check: async (rows, signal) => {
      const answer = new RowsAnswer(rows.bytes);
      try {
        return await sender.send({ path, body: answer, signal, read: () => answer.checked(rows) });
      } catch (error) {
        if (error instanceof BankcheckError && error.code === "invalid_request") return undefined;
        throw error;
      }
    },
  };
}

function pathOf(number: CheckedNumber, { dialect }: Layout, request: FileRequest): string {
  const columns =
    number.kind === "iban"
      ? { column: String(number.iban + 1) }
      : { kontonummer_column: String(number.kontonummer + 1), blz_column: String(number.blz + 1) };
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

/** Matches text that would have another meaning at the beginning of a file. */
const notFirst = /^(sep=|\u00ef\u00bb\u00bf)/i;
const lineFeed = 0x0a;
const hash = 0x23;

function findPlain(
  bytes: Buffer<ArrayBuffer>,
  scanner: CsvScanner,
  { dialect }: Layout,
): PlainRows | undefined {
  const end = bytes.lastIndexOf(lineFeed) + 1;
  const isCrLf = dialect.lineBreak === "\r\n";
  const whole = bytes.subarray(0, end);
  if (notFirst.test(bytes.toString("latin1", 0, 4)) || whole.includes(0) || !isUtf8(whole)) return undefined;
  if (!isCrLf && whole.includes("\r")) return undefined;
  let at = 0;
  let rows = 0;
  let filled = 0;
  let lines = 0;
  for (let isPlain = true; isPlain && at < end; ) {
    const table = scanner.scan(bytes, at, end, 0, true);
    isPlain = table.count > 0;
    for (let row = 0; row < table.count; row++) {
      const kind = table.kind[row]!;
      const missing = table.missing[row]!;
      // The service takes the width of the first row for that of all.
      if (kind === RowKind.other || (kind !== RowKind.empty && filled === 0 && missing !== 0)) {
        isPlain = false;
        break;
      }
      if (kind !== RowKind.empty) filled++;
      rows++;
      lines += table.lines[row]!;
      at = table.after[row]!;
    }
  }
  return filled === 0 ? undefined : { bytes: bytes.subarray(0, at), rows, filled, lines };
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
  readonly #body: Uint8Array;
  #parts: Uint8Array[] = [];

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  begin(): Uint8Array {
    this.#parts = [];
    return this.#body;
  }

  readonly take = (bytes: Uint8Array): boolean => {
    this.#parts.push(bytes);
    return false;
  };

  /** Whether it may be the beginning of an answer: of the first row, or of how a stream ends before it. */
  #mayBegin(answer: Buffer): boolean {
    const length = Math.min(answer.length, Math.max(0, this.#body.indexOf(lineFeed) - 1));
    return answer[0] === hash || answer.subarray(0, length).equals(this.#body.subarray(0, length));
  }

  /** Throws a BankcheckError if the answer is cut off, or is not that of the service. */
  checked({ filled }: PlainRows): CheckedRows | undefined {
    const answer = Buffer.concat(this.#parts);
    this.#parts = [];
    const rows = answer.lastIndexOf("\n", answer.length - 2) + 1;
    const { summary } = endOf(answer.toString("latin1", rows));
    if (summary === undefined && !this.#mayBegin(answer)) throw otherAnswer();
    if (summary === undefined || summary.next_line !== undefined) throw endedEarly();
    const { lines, valid, invalid, errors, reasons } = summary;
    if (errors > 0 || lines !== filled) return undefined;
    return { bytes: answer.subarray(0, rows), counts: { rows: lines, valid, invalid, bad: 0, reasons } };
  }
}

function endOf(text: string): AnswerEnd {
  try {
    return text.startsWith("# ") ? (JSON.parse(text.slice(2)) as AnswerEnd) : {};
  } catch {
    return {};
  }
}
