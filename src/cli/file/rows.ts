import { InputError } from "./input-error.ts";

/**
 * One row of the input.
 *
 * All text of the input is held with one character for each byte, so that places in it are places in the file.
 */
export interface Row {
  /** The row as it stands in the file, without its line break. */
  readonly text: string;
  /** Its fields in the order of the columns; none for an empty line. */
  readonly fields: readonly string[];
}

/** Told of each row: its fields, where it begins and ends in the text, and where the next one begins. */
export type TakeRow = (fields: readonly string[], begin: number, end: number, next: number) => void;

/** Finds the rows of a format in text. */
export interface RowParser {
  /** Finds all whole rows, and where the text is the last also one that no line break ends; gives where the rest begins. */
  parse(text: string, isLast: boolean, take: TakeRow): number;
}

/** Rows that are checked together. */
export interface Block {
  /** Number of the first row in the file, from 1, without the header. */
  readonly firstRow: number;
  readonly rows: readonly Row[];
  /** Where the next block begins in the file. */
  readonly end: number;
}

/** Where reading begins: at the first row, or where an interrupted run is continued. */
export interface Position {
  readonly offset: number;
  readonly row: number;
}

/** Rows of a block: what one request may carry. */
export const blockRows = 500;

/** Blocks of long rows are cut where they are beyond this many bytes, so that their number bounds the memory. */
const blockBytes = 262_144;

/** A row beyond this many bytes is taken for a quote that nobody closed. */
const longestRow = 1_048_576;

/** Cuts chunks of a file into blocks of 500 rows, or fewer that are long; the same file gives the same blocks from each block's end on. */
export async function* blocksOf(
  chunks: AsyncIterable<Buffer>,
  parser: RowParser,
  begin: Position,
): AsyncGenerator<Block, void, void> {
  let { offset, row: firstRow } = begin;
  let blockBegin = offset;
  let rest = "";
  let rows: Row[] = [];
  let ready: Block[] = [];
  const close = (end: number) => {
    ready.push({ firstRow, rows, end });
    firstRow += rows.length;
    rows = [];
    blockBegin = end;
  };
  const parse = (text: string, isLast: boolean) => {
    const consumed = parser.parse(text, isLast, (fields, from, to, next) => {
      rows.push({ text: text.slice(from, to), fields });
      const end = offset + next;
      if (rows.length === blockRows || end - blockBegin >= blockBytes) close(end);
    });
    rest = text.slice(consumed);
    offset += consumed;
  };
  for await (const chunk of chunks) {
    parse(rest + chunk.toString("latin1"), false);
    if (rest.length > longestRow) {
      throw new InputError(
        `Row ${firstRow + rows.length} is longer than 1 MB; a quote in it may not have been closed.`,
      );
    }
    yield* ready;
    ready = [];
  }
  if (rest !== "") parse(rest, true);
  if (rows.length > 0) close(offset);
  yield* ready;
}
