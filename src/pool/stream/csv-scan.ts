import { ibanCountryOf } from "../../banking/iban/registry.ts";
import { maxStreamLineBytes } from "../../contract/limits.ts";
import type { RowTable } from "../../kernel/row-table.ts";
import { ROW_EMPTY, ROW_OTHER, ROW_REGULAR } from "../../kernel/table-layout.ts";
import { CsvScanner } from "../../rows/csv-scanner.ts";
import { type ReadRow, readCsvRow } from "./read-row.ts";
import { alphanumeric, RowScanner } from "./row-scan.ts";
import type { StreamLayout } from "./stream-task.ts";

const none = -1;

/** Finds the rows of CSV; those that have one number may be regular. */
export class CsvTableScanner extends RowScanner {
  readonly #layout: StreamLayout;
  readonly #rows: CsvScanner;
  /** The columns of the IBAN or kontonummer, and of the bank code or BIC; −1 if there is no BIC. */
  readonly #column: number;
  readonly #bankColumn: number;
  readonly #hasAccounts: boolean;

  constructor(table: RowTable, layout: StreamLayout, readsAll: boolean) {
    const { dialect, width, numbers } = layout;
    const isPlain = /^[^0-9A-Za-z"\r\n \u0080-\uffff]$/.test(dialect.delimiter);
    super(table, dialect.lineBreak.at(-1)!, readsAll || numbers.length > 1 || !isPlain);
    const { kind, columns } = numbers[0]!;
    this.#layout = layout;
    this.#rows = new CsvScanner(dialect, width, maxStreamLineBytes);
    this.#hasAccounts = kind === "account";
    [this.#column, this.#bankColumn = none] = columns;
  }

  protected override findRow(row: number, begin: number): boolean {
    const rows = this.#rows;
    const { table } = this;
    if (!rows.scan(this.bytes, begin, this.length, this.isLast)) return false;
    table.end[row] = rows.end;
    table.after[row] = rows.next;
    table.lines[row] = rows.lines;
    if (rows.end === begin) table.kind[row] = ROW_EMPTY;
    else table.kind[row] = !this.readsAll && this.#isRegular(row) ? ROW_REGULAR : ROW_OTHER;
    return true;
  }

  #isRegular(row: number): boolean {
    const rows = this.#rows;
    const { table } = this;
    const { count, fault } = rows;
    if (count === 0 || fault !== undefined || !this.isText(rows.combined)) return false;
    const { width } = this.#layout;
    table.missing[row] = width - count;
    // Fields beyond the last column are empty.
    if (count > width) table.end[row]! -= count - width;
    const [column, bankColumn] = [this.#column, this.#bankColumn];
    const hasNumber = column < count;
    const from = hasNumber ? rows.from[column]! : 0;
    const to = hasNumber ? rows.to[column]! : 0;
    const hasBank = bankColumn >= 0 && bankColumn < count;
    const bankFrom = hasBank ? rows.from[bankColumn]! : 0;
    const bankTo = hasBank ? rows.to[bankColumn]! : 0;
    table.bicBegin[row] = bankFrom;
    table.bicEnd[row] = bankTo;
    return this.#hasAccounts
      ? this.recordAccount(row, from, to, bankFrom, bankTo)
      : this.#copyCsvIban(row, from, to);
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

  protected override readRow(row: number, line: number): ReadRow {
    const rows = this.#rows;
    const begin = this.table.begin[row]!;
    rows.scan(this.bytes, begin, this.table.after[row]!, true);
    const text = { slice: (from: number, to: number) => this.bytes.toString("latin1", from, to) };
    const own = { text: text.slice(begin, rows.end), fields: rows.fields(text), fault: rows.fault?.(line) };
    return readCsvRow(own, this.#layout.numbers);
  }
}
