import { InputError } from "./input-error.ts";

/** What the rows of a file hold: an IBAN, or an account number and a bank code, by the place of their columns. */
export type CheckedColumns =
  | { readonly kind: "iban"; readonly iban: number }
  | { readonly kind: "account"; readonly kontonummer: number; readonly blz: number };

/** The first rows of a file, as its columns are recognised by them. */
export interface Sample {
  /** Names of the columns; undefined where the file has no header. */
  readonly header: readonly string[] | undefined;
  readonly rows: readonly (readonly string[])[];
}

const ibanName = /^(iban|iban[ _-]?(nr|nummer|number))$/i;
const kontonummerName = /^(konto|kto|account)([ ._-]*(nr|nummer|no|number))?\.?$/i;
const blzName = /^(blz|bankleitzahl|bank[ _-]?code)$/i;

/** Whether text looks like an IBAN, right or wrong. */
export function looksLikeIban(text: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text.replaceAll(" ", "").toUpperCase());
}

const looksLikeBlz = (text: string) => /^[1-8]\d{7}$/.test(text.replaceAll(" ", ""));
const looksLikeKontonummer = (text: string) => /^\d{1,10}$/.test(text);

/**
 * Finds the columns to check: those that are named, or else the one that looks like IBANs, or else those that look
 * like kontonummer and BLZ; names of columns count before what is in them. Throws an InputError where that cannot be told.
 *
 * @param wanted names or numbers (from 1) of the columns: one for IBANs, two for kontonummer and BLZ.
 */
export function findColumns(sample: Sample, wanted: readonly string[]): CheckedColumns {
  const [first, second, ...more] = wanted.map((column) => columnOf(sample, column));
  if (more.length > 0) throw new InputError("Name one column for IBANs, or two for kontonummer and BLZ.");
  if (first !== undefined && second !== undefined) {
    return { kind: "account", kontonummer: first, blz: second };
  }
  if (first !== undefined) return { kind: "iban", iban: first };
  const ibans = pick(sample, ibanName, looksLikeIban);
  if (ibans.length === 1) return { kind: "iban", iban: ibans[0]! };
  if (ibans.length > 1) {
    throw new InputError(
      `Several columns look like IBANs: ${told(sample, ibans)}. Choose one with --column.`,
    );
  }
  const [blz, ...otherBlz] = pick(sample, blzName, looksLikeBlz);
  const [kontonummer, ...otherKontonummer] = pick(sample, kontonummerName, looksLikeKontonummer).filter(
    (column) => column !== blz,
  );
  const isClear = otherBlz.length + otherKontonummer.length === 0;
  if (blz !== undefined && kontonummer !== undefined && isClear) return { kind: "account", kontonummer, blz };
  throw new InputError(
    "No column looks like IBANs, and no two like kontonummer and BLZ. Choose with --column, by name or number.",
  );
}

/** The columns whose name fits, or where there are none those most of whose fields look right. */
function pick({ header, rows }: Sample, name: RegExp, looksRight: (text: string) => boolean): number[] {
  const named = (header ?? []).flatMap((column, index) => (name.test(column.trim()) ? [index] : []));
  if (named.length > 0) return named;
  const width = Math.max(header?.length ?? 0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, index) => index).filter((index) => {
    const filled = rows.map((row) => row[index] ?? "").filter((text) => text.trim() !== "");
    return filled.length > 0 && filled.filter(looksRight).length * 2 > filled.length;
  });
}

function columnOf({ header, rows }: Sample, column: string): number {
  const named = header?.indexOf(column) ?? -1;
  if (named >= 0) return named;
  const width = header?.length ?? rows[0]?.length ?? 0;
  const number = /^\d{1,4}$/.test(column) ? Number(column) : 0;
  if (number >= 1 && number <= width) return number - 1;
  const known = header === undefined ? `numbers 1 to ${width}` : header.join(", ");
  throw new InputError(`There is no column ${JSON.stringify(column)}; there are: ${known}.`);
}

function told({ header }: Sample, columns: readonly number[]): string {
  return columns.map((column) => header?.[column] ?? `number ${column + 1}`).join(", ");
}

/**
 * Whether the first row names the columns: no field of it looks like data, and one below it does.
 *
 * @param wanted columns asked for; one that is in the first row by its name makes it a header.
 */
export function hasHeader(rows: readonly (readonly string[])[], wanted: readonly string[]): boolean {
  const [first = [], ...others] = rows;
  if (wanted.some((column) => !/^\d+$/.test(column) && first.includes(column))) return true;
  const looksLikeData = (text: string) =>
    looksLikeIban(text) || looksLikeBlz(text) || looksLikeKontonummer(text);
  if (first.some(looksLikeData)) return false;
  if (first.some((text) => [ibanName, kontonummerName, blzName].some((name) => name.test(text.trim()))))
    return true;
  return others.some((row) => row.some(looksLikeData));
}
