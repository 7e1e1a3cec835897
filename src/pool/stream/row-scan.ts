import { KONTONUMMER_LENGTH } from "../../banking/germany/account.ts";
import type { RowTable } from "../../kernel/row-table.ts";
import { TABLE_ROWS } from "../../kernel/table-layout.ts";

/** A longer number is read field by field. */
const maxNumberLength = 64;

/** The bytes that scanners look for. */
export const Byte = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  digit0: 0x30,
  digit9: 0x39,
  colon: 0x3a,
  backslash: 0x5c,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;
const { lineFeed, carriageReturn, space, digit0, digit9 } = Byte;

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
 * Finds rows by their bytes, as long as they are regular, without making objects of them.
 */
export abstract class RowScanner {
  protected readonly table: RowTable;
  protected bytes: Uint8Array = new Uint8Array(0);
  /** Whether bytes beyond ASCII are UTF-8. */
  #isUtf8 = false;

  constructor(table: RowTable) {
    this.table = table;
  }

  /**
   * Fills the table with rows from `begin` on, up to one that it cannot find the end of. `end` is where the last line
   * break ends; IBANs are copied to `ibans`. Rows that have numbers to be read in another way are noted as such.
   */
  scan(bytes: Uint8Array, begin: number, end: number, ibans: number, isUtf8: boolean): RowTable {
    const { table } = this;
    this.bytes = bytes;
    this.#isUtf8 = isUtf8;
    table.count = 0;
    table.next = begin;
    table.ibans = ibans;
    table.ibansEnd = ibans;
    while (table.count < TABLE_ROWS && table.next < end) {
      const row = table.count;
      table.begin[row] = table.next;
      table.missing[row] = 0;
      table.lines[row] = 1;
      table.numberBegin[row] = table.ibansEnd;
      table.blz[row] = -1;
      table.bicEnd[row] = table.bicBegin[row]!;
      table.idEnd[row] = 0;
      if (!this.scanRow(row, table.next, end)) break;
      table.next = table.after[row]!;
      table.count++;
    }
    return table;
  }

  /** Notes the row that begins at a place; false if its end cannot be known. */
  protected abstract scanRow(row: number, begin: number, end: number): boolean;

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

  /** Notes an account; returns whether kontonummer and bank code are digits by their form. */
  protected noteAccount(row: number, from: number, to: number, blzFrom: number, blzTo: number): boolean {
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

  /** Notes the line that ends at a line feed. */
  protected noteLine(row: number, lineFeedAt: number, kind: number): true {
    const { table, bytes } = this;
    const hasReturn = lineFeedAt > table.begin[row]! && bytes[lineFeedAt - 1] === carriageReturn;
    table.end[row] = hasReturn ? lineFeedAt - 1 : lineFeedAt;
    table.after[row] = lineFeedAt + 1;
    table.kind[row] = kind;
    return true;
  }
}
