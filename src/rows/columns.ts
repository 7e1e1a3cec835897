import { message } from "../contract/message.ts";
import { InputError } from "./rows.ts";

/** The first rows of a file, as its columns are recognised by them. */
export interface SampleRows {
  /** Names of the columns; undefined if the file has no header. */
  readonly header: readonly string[] | undefined;
  readonly rows: readonly (readonly string[])[];
}

const ibanName = /^(iban|iban[ _-]?(nr|nummer|number))$/i;
const bicName = /^(bic|swift|bic[ _/-]?swift|swift[ _/-]?bic)([ ._-]*(code|nr|no))?\.?$/i;
const kontonummerName = /^(konto|kto|account)([ ._-]*(nr|nummer|no|number))?\.?$/i;
const blzName = /^(blz|bankleitzahl|bank[ _-]?code)$/i;

type LooksRight = (field: string, row: readonly string[]) => boolean;

/** What a number looks like, right or wrong. */
const looksLikeIban = (text: string) =>
  /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text.replace(/\s/g, "").toUpperCase());
const looksLikeBlz = (text: string) => /^[1-8]\d{7}$/.test(text.replace(/\s/g, ""));
const looksLikeKontonummer = (text: string) => /^\d{1,10}$/.test(text);

export const ibanColumns = (sample: SampleRows) => pick(sample, ibanName, looksLikeIban);
export const blzColumns = (sample: SampleRows) => pick(sample, blzName, looksLikeBlz);
export const kontonummerColumns = (sample: SampleRows) => pick(sample, kontonummerName, looksLikeKontonummer);

/** What looks like a BIC must be of the country of an IBAN in its row: STREET10 has the form of one. */
export function bicColumns(sample: SampleRows): number[] {
  const ibans = ibanColumns(sample);
  return pick(sample, bicName, (text, row) => {
    const bic = text.trim().toUpperCase();
    const isBeside = ibans.some((iban) => row[iban]?.trim().toUpperCase().startsWith(bic.slice(4, 6)));
    return isBeside && /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic);
  });
}

/** A name as people compare it: without surrounding space, in any case, and however its accents are encoded. */
const plainName = (name: string) => name.trim().toLowerCase().normalize("NFC");

/** The name that a path of keys ends with: `iban` of `payee.iban`. */
const lastKey = (column: string) => column.slice(column.lastIndexOf(".") + 1).trim();

/** The columns whose name fits, or if there are none those most of whose fields look right in their row. */
function pick({ header, rows }: SampleRows, name: RegExp, looksRight: LooksRight): number[] {
  for (const nameOf of [(column: string) => column.trim(), lastKey]) {
    const named = (header ?? []).flatMap((column, index) => (name.test(nameOf(column)) ? [index] : []));
    if (named.length > 0) return named;
  }
  return columnsOfMost(rows, looksRight);
}

/**
 * The columns of which more than half of the fields look right, empty ones not counted. It takes time by the fields that there
 * are: rows may be short where the header names thousands of columns.
 */
function columnsOfMost(rows: SampleRows["rows"], looksRight: LooksRight): number[] {
  /** How many more fields of each column look right than wrong. */
  const balance: number[] = [];
  for (const row of rows) {
    for (const [column, field] of row.entries()) {
      if (field.trim() === "") continue;
      balance[column] = (balance[column] ?? 0) + (looksRight(field, row) ? 1 : -1);
    }
  }
  return balance.flatMap((more, column) => (more > 0 ? [column] : []));
}

/** Whether a column is named as IBANs, account numbers or bank codes are. */
export function isKnownName(name: string): boolean {
  return [ibanName, kontonummerName, blzName].some((known) => known.test(name.trim()));
}

/**
 * Whether the first row names the columns: one that is wanted, or else no field of it looks like data or is empty, and one
 * below it looks like data.
 */
export function hasHeader(rows: readonly (readonly string[])[], wanted: readonly string[] = []): boolean {
  const [first = [], ...others] = rows;
  const names = first.map(plainName);
  if (wanted.some((column) => !/^\d+$/.test(column) && names.includes(plainName(column)))) return true;
  const looksLikeBank = (text: string) => looksLikeIban(text) || looksLikeBlz(text);
  const looksLikeData = (text: string) => looksLikeBank(text) || looksLikeKontonummer(text);
  if (first.some(looksLikeBank)) return false;
  // A column beside them may be called by a number, as 2026.
  if (first.some(isKnownName)) return true;
  if (first.some(looksLikeKontonummer)) return false;
  while (names.at(-1) === "") names.pop();
  if (names.length === 0 || names.includes("")) return false;
  return others.some((row) => row.some(looksLikeData));
}

