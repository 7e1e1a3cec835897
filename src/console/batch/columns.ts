import { cellNumber } from "../../rows/cell-number.ts";
import {
  accountOf,
  bicColumns,
  blzColumns,
  type CheckedNumber,
  hasHeader,
  ibanColumns,
  ibansOf,
  kontonummerColumns,
  rowsAbove,
  type SampleRows,
} from "../../rows/columns.ts";
import { type ReadNumber, readNumber } from "../../rows/read-number.ts";
import { batchTexts, filled } from "../words.ts";
import { Results } from "./results.ts";

/** A cell: formulas are their values, what is neither number nor date is text. */
export type Cell = string | number | Date;

/** The rows of a sheet, or of text, that are not empty. */
export interface FilledRows {
  /** Empty for what is not of a workbook. */
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
  /** The number of each row in its file, as spreadsheets count them. */
  readonly rowNumbers: readonly number[];
  /** Whether the first row is known to name the columns; otherwise that is recognised. */
  readonly isHeaded?: boolean;
  /** What is between the columns of a CSV file. */
  readonly delimiter?: string | undefined;
}

/** The rows of a sheet, or of text, below their header and any title above that. */
export type Sheet = NonNullable<ReturnType<typeof sheetOf>>;

const sampleRows = 100;

/** Returns the text of a cell: whole numbers, fractions with the 15 digits that spreadsheets show, dates as ISO 8601 has them. */
export function cellText(cell: unknown, decimalPoint = "."): string {
  if (typeof cell === "number") return cellNumber(cell).replace(".", decimalPoint);
  if (!(cell instanceof Date)) return String(cell ?? "");
  return cell
    .toISOString()
    .replace("T", " ")
    .replace(/( 00:00:00)?\.\d+Z$/, "");
}

/** Finds header and columns of rows that are not empty; undefined where there is at most a header. */
export function sheetOf(filled: FilledRows) {
  const { rows: all, isHeaded = false } = filled;
  const head = all.slice(0, 2 * sampleRows + 1).map((row) => row.map((cell) => cellText(cell)));
  const first = isHeaded ? 0 : rowsAbove(head.slice(0, sampleRows));
  const hasNames = isHeaded || hasHeader(head.slice(first, first + sampleRows + 1));
  const header = hasNames ? head[first] : undefined;
  const begin = first + Number(hasNames);
  const rows = all.slice(begin);
  if (rows.length === 0) return undefined;
  const sample = { header, rows: head.slice(begin, begin + sampleRows) };
  const width = rows.reduce((max, row) => Math.max(max, row.length), header?.length ?? 0);
  const ibans = ibanColumns(sample);
  const choices = choicesOf(sample, width, ibans);
  return {
    ...filled,
    delimiter: width === 1 ? undefined : filled.delimiter,
    /** Undefined where the first row is one like the others. */
    header,
    rows,
    rowNumbers: filled.rowNumbers.slice(begin),
    width,
    /** Whether a column of IBANs, or those of accounts, were recognised. */
    hasNumbers: ibans.length > 0 || choices.some(isAccount),
    choices,
  };
}

/** All that can be checked, with the numbers of a row; the first one is checked unless another is chosen, none where that is not clear. */
function choicesOf(sample: SampleRows, width: number, ibans: readonly number[]) {
  const codes = blzColumns(sample);
  const ibanOf = (...columns: CheckedNumber["columns"]): CheckedNumber => ({
    kind: "iban",
    columns,
    prefix: "",
  });
  const every = ibansOf(sample, ibans);
  const bics = bicColumns(sample);
  const pairs = ibans.flatMap((iban) => bics.map((bic) => ibanOf(iban, bic)));
  const accounts = codes.flatMap((blz) =>
    kontonummerColumns(sample)
      .filter((column) => column !== blz)
      .map((kontonummer) => accountOf(kontonummer, blz)),
  );
  const columns = Array.from({ length: width }, (_, column) => ibanOf(column));
  const only = <Item>(items: readonly Item[]) => (items.length === 1 ? items[0] : undefined);
  const account = ibans.length === 0 && codes.length === 1 ? only(accounts) : undefined;
  const clear = only(pairs) ?? columns[only(ibans) ?? -1] ?? only(columns) ?? account;
  const others = [...pairs, ...accounts, ...columns].filter((choice) => choice !== clear);
  return [
    clear === undefined ? [] : [clear],
    ...(every.length > 1 ? [every] : []),
    ...others.map((choice) => [choice]),
  ];
}

