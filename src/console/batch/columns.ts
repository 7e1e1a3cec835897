import type { CheckedNumber } from "../../rows/columns.ts";
import { type AskedNumber, type ReadNumber, readNumber } from "../../rows/read-number.ts";
import { batchTexts, filled, type Language } from "../words.ts";
import type { Sheet } from "./sheets.ts";

/** Which columns are checked: IBANs with BICs, account numbers with bank codes, the column of IBANs; empty for none. */
export type Columns = "pairs" | "accounts" | `${number}` | "";

/** What JSON would have to escape, or UTF-8 to write in several bytes. No number has any of it. */
const beyondPlain = /[^ !#-[\]-~]/g;

/** The columns that are checked unless others are chosen. */
export function presetColumns({ ibanColumn, bicColumn, kontonummerColumn }: Sheet): Columns {
  if (bicColumn !== undefined) return "pairs";
  if (ibanColumn !== undefined) return `${ibanColumn}`;
  return kontonummerColumn === undefined ? "" : "accounts";
}

/** Everything that can be checked in a sheet, by names in a language. */
export function columnOptions(sheet: Sheet, language: Language): { value: Columns; text: string }[] {
  const { ibanColumn, bicColumn, kontonummerColumn, blzColumn, width } = sheet;
  const options = Array.from({ length: width }, (_, index) => ({
    value: `${index}` as Columns,
    text: columnTitle(sheet, index, language),
  }));
  const offer = (value: Columns, first: number | undefined, second: number | undefined) => {
    if (first === undefined || second === undefined) return;
    const names = { one: columnTitle(sheet, first, language), other: columnTitle(sheet, second, language) };
    options.unshift({ value, text: filled(batchTexts[language].together, names) });
  };
  offer("accounts", kontonummerColumn, blzColumn);
  offer("pairs", ibanColumn, bicColumn);
  if (presetColumns(sheet) === "") options.unshift({ value: "", text: "–" });
  return options;
}

/** The columns of the file that are shown beside the result: all but the one of the IBANs. */
export function otherColumns(sheet: Sheet, language: Language): { index: number; name: string }[] {
  if (sheet.width === 1) return [];
  return Array.from({ length: sheet.width }, (_, index) => ({
    index,
    name: columnTitle(sheet, index, language),
  })).filter(({ index }) => index !== sheet.ibanColumn);
}

function columnTitle({ header }: Sheet, index: number, language: Language): string {
  return header?.[index] || filled(batchTexts[language].columnNumber, { number: index + 1 });
}

/** The number of a row as it is written. */
export function writtenNumber(sheet: Sheet, columns: Columns, row: number): string {
  const checked = checkedNumber(sheet, columns);
  const places = checked.kind === "account" ? [checked.kontonummer, checked.blz] : [checked.iban];
  return places.map((column) => sheet.rows[row]?.[column] ?? "").join(" · ");
}

/** The number of a row as it is sent, without what people write around it. */
export function numberOf(sheet: Sheet, columns: Columns, row: number): AskedNumber {
  const { number } = read(sheet, columns, row);
  if ("kontonummer" in number) {
    return { kontonummer: plain(number.kontonummer), bankleitzahl: plain(number.bankleitzahl) };
  }
  const iban = plain(number.iban).toUpperCase();
  return number.bic === undefined ? { iban } : { iban, bic: plain(number.bic) };
}

/** How a row's number was read where it is not written as it should be; otherwise empty. */
export function noteOf(sheet: Sheet, columns: Columns, row: number): string {
  return read(sheet, columns, row).note;
}

function read(sheet: Sheet, columns: Columns, row: number): ReadNumber {
  return readNumber(checkedNumber(sheet, columns), (column) => sheet.rows[row]?.[column] ?? "");
}

/** As wrong as the text given, and 500 of them fit the 128 KB of a batch; the service reads plain text several times as fast. */
function plain(text: string): string {
  return text.replace(beyondPlain, "?");
}

const none = -1;

function checkedNumber(sheet: Sheet, columns: Columns): CheckedNumber {
  const { ibanColumn = none, bicColumn, kontonummerColumn = none, blzColumn = none } = sheet;
  if (columns === "accounts")
    return { kind: "account", kontonummer: kontonummerColumn, blz: blzColumn, prefix: "" };
  if (columns === "pairs") return { kind: "iban", iban: ibanColumn, bic: bicColumn, prefix: "" };
  return { kind: "iban", iban: columns === "" ? none : Number(columns), bic: undefined, prefix: "" };
}
