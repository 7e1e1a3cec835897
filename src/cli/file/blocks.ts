import { createHash, type Hash } from "node:crypto";
import {
  lineEnd,
  linesOf,
  maxRowBytes,
  type Row,
  type RowParser,
  shifted,
  type TakeRow,
  wrongQuotes,
} from "../../rows/rows.ts";

/** Rows that are checked together. */
export interface RowBlock {
  /** Number of the first row after the block in the file, from 1, without the header. */
  readonly nextRow: number;
  /** The rows that were read; none if the block is plain. */
  readonly rows: readonly Row[];
  readonly plain?: PlainRows;
  /** Where the next block begins in the file, and the number of its first line. */
  readonly end: number;
  readonly nextLine: number;
  /** Digest of everything before the next block, yet to be finished. */
  readonly prefix: Hash;
}

/** Whole rows whose fields are found without reading them. */
export interface PlainRows {
  /** The rows as they are in the file. */
  readonly bytes: Buffer<ArrayBuffer>;
  /** The request body: for each row that is not empty its number and the fields to check, as a row of CSV. */
  readonly asked: Buffer;
  /** Four numbers for each row: where it begins and ends, how many fields it lacks, and where its question ends. */
  readonly places: Int32Array;
  /** How many rows there are, how many of them are not empty, and how many lines they take. */
  readonly rows: number;
  readonly filled: number;
  readonly lines: number;
}

/** Finds the plain rows that bytes begin with; undefined if the first row is not plain, or not whole. */
export type FindPlainRows = (bytes: Buffer<ArrayBuffer>) => PlainRows | undefined;

/** Where reading begins: at the first row, or where an interrupted run is continued. */
export interface Position {
  readonly offset: number;
  readonly row: number;
  readonly line: number;
}

/** Options for cutting text into blocks. */
interface BlockOptions {
  /** Whether a row that cannot be read begins a block, so that all rows before it are in separate blocks. */
  readonly isStopping?: boolean;
  /** Undefined if every row must be read. */
  readonly findPlain?: FindPlainRows | undefined;
}

/** How many rows of a block are read at most: as many lines of a stream as keep it busy while the next one comes. */
const maxReadRows = 2_000;

/** Blocks of long rows are cut where they are beyond this many bytes, so that their number bounds the memory. */
const blockBytes = 262_144;

/** How much of a line is kept that is longer than a row may be. */
const keptBytes = 1_000;

