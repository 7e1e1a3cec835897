import { isBic } from "../../banking/bic.ts";
import type { SepaMethods } from "../../banking/sepa.ts";
import { DataFileError, lineOfRow, readCsv } from "./csv.ts";

/** Columns of the normal form of a clearing directory. */
export const sclColumns = ["bic", "name", "sct", "sdd", "b2b", "scc"] as const;

/** What a directory of reachable payment service providers says of one BIC. */
export interface SclEntry extends SepaMethods {
  /** 8 or 11 characters, as the directory gives it. */
  readonly bic: string;
  readonly name: string;
}

/**
 * Reads a clearing directory in its normal form: which SEPA services each BIC takes part in. Entry `i` is in row `i`.
 *
 * @throws {DataFileError} for a row that does not follow the file's form, or a BIC given twice.
 */
export function readSclCsv(file: string, content: Uint8Array): SclEntry[] {
  const seen = new Set<string>();
  return readCsv(file, content, sclColumns).map(([bic, name, ...services], index) => {
    const fault = (reason: string): DataFileError => new DataFileError(file, lineOfRow(index), reason);
    if (!isBic(bic)) throw fault(`BIC "${bic}" is not in ISO 9362 format`);
    if (seen.has(bic)) throw fault(`BIC ${bic} is there already`);
    seen.add(bic);
    const [sct, sdd, b2b, scc] = services.map((service) => {
      if (service !== "0" && service !== "1") throw fault(`the service flag "${service}" is neither 0 nor 1`);
      return service === "1" ? 1 : 0;
    }) as [0 | 1, 0 | 1, 0 | 1, 0 | 1];
    return { bic, name, sct, sdd, b2b, scc };
  });
}
