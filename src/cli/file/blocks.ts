import type { Hash } from "node:crypto";
import { message, textOf } from "../../contract/message.ts";
import { InputError, maxRowBytes, type Row, type RowFault, type RowFinder } from "../../rows/rows.ts";

/** Rows that are checked together. */
export interface RowBlock {
  readonly rows: readonly (Row & { readonly count: number })[];
  /** The fields to check of all rows that have fields, one character for each byte. */
  readonly fields: readonly string[];
  readonly next: Position;
  /** SHA-256 of everything before the next block, in hexadecimal digits. */
  readonly prefix: string;
}

/** Where a row begins in the file: its number, from 1 and without the header, and the number of its line. */
export interface Position {
  readonly offset: number;
  readonly row: number;
  readonly line: number;
}

export interface FindRows {
  readonly finder: RowFinder;
  /** The columns whose fields are checked. */
  readonly columns: readonly number[];
  /** Whether rows keep all of their fields. */
  readonly keepsFields: boolean;
  /** Whether a row that cannot be read ends the rows with an InputError. */
  readonly isStopping?: boolean;
}

/** How much of a line is kept that is longer than a row may be. */
const keptBytes = 1_000;

/** A row takes a hundred bytes of memory, however short: what a quote without an end has held back may be a million rows. */
const maxBlockRows = 16_384;

/**
 * Cuts text into blocks: the whole rows of each chunk, at most 16,384 in a block.
 *
 * @param chunks the text from `begin` on.
 * @param prefix digest of everything before; it takes up what is read.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Buffer>,
  { finder, columns, keepsFields, isStopping = false }: FindRows,
  begin: Position,
  prefix: Hash,
): AsyncGenerator<RowBlock, void, void> {
  const next = { ...begin };
  let rows: RowBlock["rows"][number][] = [];
  let fields: string[] = [];
  /** The beginning of a row whose end has not come. */
  let rest: Buffer = Buffer.alloc(0);
  /** The beginning of a line that is too long, while its end is looked for. */
  let longLine: string | undefined;

  const add = (row: Pick<Row, "text" | "fields">, count: number, faultOf: RowFault | undefined) => {
    const fault = faultOf?.(next.line);
    if (fault !== undefined && isStopping)
      throw new InputError(`${textOf(fault, "en")} Fix it, or let --bad-rows keep or reject such rows.`);
    rows.push({ ...row, count, fault });
  };
  const pass = (bytes: Buffer) => {
    prefix.update(bytes);
    next.offset += bytes.length;
  };
  /** Ends a block with bytes, which must be those that follow the last one. */
  const endBlock = (bytes: Buffer): RowBlock => {
    pass(bytes);
    next.row += rows.length;
    const block = { rows, fields, next: { ...next }, prefix: prefix.copy().digest("hex") };
    [rows, fields] = [[], []];
    return block;
  };
  const endLongLine = (beginning: string): RowBlock => {
    const kept = keptBytes.toLocaleString("en");
    add({ text: beginning, fields: [] }, 0, (line) => message("row_cut", { line, kept }));
    next.line++;
    longLine = undefined;
    return endBlock(Buffer.alloc(0));
  };
  /** Cuts the whole rows off bytes, and returns what is left of them. */
  function* cut(bytes: Buffer, isLast: boolean): Generator<RowBlock, Buffer, void> {
    const text = bytes.toString("latin1");
    let from = 0;
    let at = 0;
    while (at < bytes.length && finder.scan(bytes, at, bytes.length, isLast)) {
      const { end, count, fault } = finder;
      const isStop = isStopping && fault !== undefined && at > from;
      if (isStop || rows.length === maxBlockRows) {
        yield endBlock(bytes.subarray(from, at));
        from = at;
      }
      add({ text: text.slice(at, end), fields: keepsFields ? finder.fields(text) : [] }, count, fault);
      if (count > 0) for (const column of columns) fields.push(finder.field(text, column));
      next.line += finder.lines;
      at = finder.next;
    }
    if (at > from) yield endBlock(bytes.subarray(from, at));
    return bytes.subarray(at);
  }

  for await (const chunk of chunks) {
    let own = chunk;
    if (longLine !== undefined) {
      const begin = chunk.indexOf(finder.lineBreak) + 1;
      own = begin === 0 ? Buffer.alloc(0) : chunk.subarray(begin);
      pass(chunk.subarray(0, chunk.length - own.length));
      if (begin > 0) yield endLongLine(longLine);
    }
    rest = yield* cut(rest.length === 0 ? own : Buffer.concat([rest, own]), false);
    if (rest.length <= maxRowBytes) continue;
    // A character of UTF-8 is not cut.
    longLine = rest.toString("latin1", 0, keptBytes).replace(/[\u00c0-\u00ff][\u0080-\u00bf]*$/, "");
    pass(rest);
    rest = Buffer.alloc(0);
  }
  if (longLine !== undefined) yield endLongLine(longLine);
  yield* cut(rest, true);
}
