import type { Language } from "../../contract/check-messages.ts";
import type { CheckedNumber } from "../../rows/columns.ts";
import { type AskedNumber, type ReadNumber, readNumber } from "../../rows/read-number.ts";
import { batchTexts, filled } from "../words.ts";

/** A sheet of a workbook, or all rows of a CSV file or of pasted text. */
export interface Sheet {
  /** Empty for what is not of a workbook. */
  readonly name: string;
  readonly delimiter: string;
  /** Undefined where the first row is one like the others. */
  readonly header: readonly string[] | undefined;
  readonly rows: readonly (readonly string[])[];
  readonly width: number;
  /** The column that holds the IBANs; undefined where several or none may. */
  readonly ibanColumn: number | undefined;
  /** The column of BICs beside the IBANs, where there is one. */
  readonly bicColumn: number | undefined;
  /** The columns of account numbers and bank codes, where there is one of each. */
  readonly kontonummerColumn: number | undefined;
  readonly blzColumn: number | undefined;
}

/** Which columns are checked: IBANs with BICs, account numbers with bank codes, the column of IBANs; empty for none. */
export type Columns = "pairs" | "accounts" | `${number}` | "";

/** Matches characters that JSON has to escape, or UTF-8 to write in several bytes; no number has any. */
const beyondPlain = /[^ !#-[\]-~]/g;

const maxSample = 30;

/** The columns that are checked unless others are chosen. */
function presetColumns({ ibanColumn, bicColumn, kontonummerColumn }: Sheet): Columns {
  if (bicColumn !== undefined) return "pairs";
  if (ibanColumn !== undefined) return `${ibanColumn}`;
  return kontonummerColumn === undefined ? "" : "accounts";
}

const none = -1;

/** The numbers of a sheet that are checked: one in each row. */
export class CheckedNumbers {
  readonly columns: Columns;
  readonly #sheet: Sheet;
  readonly #checked: CheckedNumber;

  constructor(sheet: Sheet, columns = presetColumns(sheet)) {
    const { ibanColumn = none, bicColumn, kontonummerColumn = none, blzColumn = none } = sheet;
    this.#sheet = sheet;
    this.columns = columns;
    const chosen = columns === "" ? none : Number(columns);
    this.#checked =
      columns === "accounts"
        ? { kind: "account", kontonummer: kontonummerColumn, blz: blzColumn, prefix: "" }
        : columns === "pairs"
          ? { kind: "iban", iban: ibanColumn, bic: bicColumn, prefix: "" }
          : { kind: "iban", iban: chosen, bic: undefined, prefix: "" };
  }

  /** Whether an IBAN is generated for each. */
  get areAccounts(): boolean {
    return this.columns === "accounts";
  }

  field(row: number, column: number): string {
    return this.#sheet.rows[row]?.[column] ?? "";
  }

  written(row: number): string {
    const checked = this.#checked;
    const places = checked.kind === "account" ? [checked.kontonummer, checked.blz] : [checked.iban];
    return places.map((column) => this.field(row, column)).join(" · ");
  }

  /** The number of a row as it is sent, without what people write around it. */
  number(row: number): AskedNumber {
    const { number } = this.#read(row);
    if ("kontonummer" in number) {
      return { kontonummer: plain(number.kontonummer), bankleitzahl: plain(number.bankleitzahl) };
    }
    const iban = plain(number.iban).toUpperCase();
    return number.bic === undefined ? { iban } : { iban, bic: plain(number.bic) };
  }

  /** How a row's number was read where it is not written as it should be; otherwise empty. */
  note(row: number): string {
    return this.#read(row).note;
  }

  /** Everything that can be checked in the sheet, by names in a language. */
  options(language: Language): { value: Columns; text: string }[] {
    const { ibanColumn, bicColumn, kontonummerColumn, blzColumn } = this.#sheet;
    const titles = this.#titles(language);
    const options = titles.map((title, index) => {
      // A column without a name is known by what it holds.
      const sample = this.#sheet.header === undefined ? this.field(0, index).slice(0, maxSample) : "";
      return { value: `${index}` as Columns, text: sample === "" ? title : `${title}: ${sample}` };
    });
    const offer = (value: Columns, first: number | undefined, second: number | undefined) => {
      if (first === undefined || second === undefined) return;
      const names = { one: titles[first]!, other: titles[second]! };
      options.unshift({ value, text: filled(batchTexts[language].together, names) });
    };
    offer("accounts", kontonummerColumn, blzColumn);
    offer("pairs", ibanColumn, bicColumn);
    if (presetColumns(this.#sheet) === "") options.unshift({ value: "", text: "–" });
    return options;
  }

  /** The columns of the file that are shown beside the result: all but that of the IBANs, or those of the accounts that are checked. */
  others(language: Language): { index: number; name: string }[] {
    const { width, ibanColumn, kontonummerColumn, blzColumn } = this.#sheet;
    const shown = this.areAccounts ? [kontonummerColumn, blzColumn] : [ibanColumn];
    if (width === 1) return [];
    return this.#titles(language)
      .map((name, index) => ({ index, name }))
      .filter(({ index }) => !shown.includes(index));
  }

  #titles(language: Language): readonly string[] {
    const { header, width } = this.#sheet;
    const { columnNumber } = batchTexts[language];
    return Array.from(
      { length: width },
      (_, index) => header?.[index] || filled(columnNumber, { number: index + 1 }),
    );
  }

  #read(row: number): ReadNumber {
    return readNumber(this.#checked, (column) => this.field(row, column));
  }
}

/** As wrong as the text given, and 500 of them fit the 128 KB of a batch; the service reads plain text several times as fast. */
function plain(text: string): string {
  return text.replace(beyondPlain, "?");
}
