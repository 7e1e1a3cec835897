import { isBic } from "../../banking/bic.ts";
import { DataFileError, lineOfRow, readCsv } from "./csv.ts";

/** Columns of the normal form of a scheme register of the European Payments Council. */
export const epcColumns = [
  "country",
  "name",
  "address",
  "city",
  "bic",
  "ready",
  "leaving",
  "options",
] as const;

/** What a scheme register says of one participant. */
export interface Participant {
  readonly bic: string;
  readonly name: string;
  /** First day of its participation, and the day it leaves; `""` where the register names none. */
  readonly ready: string;
  readonly leaving: string;
}

/**
 * Reads a scheme register in its normal form.
 *
 * @throws {DataFileError} for a row that does not follow the file's form, or a BIC given twice.
 */
export function readEpcCsv(file: string, content: Uint8Array): Participant[] {
  const seen = new Set<string>();
  return readCsv(file, content, epcColumns).map(([, name, , , bic, ready, leaving], index) => {
    const fault = (reason: string): DataFileError => new DataFileError(file, lineOfRow(index), reason);
    if (!isBic(bic)) throw fault(`BIC "${bic}" is not in ISO 9362 format`);
    if (seen.has(bic)) throw fault(`BIC ${bic} is there already`);
    seen.add(bic);
    return { bic, name, ready, leaving };
  });
}
