import type { Hash } from "node:crypto";
import { InputError } from "../input/input-error.ts";

/**
 * One row of the input.
 *
 * All text of the input is held with one character for each byte, so that places in it are places in the file.
 */
export interface Row {
  /** The row as it stands in the file, without its line break. */
  readonly text: string;
  /** Its fields in the order of the columns; none for an empty line and for a row that cannot be read. */
  readonly fields: readonly string[];
  /** Why the row cannot be read. */
  readonly fault?: RowFault;
}

/** Why a row cannot be read. */
export interface RowFault {
  /** Number of its line in the input, from 1. */
  readonly line: number;
  readonly message: string;
}

/** Told of each row: its fields, where it begins and ends in the text, where the next one begins, and what is wrong. */
export type TakeRow = (
  fields: readonly string[],
  begin: number,
  end: number,
  next: number,
  fault?: string,
) => void;

/** Finds the rows of a format in text. */
export interface RowParser {
  /**
   * Finds all whole rows, and where the text is the last also one that no line break ends; returns where the rest
   * begins. A row that cannot be read ends with its line.
   */
  parse(text: string, isLast: boolean, take: TakeRow): number;
}

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

/** Rows of a block: what one request may carry. */
export const blockRows = 500;

/** Blocks of long rows are cut where they are beyond this many bytes, so that their number bounds the memory. */
const blockBytes = 262_144;

/** A row beyond this many bytes is taken for a quote that nobody closed. */
export const maxRowBytes = 1_048_576;

/**
 * Cuts text into blocks of 500 rows, or fewer that are long; the same text has the same blocks from each block's end on.
 *
 * @param chunks the text from `begin` on.
 * @param prefix digest of everything before; it takes up what is read.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Buffer>,
  parser: RowParser,
  begin: Position,
  prefix: Hash,
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
      rows.push(
        fault === undefined ? { text: own, fields } : { text: own, fields, fault: { line, message: fault } },
      );
      line += linesOf(own);
      if (rows.length === blockRows || offset + next - blockBegin >= blockBytes) close(next);
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

/** What is wrong with a row that does not end, or has text after a closing quote. */
export const wrongQuotes = "its quotes are wrong";

/** Where the line ends that the next one follows, without its line break. */
export function lineEnd(text: string, begin: number, next: number): number {
  let end = next;
  if (end > begin && text[end - 1] === "\n") end--;
  if (end > begin && text[end - 1] === "\r") end--;
  return end;
}

/** Hands on the rows of text that begins `by` characters later. */
export function shifted(take: TakeRow, by: number): TakeRow {
  return (fields, begin, end, next, fault) => take(fields, begin + by, end + by, next + by, fault);
}

/** Only quoted fields go over several lines. */
function linesOf(row: string): number {
  let lines = 1;
  if (!row.includes('"')) return lines;
  for (let at = row.indexOf("\n"); at >= 0; at = row.indexOf("\n", at + 1)) lines++;
  return lines;
}

function tooLong(line: number): InputError {
  return new InputError(`Line ${line} is longer than 1 MB; a quote in it may not have been closed.`);
}
