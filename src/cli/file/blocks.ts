import type { Hash } from "node:crypto";
import { type Message, message, textOf } from "../../contract/message.ts";
import { InputError, maxRowBytes, type Row, type RowFault, type RowFinder } from "../../rows/rows.ts";

/** A row as it is in the file but for its line break; its fields are only found where they are wanted. */
export class BlockRow implements Row {
  readonly text: string;
  readonly count: number;
  readonly fault?: Message;
  readonly #finder: RowFinder;

  constructor(finder: RowFinder, text: string, count: number, fault?: Message) {
    this.#finder = finder;
    this.text = text;
    this.count = count;
    if (fault !== undefined) this.fault = fault;
  }

  get fields(): readonly string[] {
    if (this.count === 0) return [];
    const bytes = Buffer.from(this.text, "latin1");
    this.#finder.scan(bytes, 0, bytes.length, true);
    return this.#finder.fields(this.text);
  }
}

/** Rows that are checked together. */
export interface RowBlock {
  readonly rows: readonly BlockRow[];
  /** The fields to check of all rows that have fields, one character for each byte. */
  readonly fields: readonly string[];
  /** Where the next block begins. */
  readonly next: Position;
  /** Digest of everything before the next block, yet to be finished. */
  readonly prefix: Hash;
}

/** Where a row begins in the file: its number, from 1 and without the header, and the number of its line. */
export interface Position {
  readonly offset: number;
  readonly row: number;
  readonly line: number;
}

/** How the rows of a file are found. */
export interface FindRows {
  readonly finder: RowFinder;
  /** The columns whose fields are checked. */
  readonly columns: readonly number[];
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
  rows: FindRows,
  begin: Position,
  prefix: Hash,
): AsyncGenerator<RowBlock, void, void> {
  const cutter = new BlockCutter(rows, begin, prefix);
  for await (const chunk of chunks) yield* cutter.add(chunk);
  yield* cutter.end();
}

class BlockCutter {
  readonly #rows: FindRows;
  readonly #prefix: Hash;
  #offset: number;
  #line: number;
  #nextRow: number;
  #block: BlockRow[] = [];
  #fields: string[] = [];
  /** The beginning of a row whose end has not come. */
  #rest: Buffer = Buffer.alloc(0);
  /** The beginning of a line that is too long, while its end is looked for. */
  #longLine: string | undefined;

  constructor(rows: FindRows, { offset, row, line }: Position, prefix: Hash) {
    this.#rows = rows;
    this.#prefix = prefix;
    this.#offset = offset;
    this.#nextRow = row;
    this.#line = line;
  }

  *add(chunk: Buffer): Generator<RowBlock, void, void> {
    const own = this.#longLine === undefined ? chunk : yield* this.#afterLongLine(chunk);
    yield* this.#read(this.#rest.length === 0 ? own : Buffer.concat([this.#rest, own]), false);
  }

  *end(): Generator<RowBlock, void, void> {
    if (this.#longLine !== undefined) yield this.#takeLongLine(this.#longLine);
    yield* this.#read(this.#rest, true);
  }

  *#read(bytes: Buffer, isLast: boolean): Generator<RowBlock, void, void> {
    const { finder, columns, isStopping } = this.#rows;
    const text = bytes.toString("latin1");
    let begin = 0;
    let at = 0;
    while (at < bytes.length && finder.scan(bytes, at, bytes.length, isLast)) {
      const { end, count, fault } = finder;
      const isStop = isStopping === true && fault !== undefined && at > begin;
      if (isStop || this.#block.length === maxBlockRows) {
        yield this.#close(bytes.subarray(begin, at));
        begin = at;
        // Others have used the finder in the meantime.
        continue;
      }
      this.#push(text.slice(at, end), count, fault);
      if (count > 0) for (const column of columns) this.#fields.push(finder.field(text, column));
      this.#line += finder.lines;
      at = finder.next;
    }
    if (at > begin) yield this.#close(bytes.subarray(begin, at));
    this.#rest = bytes.subarray(at);
    if (this.#rest.length > maxRowBytes) this.#beginLongLine(text.slice(at, at + keptBytes));
  }

  #push(text: string, count: number, faultOf: RowFault | undefined): void {
    const fault = faultOf?.(this.#line);
    if (fault !== undefined && this.#rows.isStopping === true)
      throw new InputError(`${textOf(fault, "en")} Fix it, or let --bad-rows keep or reject such rows.`);
    this.#block.push(new BlockRow(this.#rows.finder, text, count, fault));
  }

  /** Ends a block with bytes, which must be those that follow the last one. */
  #close(bytes: Buffer): RowBlock {
    this.#pass(bytes);
    const [rows, fields] = [this.#block, this.#fields];
    this.#nextRow += rows.length;
    const next = { offset: this.#offset, row: this.#nextRow, line: this.#line };
    this.#block = [];
    this.#fields = [];
    return { rows, fields, next, prefix: this.#prefix.copy() };
  }

  #pass(bytes: Buffer): void {
    this.#prefix.update(bytes);
    this.#offset += bytes.length;
  }

  #beginLongLine(begin: string): void {
    // A character of UTF-8 is not cut.
    this.#longLine = begin.replace(/[\u00c0-\u00ff][\u0080-\u00bf]*$/, "");
    this.#pass(this.#rest);
    this.#rest = Buffer.alloc(0);
  }

  /** Passes over the rest of a line that is too long; returns what follows it. */
  *#afterLongLine(chunk: Buffer): Generator<RowBlock, Buffer, void> {
    const next = chunk.indexOf(this.#rows.finder.lineBreak) + 1;
    const end = next === 0 ? chunk.length : next;
    this.#pass(chunk.subarray(0, end));
    if (next > 0) yield this.#takeLongLine(this.#longLine!);
    return chunk.subarray(end);
  }

  #takeLongLine(begin: string): RowBlock {
    const kept = keptBytes.toLocaleString("en");
    this.#push(begin, 0, (line) => message("row_cut", { line, kept }));
    this.#line++;
    this.#longLine = undefined;
    return this.#close(Buffer.alloc(0));
  }
}
