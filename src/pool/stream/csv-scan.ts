import { ibanCountryOf } from "../../banking/iban/registry.ts";
import { RowKind, type RowTable } from "../../kernel/row-table.ts";
import type { CheckedNumber } from "../../rows/columns.ts";
import { CsvScanner } from "../../rows/csv-scanner.ts";
import { alphanumeric, RowScanner } from "./row-scan.ts";
import type { StreamLayout } from "./stream-task.ts";

const none = -1;

function isPlain({ dialect }: StreamLayout): boolean {
  return /^[^0-9A-Za-z"\r\n \u0080-\uffff]$/.test(dialect.delimiter) && dialect.lineBreak !== "\r";
}

/** Finds the rows of CSV that has one number in a row. */
export class CsvTableScanner extends RowScanner {
  readonly #rows: CsvScanner;
  readonly #width: number;
  /** The columns of the IBAN or kontonummer, and of the bank code or BIC; −1 if there is no BIC. */
  readonly #column: number;
  readonly #bankColumn: number;
  readonly #hasAccounts: boolean;

  private constructor(table: RowTable, { dialect, width }: StreamLayout, number: CheckedNumber) {
    super(table);
    const [column, bankColumn = none] =
      number.kind === "account" ? [number.kontonummer, number.blz] : [number.iban, number.bic];
    this.#rows = new CsvScanner(dialect, width);
    this.#width = width;
    this.#hasAccounts = number.kind === "account";
    this.#column = column;
    this.#bankColumn = bankColumn;
  }

  /** Returns the scanner of a layout; undefined if its rows are all read field by field. */
  static for(layout: StreamLayout, table: RowTable): CsvTableScanner | undefined {
    const [number, ...others] = layout.numbers;
    const isRead = number === undefined || others.length > 0 || !isPlain(layout);
    return isRead ? undefined : new CsvTableScanner(table, layout, number);
  }

  protected override scanRow(row: number, begin: number, end: number): boolean {
    const rows = this.#rows;
    const { table } = this;
    if (!rows.scan(this.bytes, begin, end, false)) return false;
    const { count, fault } = rows;
    table.end[row] = rows.end;
    table.after[row] = rows.next;
    table.lines[row] = rows.lines;
    table.kind[row] = rows.end === begin ? RowKind.empty : RowKind.other;
    if (count === 0 || fault !== undefined || !this.isText(rows.combined)) return true;
    table.missing[row] = this.#width - count;
    // Fields beyond the last column are empty.
    if (count > this.#width) table.end[row]! -= count - this.#width;
    const [column, bankColumn] = [this.#column, this.#bankColumn];
    const hasNumber = column < count;
    const from = hasNumber ? rows.from[column]! : 0;
    const to = hasNumber ? rows.to[column]! : 0;
    const hasBank = bankColumn >= 0 && bankColumn < count;
    const bankFrom = hasBank ? rows.from[bankColumn]! : 0;
    const bankTo = hasBank ? rows.to[bankColumn]! : 0;
    table.bicBegin[row] = bankFrom;
    table.bicEnd[row] = bankTo;
    const isRegular = this.#hasAccounts
      ? this.noteAccount(row, from, to, bankFrom, bankTo)
      : this.#copyCsvIban(row, from, to);
    if (isRegular) table.kind[row] = RowKind.regular;
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
