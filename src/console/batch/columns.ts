import { readDigits, readIban } from "../../rows/text.ts";
import type { CheckRequest } from "../check/recognise.ts";
import { batchTexts, filled, type Language } from "../words.ts";
import type { Table } from "./table.ts";

/** What is checked of a row: an IBAN, one with its BIC, or an account number with its bank code. */
export type RowNumber =
  | string
  | { readonly iban: string; readonly bic: string }
  | { readonly kontonummer: string; readonly blz: string };

/** Which columns are checked: IBANs with BICs, account numbers with bank codes, the column of IBANs; empty for none. */
export type Columns = "pairs" | "accounts" | `${number}` | "";

/** What JSON would have to escape, or UTF-8 to write in several bytes. No number has any of it. */
const beyondPlain = /[^ !#-[\]-~]/g;

/** The columns that are checked unless others are chosen. */
export function presetColumns({ ibanColumn, bicColumn, kontonummerColumn }: Table): Columns {
  if (bicColumn !== undefined) return "pairs";
  if (ibanColumn !== undefined) return `${ibanColumn}`;
  return kontonummerColumn === undefined ? "" : "accounts";
}

/** Everything that can be checked in a table, by names in a language. */
export function columnOptions(table: Table, language: Language): { value: Columns; text: string }[] {
  const { ibanColumn, bicColumn, kontonummerColumn, blzColumn, width } = table;
  const options = Array.from({ length: width }, (_, index) => ({
    value: `${index}` as Columns,
    text: columnTitle(table, index, language),
  }));
  const offer = (value: Columns, first: number | undefined, second: number | undefined) => {
    if (first === undefined || second === undefined) return;
    const names = { one: columnTitle(table, first, language), other: columnTitle(table, second, language) };
    options.unshift({ value, text: filled(batchTexts[language].together, names) });
  };
  offer("accounts", kontonummerColumn, blzColumn);
  offer("pairs", ibanColumn, bicColumn);
  if (presetColumns(table) === "") options.unshift({ value: "", text: "–" });
  return options;
}

/** The columns of the file that are shown beside the result: all but the one of the IBANs. */
export function otherColumns(table: Table, language: Language): { index: number; name: string }[] {
  if (table.width === 1) return [];
  return Array.from({ length: table.width }, (_, index) => ({
    index,
    name: columnTitle(table, index, language),
  })).filter(({ index }) => index !== table.ibanColumn);
}

function columnTitle({ header }: Table, index: number, language: Language): string {
  return header?.[index] || filled(batchTexts[language].columnNumber, { number: index + 1 });
}

/** The number of a row as it is written. */
export function writtenNumber(table: Table, columns: Columns, row: number): string {
  const { fields, iban, kontonummer, blz } = placesOf(table, columns, row);
  return columns === "accounts"
    ? `${fields[kontonummer] ?? ""} · ${fields[blz] ?? ""}`
    : (fields[iban] ?? "");
}

/** The number of a row as it is sent, without what people write around it. */
export function numberOf(table: Table, columns: Columns, row: number): RowNumber {
  const { fields, iban, bic, kontonummer, blz } = placesOf(table, columns, row);
  const digits = (column: number) => plain(readDigits(fields[column] ?? "").text);
  if (columns === "accounts") return { kontonummer: digits(kontonummer), blz: digits(blz) };
  const number = plain(readIban(fields[iban] ?? "").text);
  if (columns !== "pairs") return number;
  return { iban: number, bic: plain((fields[bic] ?? "").replace(/\s+/g, "").slice(0, maxBic)) };
}

/** As wrong as the text given, and 500 of them fit the 128 KB of a batch; the service reads plain text several times as fast. */
function plain(text: string): string {
  return text.replace(beyondPlain, "?");
}

/** A BIC that is longer is as wrong when it is cut. */
const maxBic = 64;

/** How a row's number was read where it is not written as it should be; otherwise empty. */
export function noteOf(table: Table, columns: Columns, row: number): string {
  const { fields, iban, kontonummer, blz } = placesOf(table, columns, row);
  const read =
    columns === "accounts"
      ? [readDigits(fields[kontonummer] ?? ""), readDigits(fields[blz] ?? "")]
      : [readIban(fields[iban] ?? "")];
  const mended = read.find(({ isMended }) => isMended);
  return mended === undefined ? "" : `read as ${mended.text}`;
}

function placesOf(table: Table, columns: Columns, row: number) {
  const { ibanColumn = -1, bicColumn = -1, kontonummerColumn = -1, blzColumn = -1 } = table;
  return {
    fields: table.rows[row] ?? [],
    iban: columns === "pairs" ? ibanColumn : columns === "" ? -1 : Number(columns),
    bic: bicColumn,
    kontonummer: kontonummerColumn,
    blz: blzColumn,
  };
}

/** The fields that a row's check is called with. */
export function requestOf(number: RowNumber): CheckRequest {
  if (typeof number === "string") return { iban: number.toUpperCase(), bic: undefined };
  if ("iban" in number)
    return { iban: number.iban.toUpperCase(), bic: number.bic.toUpperCase() || undefined };
  return number;
}
