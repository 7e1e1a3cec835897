import type { RowTable } from "../../kernel/row-table.ts";
import { ROW_EMPTY, ROW_OTHER, ROW_REGULAR } from "../../kernel/table-layout.ts";
import { byteOrderMark } from "../../rows/encoding.ts";
import { type ReadRow, readLine } from "./read-row.ts";
import { printable, RowScanner } from "./row-scan.ts";
import type { StreamInput } from "./stream-task.ts";

const [tab, lineFeed, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20];
const [quote, comma, digit0, digit9, colon] = [0x22, 0x2c, 0x30, 0x39, 0x3a];
const [backslash, openBrace, closeBrace] = [0x5c, 0x7b, 0x7d];
/** Every number of up to this many digits is as JSON writes it. */
const maxIdDigits = 15;

abstract class LineScanner extends RowScanner {
  readonly #input: StreamInput;

  constructor(table: RowTable, readsAll: boolean, input: StreamInput) {
    super(table, "\n", readsAll);
    this.#input = input;
  }

  protected override findRow(row: number, begin: number): boolean {
    if (begin >= this.limit) return false;
    if (!this.readsAll && this.isRegular(row, begin)) return true;
    this.dropIban(row);
    this.recordLine(row, this.bytes.indexOf(lineFeed, begin), ROW_OTHER);
    return true;
  }

  /** Records a row whose number its bytes alone show, or an empty one; false if it must be read by a parser. */
  protected abstract isRegular(row: number, begin: number): boolean;

  /** Records the line that ends at a line feed. */
  protected recordLine(row: number, lineFeedAt: number, kind: number): void {
    const { table, bytes } = this;
    const hasReturn = lineFeedAt > table.begin[row]! && bytes[lineFeedAt - 1] === carriageReturn;
    table.end[row] = hasReturn ? lineFeedAt - 1 : lineFeedAt;
    table.after[row] = Math.min(lineFeedAt + 1, this.limit);
    table.kind[row] = kind;
  }

  protected override readRow(row: number, line: number): ReadRow {
    const { begin, end } = this.table;
    const text = this.bytes.toString("latin1", begin[row], end[row]);
    const isMarked = line === 1 && text.startsWith(byteOrderMark);
    return readLine(isMarked ? text.slice(byteOrderMark.length) : text, this.#input);
  }
}

/** Finds the lines of text: one IBAN each. */
export class TextScanner extends LineScanner {
  protected override isRegular(row: number, begin: number): boolean {
    const { bytes, table } = this;
    let end = begin;
    while (bytes[end] !== lineFeed) end++;
    this.recordLine(row, end, ROW_REGULAR);
    if (!this.copyIban(row, begin, table.end[row]!, printable)) return false;
    if (table.numberEnd[row] === table.numberBegin[row]) {
      this.dropIban(row);
      table.kind[row] = ROW_EMPTY;
    }
    return true;
  }
}

const keys = ["id", "iban", "kontonummer", "bankleitzahl"] as const;
const keyBytes = keys.map((key) => Buffer.from(key));

/** Finds the lines of NDJSON: objects of nothing but one number and perhaps an id, as programs write them, or strings. */
export class JsonScanner extends LineScanner {
  #at = 0;
  /** By key: where its value is, a string without its quotes; 0 at the end if there is none. */
  readonly #from = new Int32Array(keys.length);
  readonly #to = new Int32Array(keys.length);

  protected override isRegular(row: number, begin: number): boolean {
    this.#at = begin;
    if (this.#endsLine()) {
      this.recordLine(row, this.#at, ROW_EMPTY);
      return true;
    }
    this.#at = begin;
    if (!this.#readLine(row)) return false;
    this.recordLine(row, this.#at, ROW_REGULAR);
    return true;
  }

  /** Reads a line and leaves the place of its line feed; false if it must be read by a parser. */
  #readLine(row: number): boolean {
    const first = this.#token();
    if (first === quote) {
      const from = this.#at;
      const to = this.#endOfString();
      if (to <= from || !this.copyIban(row, from, to, printable)) return false;
      return this.#isNumber(row) && this.#endsLine();
    }
    return first === openBrace && this.#readMembers() && this.#endsLine() && this.#noteNumber(row);
  }

  /** The next byte that is not white space, which is passed over. */
  #token(): number {
    const { bytes } = this;
    let byte = bytes[this.#at++]!;
    while (byte === space || byte === tab) byte = bytes[this.#at++]!;
    return byte;
  }

  #endsLine(): boolean {
    const byte = this.#token();
    if (byte === carriageReturn) return this.bytes[this.#at] === lineFeed;
    this.#at--;
    return byte === lineFeed;
  }

  /** Passes over a string whose quote was passed over; returns where it ends, −1 if it has what JSON escapes. */
  #endOfString(): number {
    const { bytes } = this;
    let combined = 0;
    for (let at = this.#at; ; at++) {
      const byte = bytes[at]!;
      if (byte === quote) {
        this.#at = at + 1;
        return this.isText(combined) ? at : -1;
      }
      if (byte < space || byte === backslash) return -1;
      combined |= byte;
    }
  }

  #readMembers(): boolean {
    this.#to.fill(0);
    for (;;) {
      if (this.#token() !== quote) return false;
      const key = this.#readKey();
      if (key < 0 || this.#to[key] !== 0 || this.#token() !== colon) return false;
      if (!this.#readValue(key)) return false;
      const next = this.#token();
      if (next === closeBrace) return true;
      if (next !== comma) return false;
    }
  }

  #readKey(): number {
    const { bytes } = this;
    const from = this.#at;
    const length = this.#endOfString() - from;
    return keyBytes.findIndex(
      (key) => key.length === length && key.every((byte, place) => bytes[from + place] === byte),
    );
  }

  #readValue(key: number): boolean {
    const isId = key === 0;
    const byte = this.#token();
    const from = isId || byte !== quote ? this.#at - 1 : this.#at;
    this.#from[key] = from;
    if (byte === quote) {
      const end = this.#endOfString();
      this.#to[key] = isId ? end + 1 : end;
      return end >= 0;
    }
    if (!isId || byte < digit0 || byte > digit9) return false;
    const { bytes } = this;
    let at = this.#at;
    while (bytes[at]! >= digit0 && bytes[at]! <= digit9) at++;
    this.#at = at;
    this.#to[key] = at;
    return at - from <= maxIdDigits && (byte !== digit0 || at - from === 1);
  }

  #noteNumber(row: number): boolean {
    const { table } = this;
    const [id, iban, kontonummer, blz] = [0, 1, 2, 3];
    const [from, to] = [this.#from, this.#to];
    table.idBegin[row] = from[id]!;
    table.idEnd[row] = to[id]!;
    if (to[iban] !== 0) {
      if (to[kontonummer] !== 0 || to[blz] !== 0) return false;
      return this.copyIban(row, from[iban]!, to[iban]!, printable) && this.#isNumber(row);
    }
    return this.recordAccount(row, from[kontonummer]!, to[kontonummer]!, from[blz]!, to[blz]!);
  }

  #isNumber(row: number): boolean {
    return this.table.numberEnd[row]! > this.table.numberBegin[row]!;
  }
}