/** Returns how many rows are a title: those above the names of the columns, if none of them has a number to check. */
export function rowsAbove(rows: readonly (readonly string[])[], wanted: readonly string[] = []): number {
  const filled = (row: readonly string[] = []) => row.filter((field) => field.trim() !== "").length;
  const names = [rows.findIndex((row) => row.some(isKnownName)), rows.findIndex((row) => filled(row) > 1)];
  const isTitle = (above: typeof rows, width: number) =>
    above.every((row) => filled(row) <= width) &&
    [ibanColumns, blzColumns].every((columns) => columns({ header: undefined, rows: above }).length === 0);
  const isTitled = (row: number) =>
    row > 0 && hasHeader(rows.slice(row), wanted) && isTitle(rows.slice(0, row), filled(rows[row]));
  return hasHeader(rows.slice(0, 1), wanted) ? 0 : (names.find(isTitled) ?? 0);
}

/** The number to check in each row: an IBAN, alone or with its BIC, or a kontonummer and its BLZ. */
export interface CheckedNumber {
  readonly kind: "iban" | "account";
  /** Positions of its columns, in this order. */
  readonly columns: readonly [number, ...number[]];
  /** Prefix of the names of the columns added for it, where a row has several IBANs. */
  readonly prefix: string;
}

type OptionName = (name: string) => string;

/** The columns a person named: by name in any case, by number from 1, or in JSON by path. */
export interface WantedColumns {
  /** IBANs, one or several; or kontonummer and BLZ. */
  readonly column: readonly string[];
  readonly bicColumn?: string | undefined;
  readonly kontonummerColumn?: string | undefined;
  readonly blzColumn?: string | undefined;
  /** IBANs are generated of accounts: a column for them may be there already. */
  readonly generates?: boolean;
  /** How the person writes the name of an option, as messages say it: `--bic-column` unless given. */
  readonly optionName?: OptionName;
}

/**
 * Finds the columns to check: those that are named, or else the one that looks like IBANs, or else those that look like
 * kontonummer and BLZ; names of columns count before what is in them. Throws an InputError if that is not clear.
 */
export function findColumns(sample: SampleRows, wanted: WantedColumns): readonly CheckedNumber[] {
  const { bicColumn, optionName = (name) => `--${name}` } = wanted;
  const numbers = numbersOf(sample, wanted, optionName);
  if (bicColumn === undefined) return numbers;
  const [number, ...others] = numbers;
  if (number?.kind === "iban" && others.length === 0)
    return [{ ...number, columns: [number.columns[0], columnOf(sample, bicColumn)] }];
  throw new InputError(message("columns_bic", { option: optionName("bic-column") }));
}

function numbersOf(sample: SampleRows, wanted: WantedColumns, optionName: OptionName) {
  const { kontonummerColumn, blzColumn } = wanted;
  const option = { option: optionName("column") };
  if (kontonummerColumn !== undefined || blzColumn !== undefined) {
    if (kontonummerColumn === undefined || blzColumn === undefined || wanted.column.length > 0) {
      const [kontonummer, blz] = [optionName("kontonummer-column"), optionName("blz-column")];
      throw new InputError(message("columns_of_account", { kontonummer, blz, ...option }));
    }
    return [accountOf(columnOf(sample, kontonummerColumn), columnOf(sample, blzColumn))];
  }
  const named = [...new Set(wanted.column.map((column) => columnOf(sample, column)))];
  if (named.length === 2) return pairOf(sample, named[0]!, named[1]!, optionName);
  if (named.length > 0) return ibansOf(sample, named);
  const account = recognisedAccount(sample);
  if (wanted.generates === true && account !== undefined) return [account];
  const ibans = ibanColumns(sample);
  if (ibans.length === 1) return ibansOf(sample, ibans);
  if (ibans.length > 1) {
    throw new InputError(
      message("columns_several_ibans", { columns: columnNames(sample, ibans), ...option }),
    );
  }
  if (account !== undefined) return [account];
  throw new InputError(message("columns_none", { columns: samples(sample), ...option }));
}

function recognisedAccount(sample: SampleRows): CheckedNumber | undefined {
  const [blz, ...otherBlz] = blzColumns(sample);
  const [kontonummer, ...otherKontonummer] = kontonummerColumns(sample).filter((column) => column !== blz);
  const isClear = otherBlz.length + otherKontonummer.length === 0;
  return blz !== undefined && kontonummer !== undefined && isClear ? accountOf(kontonummer, blz) : undefined;
}