const isAccount = (choice: readonly CheckedNumber[]) => choice[0]?.kind === "account";

/** Returns the sheet to begin with: the first whose numbers were recognised, and which is clear. */
export function firstSheet(sheets: readonly Sheet[]): Sheet {
  return sheets.find(({ hasNumbers, choices }) => hasNumbers && choices[0]!.length > 0) ?? sheets[0]!;
}

const maxSample = 30;

const none: CheckedNumber = { kind: "iban", columns: [-1], prefix: "" };

/** In place of a column of the file: the name of the one whose number is checked. */
const checkedName = -1;

/** The numbers of a sheet that are checked, those of a row following each other, and what is known of each. */
export class CheckedNumbers {
  readonly sheet: Sheet;
  /** Those of a row; none where it is not clear what to check. */
  readonly checked: readonly CheckedNumber[];
  /** How many each row has. */
  readonly perRow: number;
  readonly areAccounts: boolean;
  readonly results: Results;
  /** Those of the sheet, with what was corrected. */
  readonly #rows: (readonly Cell[])[];

  constructor(sheet: Sheet, choice = 0) {
    this.sheet = sheet;
    this.checked = sheet.choices[choice]!;
    this.perRow = Math.max(1, this.checked.length);
    this.areAccounts = isAccount(this.checked);
    this.results = new Results(sheet.rows.length * this.perRow);
    this.#rows = [...sheet.rows];
  }

  rowOf(place: number): number {
    return Math.floor(place / this.perRow);
  }

  /** The number of a number's row in its file, as spreadsheets count them. */
  rowNumber(place: number): number {
    return this.sheet.rowNumbers[this.rowOf(place)]!;
  }

  field(place: number, column: number): string {
    if (column === checkedName) return this.#checkedAt(place).prefix.slice(0, -1);
    return cellText(this.cellsOf(this.rowOf(place))[column]);
  }

  /** The cells of a row, with what was corrected. */
  cellsOf(row: number): readonly Cell[] {
    return this.#rows[row] ?? [];
  }

  /** Puts an IBAN, or an account and its bank code, into the columns of a number. */
  correct(place: number, fields: readonly string[]): void {
    const cells = [...this.cellsOf(this.rowOf(place))];
    for (const [index, column] of placesOf(this.#checkedAt(place)).entries()) cells[column] = fields[index]!;
    this.#rows[this.rowOf(place)] = cells;
  }

  written(place: number): string {
    return placesOf(this.#checkedAt(place))
      .map((column) => this.field(place, column))
      .join(" · ");
  }

  /** A number as it is sent, without what people write around it, and how it was read where it is not written as it should be. */
  read(place: number): ReadNumber {
    const { number, note } = readNumber(this.#checkedAt(place), (column) => this.field(place, column));
    return { number: "iban" in number ? { ...number, iban: number.iban.toUpperCase() } : number, note };
  }

  /** The sheet's choices by their names. */
  options(): string[] {
    const titles = this.#titles();
    const together = (first: number, second: number) =>
      filled(batchTexts.together, { one: titles[first]!, other: titles[second]! });
    return this.sheet.choices.map(([checked, ...more]) => {
      if (checked === undefined) return "–";
      if (more.length > 0) return filled(batchTexts.everyColumn, { count: more.length + 1 });
      const [first, second] = checked.columns;
      if (second !== undefined) return together(first, second);
      // A column without a name is known by what it holds.
      const sample = this.sheet.header === undefined ? this.field(0, first).slice(0, maxSample) : "";
      return [titles[first], sample].filter(Boolean).join(": ");
    });
  }

  /** The columns of the file that are shown beside the result: all but those of the numbers, whose names are shown if there are several. */
  others(): { index: number; name: string }[] {
    if (this.sheet.width === 1) return [];
    const own = this.checked.flatMap(placesOf);
    const names = this.#titles()
      .map((name, index) => ({ index, name }))
      .filter(({ index }) => !own.includes(index));
    if (this.perRow === 1) return names;
    return [{ index: checkedName, name: batchTexts.ofColumn }, ...names];
  }

  #checkedAt(place: number): CheckedNumber {
    return this.checked[place % this.perRow] ?? none;
  }

  #titles(): readonly string[] {
    const { header, width } = this.sheet;
    return Array.from(
      { length: width },
      (_, index) => header?.[index] || filled(batchTexts.columnNumber, { number: index + 1 }),
    );
  }
}

function placesOf({ kind, columns }: CheckedNumber): readonly number[] {
  return kind === "account" ? columns : columns.slice(0, 1);
}
