import type { Hash } from "node:crypto";
import type { Checked, OutputRow } from "../../rows/render.ts";
import {
  InputError,
  lineEnd,
  linesOf,
  maxRowBytes,
  type Row,
  type RowParser,
  shifted,
  type TakeRow,
  wrongQuotes,
} from "../../rows/rows.ts";
import { badRow } from "../../rows/verdict.ts";
import type { RowCounts } from "./run-state.ts";

/** Rows that are checked together. */
export interface Block {
  /** Number of the first row in the file, from 1, without the header. */
  readonly firstRow: number;
  readonly rows: readonly Row[];
  /** Where the next block begins in the file, and the number of its first line. */
  readonly end: number;
  readonly nextLine: number;
  /** Digest of everything before the next block, yet to be finished. */
  readonly prefix: Hash;
}

/** Where reading begins: at the first row, or where an interrupted run is continued. */
export interface Position {
  readonly offset: number;
  readonly row: number;
  readonly line: number;
}

/** Rows of a block: what a batch may carry, or as many lines of a stream as keep it busy while the next one comes. */
export const blockRows = { batch: 500, stream: 2_000 } as const;

/** Blocks of long rows are cut where they are beyond this many bytes, so that their number bounds the memory. */
const blockBytes = 262_144;

/**
 * Cuts text into blocks of a fixed number of rows, or fewer where they are long; the same text has the same blocks from each block's end
 * on.
 *
 * @param chunks the text from `begin` on.
 * @param prefix digest of everything before; it takes up what is read.
 * @param isStopping whether a row that cannot be read begins a block, so that all rows before it are in blocks of their own.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Buffer>,
  parser: RowParser,
  begin: Position,
  prefix: Hash,
  maxRows: number,
  isStopping = false,
): AsyncGenerator<Block, void, void> {
  let { offset, row: firstRow, line } = begin;
  let blockBegin = offset;
  let rest = "";
  let rows: Row[] = [];
  let ready: Block[] = [];
  const parse = (text: string, isLast: boolean) => {
    let digested = 0;
    const digest = (end: number) => {
      prefix.update(text.slice(digested, end), "latin1");
      digested = end;
    };
    const close = (end: number) => {
      digest(end);
      blockBegin = offset + end;
      ready.push({ firstRow, rows, end: blockBegin, nextLine: line, prefix: prefix.copy() });
      firstRow += rows.length;
      rows = [];
    };
    const take: TakeRow = (fields, from, to, next, fault) => {
      const own = text.slice(from, to);
      if (isStopping && fault !== undefined && rows.length > 0) close(from);
      rows.push(
        fault === undefined ? { text: own, fields } : { text: own, fields, fault: { line, message: fault } },
      );
      line += linesOf(own);
      if (rows.length === maxRows || offset + next - blockBegin >= blockBytes) close(next);
    };
    let consumed = parser.parse(text, isLast, take);
    while (text.length - consumed > maxRowBytes) {
      const next = text.indexOf("\n", consumed) + 1;
      if (next === 0) throw tooLong(line);
      take([], consumed, lineEnd(text, consumed, next), next, wrongQuotes);
      consumed = next + parser.parse(text.slice(next), isLast, shifted(take, next));
    }
    if (isLast && rows.length > 0) close(consumed);
    else digest(consumed);
    rest = text.slice(consumed);
    offset += consumed;
  };
  for await (const chunk of chunks) {
    parse(rest + chunk.toString("latin1"), false);
    yield* ready;
    ready = [];
  }
  parse(rest, true);
  yield* ready;
}

function tooLong(line: number): InputError {
  return new InputError(`Line ${line} is longer than 1 MB; a quote in it may not have been closed.`);
}

/** Rows of a block as they are written, and counted. */
export interface WrittenRows {
  readonly written: readonly OutputRow[];
  /** The rows that go to the file of rejected ones, as they are in the input. */
  readonly rejected: string;
  readonly counts: RowCounts;
}

/** Whether a row can be read and is not empty, so that it is checked. */
export function isChecked({ fields, fault }: Row): boolean {
  return fields.length > 0 && fault === undefined;
}

/** Counts rows by their result, and chooses those that are written. */
export function writtenRows(
  rows: readonly Row[],
  checked: readonly Checked[],
  { rejects, only }: { readonly rejects: boolean; readonly only: "valid" | "invalid" | undefined },
): WrittenRows {
  const written: OutputRow[] = [];
  const reasons: Record<string, number> = {};
  let rejected = "";
  let valid = 0;
  let bad = 0;
  let places = 0;
  for (const row of rows) {
    if (row.fault !== undefined) {
      bad++;
      count(reasons, badRow);
      if (rejects) rejected += `${row.text}\n`;
      else if (only !== "valid") written.push({ row, place: undefined });
      continue;
    }
    if (row.fields.length === 0) {
      if (only === undefined) written.push({ row, place: undefined });
      continue;
    }
    const place = places++;
    const isValid = isAllValid(checked, place);
    if (isValid) valid++;
    else for (const { verdicts } of checked) countReason(reasons, verdicts[place]!);
    if (only === undefined || (only === "valid") === isValid) written.push({ row, place });
  }
  const all = places + bad;
  return { written, rejected, counts: { rows: all, valid, invalid: all - valid, bad, reasons } };
}

function isAllValid(checked: readonly Checked[], place: number): boolean {
  for (let number = 0; number < checked.length; number++) {
    if (!checked[number]!.verdicts[place]!.valid) return false;
  }
  return true;
}

function countReason(
  reasons: Record<string, number>,
  { valid, reason, status }: Checked["verdicts"][number],
): void {
  if (!valid) count(reasons, reason === "" ? `status_${status}` : reason);
}

function count(reasons: Record<string, number>, reason: string): void {
  reasons[reason] = (reasons[reason] ?? 0) + 1;
}

/** Adds up the counts of rows. */
export function sum(one: RowCounts, other: RowCounts): RowCounts {
  const reasons = { ...one.reasons };
  for (const [reason, times] of Object.entries(other.reasons))
    reasons[reason] = (reasons[reason] ?? 0) + times;
  return {
    rows: one.rows + other.rows,
    valid: one.valid + other.valid,
    invalid: one.invalid + other.invalid,
    bad: one.bad + other.bad,
    reasons,
  };
}