/** Two columns: kontonummer and BLZ in either order, or IBANs, by what most of their fields look like. */
function pairOf(sample: SampleRows, first: number, second: number, optionName: OptionName) {
  const ibans = [...ibanColumns(sample), ...columnsOfMost(sample.rows, looksLikeIban)];
  const bankCodes = columnsOfMost(sample.rows, (text) => looksLikeBlz(text.replace(/[.-]/g, "")));
  const pair = [first, second];
  const found = pair.filter((column) => ibans.includes(column));
  if (found.length === 2) return ibansOf(sample, pair);
  if (found.length === 1) {
    const params = { columns: columnNames(sample, pair), option: optionName("bic-column") };
    throw new InputError(message("columns_unequal", params));
  }
  const isSwapped = bankCodes.includes(first) && !bankCodes.includes(second);
  return [isSwapped ? accountOf(second, first) : accountOf(first, second)];
}

export function accountOf(kontonummer: number, blz: number): CheckedNumber {
  return { kind: "account", columns: [kontonummer, blz], prefix: "" };
}

/** Returns the numbers of columns with IBANs; of several, each has the name of its column for a prefix. */
export function ibansOf({ header }: SampleRows, columns: readonly number[]): readonly CheckedNumber[] {
  const names = distinctNames(header, Math.max(...columns) + 1);
  return columns.map((iban) => {
    const prefix = columns.length === 1 ? "" : `${names[iban]}_`;
    return { kind: "iban", columns: [iban], prefix };
  });
}

/** Names for columns, of which no two are alike: of two keys of one name a reader of JSON keeps one. */
export function distinctNames(names: readonly string[] | undefined, width: number): readonly string[] {
  const keys = new Set<string>();
  for (let column = 1; column <= width; column++) {
    let key = names?.[column - 1] || `column_${column}`;
    while (keys.has(key)) key += `_${column}`;
    keys.add(key);
  }
  return [...keys];
}

function columnOf({ header, rows }: SampleRows, column: string): number {
  const named = (form: (name: string) => string) =>
    (header ?? []).flatMap((name, index) => (form(name) === form(column) ? [index] : []));
  const exact = named((name) => name);
  const alike = exact.length > 0 ? exact : named(plainName);
  if (alike.length === 1) return alike[0]!;
  if (alike.length > 1) {
    const numbers = alike.map((index) => index + 1).join(", ");
    throw new InputError(message("columns_same_name", { column: JSON.stringify(column), numbers }));
  }
  const width = header?.length ?? rows[0]?.length ?? 0;
  const number = /^\d{1,4}$/.test(column) ? Number(column) : 0;
  if (number >= 1 && number <= width) return number - 1;
  const columns = header === undefined ? `1 … ${width}` : listed(header.map(shortened), ", ");
  throw new InputError(message("columns_unknown", { column: JSON.stringify(column), columns }));
}

function columnNames({ header }: SampleRows, columns: readonly number[]): string {
  const names = columns.map((column) => {
    const name = header?.[column];
    if (name === undefined) return `number ${column + 1}`;
    const isOne = header!.indexOf(name) === header!.lastIndexOf(name);
    return isOne ? shortened(name) : `${shortened(name)} (number ${column + 1})`;
  });
  return listed(names, ", ");
}

/** How much of a name or field a message shows, and of how many columns. */
const maxShownLength = 40;
const maxShownColumns = 100;

function shortened(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}

function listed(columns: readonly string[], separator: string): string {
  const more = columns.length > maxShownColumns ? ["…"] : [];
  return [...columns.slice(0, maxShownColumns), ...more].join(separator);
}

/** Each column with its number, its name and its first field that is not empty. */
function samples({ header, rows }: SampleRows): string {
  const width = Math.max(header?.length ?? 0, ...rows.map((row) => row.length));
  const columns = Array.from({ length: Math.min(width, maxShownColumns + 1) }, (_, column) => {
    const field = rows.map((row) => row[column] ?? "").find((text) => text.trim() !== "") ?? "";
    const name = header?.[column] === undefined ? "" : ` ${shortened(header[column])}`;
    return `  ${column + 1}${name}: ${field === "" ? "(empty)" : JSON.stringify(shortened(field))}`;
  });
  return listed(columns, "\n");
}
