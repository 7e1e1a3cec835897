import { ibanCountryOf } from "../../banking/iban/registry.ts";
import { RowKind, RowTable } from "../../kernel/row-table.ts";
import type { CheckedNumber } from "../../rows/columns.ts";
import { alphanumeric, Byte, RowScanner } from "./row-scan.ts";
import type { StreamLayout } from "./stream-task.ts";

const { lineFeed, carriageReturn, quote } = Byte;

const none = -1;

function isPlain({ dialect }: StreamLayout): boolean {
  return /^[^0-9A-Za-z"\r\n \u0080-\uffff]$/.test(dialect.delimiter) && dialect.lineBreak !== "\r";
}

/** Finds the rows of CSV that has one number in a row. */
export class CsvScanner extends RowScanner {
  readonly #delimiter: number;
  readonly #isCrLf: boolean;
  readonly #width: number;
  /** The columns of the IBAN or kontonummer, and of the bank code or BIC; −1 if there is no BIC. */
  readonly #column: number;
  readonly #bankColumn: number;
  readonly #hasAccounts: boolean;
  /** Whether fields are only found, not looked into. */
  readonly #findsFields: boolean;
  /** Bytes that end what a loop passes over in a field without quotes. */
  readonly #ends = new Uint8Array(256);

  private constructor(table: RowTable, layout: StreamLayout, number: CheckedNumber, findsFields: boolean) {
    super(table);
    const { delimiter, lineBreak } = layout.dialect;
    const [column, bankColumn = none] =
      number.kind === "account" ? [number.kontonummer, number.blz] : [number.iban, number.bic];
    this.#delimiter = delimiter.charCodeAt(0);
    this.#isCrLf = lineBreak === "\r\n";
    this.#width = layout.width;
    this.#hasAccounts = number.kind === "account";
    this.#findsFields = findsFields;
    this.#column = column;
    this.#bankColumn = bankColumn;
    for (const byte of [this.#delimiter, quote, lineFeed, carriageReturn]) this.#ends[byte] = 1;
  }

  /** Returns the scanner of a layout; undefined if its rows are all read field by field. */
  static for(layout: StreamLayout, table: RowTable): CsvScanner | undefined {
    return CsvScanner.#of(table, layout, false);
  }

  /**
   * Returns a scanner that records the fields to check without looking into them: the IBAN or kontonummer as the number,
   * the bank code as the BIC, both empty where the row is too short. A row is regular unless it has more fields than the
   * first. Undefined as for `for`.
   */
  static ofFields(layout: StreamLayout): CsvScanner | undefined {
    return CsvScanner.#of(new RowTable(), layout, true);
  }

  static #of(table: RowTable, layout: StreamLayout, findsFields: boolean): CsvScanner | undefined {
    const [number, ...others] = layout.numbers;
    const isRead = number === undefined || others.length > 0 || !isPlain(layout);
    return isRead ? undefined : new CsvScanner(table, layout, number, findsFields);
  }

  protected override scanRow(row: number, begin: number, end: number): boolean {
    const { bytes } = this;
    const delimiter = this.#delimiter;
    const ends = this.#ends;
    let at = begin;
    let combined = 0;
    let column = 0;
    let from = 0;
    let to = 0;
    let bankFrom = 0;
    let bankTo = 0;
    for (;;) {
      let fieldFrom = at;
      let fieldTo = at;
      if (bytes[at] === quote) {
        fieldFrom = at + 1;
        fieldTo = this.#endOfQuoted(row, fieldFrom, end);
        if (fieldTo < 0) return false;
        at = fieldTo + 1;
        // Quoted text was not scanned for bytes above 0x7f, so assume that it has some.
        combined |= 0x80;
      } else {
        let byte = bytes[at]!;
        while (ends[byte] === 0) {
          combined |= byte;
          byte = bytes[++at]!;
        }
        fieldTo = at;
      }
      if (column === this.#column) {
        from = fieldFrom;
        to = fieldTo;
      } else if (column === this.#bankColumn) {
        bankFrom = fieldFrom;
        bankTo = fieldTo;
      }
      if (bytes[at] !== delimiter) break;
      column++;
      at++;
    }
    return this.#endRow(row, at) && this.#noteRow(row, column + 1, combined, from, to, bankFrom, bankTo);
  }

  /** Where the closing quote of a field is; −1 if it has none or text follows it. */
  #endOfQuoted(row: number, from: number, end: number): number {
    const { bytes, table } = this;
    for (let at = from; at < end; at++) {
      const byte = bytes[at];
      if (byte === lineFeed) table.lines[row]!++;
      if (byte !== quote) continue;
      const next = bytes[at + 1]!;
      if (next !== quote) return next === this.#delimiter || this.#isBreak(at + 1) ? at : -1;
      at++;
    }
    return -1;
  }

  #isBreak(at: number): boolean {
    const { bytes } = this;
    return this.#isCrLf ? bytes[at] === carriageReturn && bytes[at + 1] === lineFeed : bytes[at] === lineFeed;
  }

  /** Notes the end of a row at its line break; false if it may go on after it. */
  #endRow(row: number, at: number): boolean {
    const { bytes, table } = this;
    const hasReturn = bytes[at] === carriageReturn;
    const lineFeedAt = hasReturn ? at + 1 : at;
    if (bytes[lineFeedAt] !== lineFeed || (this.#isCrLf && !hasReturn)) return false;
    table.end[row] = at;
    table.after[row] = lineFeedAt + 1;
    return true;
  }

  #noteRow(
    row: number,
    fields: number,
    combined: number,
    from: number,
    to: number,
    bankFrom: number,
    bankTo: number,
  ): boolean {
    const { table } = this;
    const [begin, end] = [table.begin[row]!, table.end[row]!];
    if (end === begin) {
      table.kind[row] = RowKind.empty;
      return true;
    }
    const missing = this.#width - fields;
    table.missing[row] = missing;
    table.kind[row] = this.#findsFields && missing >= 0 ? RowKind.regular : RowKind.other;
    table.bicBegin[row] = bankFrom;
    table.bicEnd[row] = bankTo;
    if (this.#findsFields) {
      table.numberBegin[row] = from;
      table.numberEnd[row] = to;
      return true;
    }
    if (!this.isText(combined) || !this.#takeSurplus(row, fields)) return true;
    const isRegular = this.#hasAccounts
      ? this.noteAccount(row, from, to, bankFrom, bankTo)
      : this.#copyCsvIban(row, from, to);
    if (isRegular) table.kind[row] = RowKind.regular;
    return true;
  }

  /** Leaves out empty fields beyond the last column; false if one is not empty, or the row is an empty field. */
  #takeSurplus(row: number, fields: number): boolean {
    const { bytes, table } = this;
    if (fields === 1 && bytes[table.begin[row]!] === quote) return false;
    for (let surplus = fields - this.#width; surplus > 0; surplus--) {
      const last = table.end[row]! - 1;
      if (bytes[last] !== this.#delimiter) return false;
      table.end[row] = last;
    }
    return true;
  }

  /** What does not have the length of its country's IBANs may have other text around it, and is read as text. */
  #copyCsvIban(row: number, from: number, to: number): boolean {
    if (!this.copyIban(row, from, to, alphanumeric)) return false;
    const { bytes, table } = this;
    const [begin, end] = [table.numberBegin[row]!, table.numberEnd[row]!];
    const isPlain =
      begin === end || ibanCountryOf(bytes[begin]!, bytes[begin + 1]!)?.ibanLength === end - begin;
    if (!isPlain) this.dropIban(row);
    return isPlain;
  }
}
