import { isBic } from "../../banking/bic.ts";
import { asciiBytes, remainder97 } from "../../banking/mod97.ts";
import { DataFileError, lineOfRow, readCsv } from "./csv.ts";

/** Columns of the normal form of the LEIs by BIC. */
export const leiColumns = ["bic", "lei"] as const;

/** Columns of the normal form of the list of monetary financial institutions. */
export const mfiColumns = [
  "riad_code",
  "lei",
  "bic",
  "country",
  "name",
  "address",
  "zip",
  "city",
  "category",
] as const;

const leiForm = /^[A-Z0-9]{18}\d{2}$/;

/** Whether a text is a legal entity identifier with right check digits (ISO 17442: modulo 97 of ISO 7064). */
export function isLei(text: string): boolean {
  return leiForm.test(text) && remainder97(asciiBytes(text), 0, text.length) === 1;
}

/** What the list of monetary financial institutions says of one. */
export interface Institution {
  /** `""` where the list names none. */
  readonly lei: string;
  readonly bic: string;
  readonly name: string;
  readonly zip: string;
  readonly city: string;
}

/**
 * Reads the LEIs by BIC.
 *
 * @throws {DataFileError} for a row that does not follow the file's form, or a BIC given twice.
 */
export function readLeiCsv(file: string, content: Uint8Array): Map<string, string> {
  const leis = new Map<string, string>();
  for (const [index, [bic, lei]] of readCsv(file, content, leiColumns).entries()) {
    const fault = (reason: string): DataFileError => new DataFileError(file, lineOfRow(index), reason);
    if (!isBic(bic)) throw fault(`BIC "${bic}" is not in ISO 9362 format`);
    if (!isLei(lei)) throw fault(`LEI "${lei}" is not one by ISO 17442`);
    if (leis.has(bic)) throw fault(`BIC ${bic} is there already`);
    leis.set(bic, lei);
  }
  return leis;
}

/**
 * Reads the list of monetary financial institutions.
 *
 * @throws {DataFileError} for a row that does not follow the file's form, or a RIAD code given twice.
 */
export function readMfiCsv(file: string, content: Uint8Array): Institution[] {
  const seen = new Set<string>();
  return readCsv(file, content, mfiColumns).map(([riad, lei, bic, , name, , zip, city], index) => {
    const fault = (reason: string): DataFileError => new DataFileError(file, lineOfRow(index), reason);
    if (seen.has(riad)) throw fault(`RIAD code ${riad} is there already`);
    if (lei !== "" && !isLei(lei)) throw fault(`LEI "${lei}" is not one by ISO 17442`);
    if (bic !== "" && !isBic(bic)) throw fault(`BIC "${bic}" is not in ISO 9362 format`);
    seen.add(riad);
    return { lei, bic, name, zip, city };
  });
}
