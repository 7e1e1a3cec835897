import {
  blzColumns,
  ibanColumns,
  kontonummerColumns,
  type Sample,
} from "../../console/batch/column-kinds.ts";
import { InputError } from "./input-error.ts";

/** What the rows of a file hold: an IBAN, or an account number and a bank code, by the place of their columns. */
export type CheckedColumns =
  | { readonly kind: "iban"; readonly iban: number }
  | { readonly kind: "account"; readonly kontonummer: number; readonly blz: number };

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
  const ibans = ibanColumns(sample);
  if (ibans.length === 1) return { kind: "iban", iban: ibans[0]! };
  if (ibans.length > 1) {
    throw new InputError(
      `Several columns look like IBANs: ${told(sample, ibans)}. Choose one with --column.`,
    );
  }
  const [blz, ...otherBlz] = blzColumns(sample);
  const [kontonummer, ...otherKontonummer] = kontonummerColumns(sample).filter((column) => column !== blz);
  const isClear = otherBlz.length + otherKontonummer.length === 0;
  if (blz !== undefined && kontonummer !== undefined && isClear) return { kind: "account", kontonummer, blz };
  throw new InputError(
    "No column looks like IBANs, and no two like kontonummer and BLZ. Choose with --column, by name or number.",
  );
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
