import { isUtf8 } from "node:buffer";
import { KONTONUMMER_LENGTH } from "../../banking/germany/account.ts";
import type { RowTable } from "../../kernel/row-table.ts";
import { ROW_OTHER, TABLE_ROWS } from "../../kernel/table-layout.ts";
import type { ReadRow } from "./read-row.ts";

/** A longer number is read field by field. */
const maxNumberLength = 64;
/** A text that `copyIban` copies. */
const copyable = /^[ !#-[\]-~]{0,64}$/;
/** Rows that are read together: a block that ends before them has read them in vain. */
const maxRead = 32;
/** More than the copies of a row take. */
const maxCopied = 1_024;

const [lineFeed, space, digit0, digit9] = [0x0a, 0x20, 0x30, 0x39];

/** Normal form of the characters of a number: 0 for those that it may not have, 1 for a space, which is left out. */
function normalForm(mayHave: (character: string) => boolean): Uint8Array {
  const forms = Uint8Array.from({ length: 256 }, (_, code) => {
    const character = String.fromCharCode(code);
    return mayHave(character) ? character.toUpperCase().charCodeAt(0) : 0;
  });
  forms[space] = 1;
  return forms;
}

/** Letters and digits; printable ASCII that JSON does not escape. */
export const alphanumeric = normalForm((character) => /[0-9A-Za-z]/.test(character));
export const printable = normalForm((character) => /[!#-[\]-~]/.test(character));

/**
 * Finds rows by their bytes, without making objects of the regular ones, which nearly all are; reads the others field by
 * field.
 */
export abstract class RowScanner {
  protected readonly table: RowTable;
  protected readonly readsAll: boolean;
  protected bytes: Buffer = Buffer.alloc(0);
  protected length = 0;
  protected isLast = false;
  /** Where the last line break ends, or the body. */
  protected limit = 0;
  readonly #lineBreak: number;
  /** Whether bytes beyond ASCII are UTF-8. */
  #isUtf8 = false;
  /** By row: what was read of one that is not regular, and how many of its numbers were copied. */
  readonly #read: (ReadRow | undefined)[] = [];

  /**
   * @param lineBreak the last character of a line break.
   * @param readsAll whether no row counts as regular.
   */
  constructor(table: RowTable, lineBreak: string, readsAll: boolean) {
    this.table = table;
    this.readsAll = readsAll;
    this.#lineBreak = lineBreak.charCodeAt(0);
  }

  /** Takes a block, the first `length` of some bytes; there is room for one more. Call it before `scan`. */
  open(bytes: Buffer, length: number, isLast: boolean): void {
    this.bytes = bytes;
    this.length = length;
    this.isLast = isLast;
    this.limit = isLast ? length : bytes.subarray(0, length).lastIndexOf(this.#lineBreak) + 1;
    this.#isUtf8 = isUtf8(bytes.subarray(0, this.limit));
    // The last line ends like the others.
    bytes[length] = lineFeed;
  }

  /** Fills the table with rows from `begin` on, and copies their IBANs to `ibans` and what follows. `line` is that of the first. */
  scan(begin: number, ibans: number, line: number): RowTable {
    const { table } = this;
    const maxIbansEnd = this.bytes.length - maxCopied;
    let rowLine = line;
    table.count = 0;
    table.next = begin;
    table.ibans = ibans;
    table.ibansEnd = ibans;
    let read = 0;
    while (
      table.count < TABLE_ROWS &&
      read < maxRead &&
      table.next < this.length &&
      table.ibansEnd < maxIbansEnd
    ) {
      const row = table.count;
      table.begin[row] = table.next;
      table.missing[row] = 0;
      table.lines[row] = 1;
      table.numberBegin[row] = table.ibansEnd;
      table.blz[row] = -1;
      table.bicEnd[row] = table.bicBegin[row]!;
      table.idEnd[row] = 0;
      if (!this.findRow(row, table.next)) break;
      if (table.kind[row] === ROW_OTHER) {
        this.#read[row] = this.#copied(row, rowLine);
        read++;
      }
      table.next = table.after[row]!;
      rowLine += table.lines[row]!;
      table.count++;
    }
    return table;
  }

  /** What a row says, read field by field. */
  rowAt(row: number, line: number): ReadRow {
    return this.table.kind[row] === ROW_OTHER ? this.#read[row]! : this.readRow(row, line);
  }

  /** Reads a row and copies its IBANs. */
  #copied(row: number, line: number): ReadRow {
    const read = this.readRow(row, line);
    for (const number of read.numbers) {
      const { question } = number;
      if (!("iban" in question) || question.bic !== "" || !copyable.test(question.iban)) continue;
      const at = this.table.ibansEnd;
      const end = at + this.bytes.write(question.iban, at, "latin1");
      number.isCopied = this.copyIban(row, at, end, printable);
    }
    return read;
  }

  /** Records the row that begins at a place, its kind, and its number where it is regular; false if it is not whole. */
  protected abstract findRow(row: number, begin: number): boolean;

  /** Reads a row that was found, which may not be the last. */
  protected abstract readRow(row: number, line: number): ReadRow;

  /** Whether bytes that were combined by `|` can stay as they are. */
  protected isText(combined: number): boolean {
    return combined < 0x80 || this.#isUtf8;
  }

  /** Copies the IBAN at a place in normal form; returns whether it has only characters with one. */
  protected copyIban(row: number, begin: number, end: number, forms: Uint8Array): boolean {
    const { bytes, table } = this;
    if (end - begin > maxNumberLength) return false;
    let at = table.ibansEnd;
    for (let place = begin; place < end; place++) {
      const form = forms[bytes[place]!]!;
      if (form === 0) return false;
      if (form !== 1) bytes[at++] = form;
    }
    table.numberBegin[row] = table.ibansEnd;
    table.numberEnd[row] = at;
    bytes[at++] = lineFeed;
    table.ibansEnd = at;
    return true;
  }

  /** Takes back the IBAN that was copied last: the row is not regular. */
  protected dropIban(row: number): void {
    this.table.ibansEnd = this.table.numberBegin[row]!;
  }

  /** Records an account; returns whether kontonummer and bank code are digits by their form. */
  protected recordAccount(row: number, from: number, to: number, blzFrom: number, blzTo: number): boolean {
    const { bytes, table } = this;
    if (to <= from || to - from > KONTONUMMER_LENGTH || blzTo - blzFrom !== 8) return false;
    let combined = 0;
    for (let place = from; place < to; place++) {
      const byte = bytes[place]!;
      if (byte < digit0 || byte > digit9) return false;
      combined |= byte & 0x0f;
    }
    if (combined === 0) return false;
    let blz = 0;
    for (let place = blzFrom; place < blzTo; place++) {
      const byte = bytes[place]!;
      if (byte < digit0 || byte > digit9) return false;
      blz = blz * 10 + byte - digit0;
    }
    table.numberBegin[row] = from;
    table.numberEnd[row] = to;
    table.blz[row] = blz;
    return true;
  }
}