/**
 * Cuts text into blocks: plain rows as they come, and 2,000 rows that are read, or fewer that are long.
 *
 * @param chunks the text from `begin` on; a block of plain rows is about as long as a chunk.
 * @param prefix digest of everything before; it takes up what is read.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Buffer>,
  parser: RowParser,
  begin: Position,
  prefix: Hash,
  options: BlockOptions = {},
): AsyncGenerator<RowBlock, void, void> {
  const cutter = new BlockCutter(parser, begin, prefix, options);
  for await (const chunk of chunks) yield* cutter.add(chunk as Buffer<ArrayBuffer>);
  yield* cutter.end();
}

class BlockCutter {
  readonly #parser: RowParser;
  readonly #prefix: Hash;
  readonly #isStopping: boolean;
  readonly #findPlain: FindPlainRows | undefined;
  /** Up to where blocks are cut, and where the rest begins that holds no whole row. */
  #blockBegin: number;
  #offset: number;
  #rest: Buffer<ArrayBuffer> = Buffer.alloc(0);
  #line: number;
  #nextRow: number;
  #rows: Row[] = [];
  #ready: RowBlock[] = [];
  /** The beginning of a line that is too long, while its end is looked for. */
  #longLine: string | undefined;

  constructor(
    parser: RowParser,
    { offset, row, line }: Position,
    prefix: Hash,
    { isStopping = false, findPlain }: BlockOptions,
  ) {
    this.#parser = parser;
    this.#prefix = prefix;
    this.#isStopping = isStopping;
    this.#findPlain = findPlain;
    this.#blockBegin = offset;
    this.#offset = offset;
    this.#nextRow = row;
    this.#line = line;
  }

  add(chunk: Buffer<ArrayBuffer>): readonly RowBlock[] {
    const own = this.#longLine === undefined ? chunk : this.#afterLongLine(chunk);
    const bytes = this.#rest.length === 0 ? own : Buffer.concat([this.#rest, own]);
    const plain = this.#findPlain?.(bytes);
    if (plain === undefined) this.#read(bytes, false);
    else this.#takePlain(bytes, plain);
    return this.#taken();
  }

  end(): readonly RowBlock[] {
    if (this.#longLine !== undefined) this.#takeLongLine();
    this.#read(this.#rest, true);
    if (this.#rows.length > 0) this.#close();
    return this.#taken();
  }

  #taken(): readonly RowBlock[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** Passes over bytes, which must be those that follow. */
  #pass(bytes: Buffer): void {
    this.#prefix.update(bytes);
    this.#offset += bytes.length;
  }

  /** Ends a block where the bytes end that were passed over. */
  #close(plain?: PlainRows): void {
    this.#nextRow += plain?.rows ?? this.#rows.length;
    const [nextRow, end, nextLine] = [this.#nextRow, this.#offset, this.#line];
    const own = { nextRow, rows: this.#rows, end, nextLine, prefix: this.#prefix.copy() };
    this.#ready.push(plain === undefined ? own : { ...own, plain });
    this.#blockBegin = end;
    this.#rows = [];
  }

  #takePlain(bytes: Buffer<ArrayBuffer>, plain: PlainRows): void {
    if (this.#rows.length > 0) this.#close();
    this.#pass(plain.bytes);
    this.#line += plain.lines;
    this.#close(plain);
    this.#rest = bytes.subarray(plain.bytes.length);
  }

  #read(bytes: Buffer<ArrayBuffer>, isLast: boolean): void {
    const text = bytes.toString("latin1");
    let passed = 0;
    const passTo = (end: number) => {
      this.#pass(bytes.subarray(passed, end));
      passed = end;
    };
    const take: TakeRow = (fields, from, to, next, fault) => {
      if (this.#isStopping && fault !== undefined && this.#rows.length > 0) {
        passTo(from);
        this.#close();
      }
      this.#push(text.slice(from, to), fields, fault);
      const length = this.#offset - passed + next - this.#blockBegin;
      if (this.#rows.length < maxReadRows && length < blockBytes) return;
      passTo(next);
      this.#close();
    };
    let consumed = this.#parser.parse(text, isLast, take);
    while (text.length - consumed > maxRowBytes) {
      const next = text.indexOf(this.#parser.lineBreak, consumed) + 1;
      if (next === 0) {
        passTo(consumed);
        if (this.#isStopping && this.#rows.length > 0) this.#close();
        // A character of UTF-8 is not cut.
        this.#longLine = text
          .slice(consumed, consumed + keptBytes)
          .replace(/[\u00c0-\u00ff][\u0080-\u00bf]*$/, "");
        consumed = text.length;
        break;
      }
      take([], consumed, lineEnd(text, consumed, next), next, wrongQuotes);
      consumed = next + this.#parser.parse(text.slice(next), isLast, shifted(take, next));
    }
    passTo(consumed);
    this.#rest = bytes.subarray(consumed);
  }

  #push(text: string, fields: readonly string[], fault: string | undefined): void {
    const row = { text, fields };
    this.#rows.push(fault === undefined ? row : { ...row, fault: { line: this.#line, message: fault } });
    this.#line += linesOf(text);
  }

  /** Passes over the rest of a line that is too long; returns what follows it. */
  #afterLongLine(chunk: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
    const next = chunk.indexOf(this.#parser.lineBreak) + 1;
    const end = next === 0 ? chunk.length : next;
    this.#pass(chunk.subarray(0, end));
    if (next > 0) this.#takeLongLine();
    return chunk.subarray(end);
  }

  #takeLongLine(): void {
    const fault = `it is longer than 1 MB; its first ${keptBytes.toLocaleString("en")} bytes are kept`;
    this.#push(this.#longLine ?? "", [], fault);
    this.#longLine = undefined;
    this.#close();
  }
}

/** Reads the rows of a block whose first line has a number. */
export function rowsOfBlock(
  { bytes, lines }: PlainRows,
  nextLine: number,
  parser: RowParser,
): readonly Row[] {
  const cutter = new BlockCutter(
    parser,
    { offset: 0, row: 1, line: nextLine - lines },
    createHash("sha256"),
    {},
  );
  return [...cutter.add(bytes), ...cutter.end()].flatMap(({ rows }) => rows);
}
