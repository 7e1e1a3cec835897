import type { BankRecord } from "../directory/record.ts";
import { readRows } from "./csv.ts";

const formerCodesColumns = ["country", "bank_code", "successor", "since", "source"] as const;

/** By country and bank code, `FR 30076`: the code that follows, or its bank where the code is not known. */
type Successors = ReadonlyMap<string, string>;

/**
 * Reads the bank codes that were merged into others.
 *
 * @throws {DataFileError} for a row that does not follow the file's form.
 */
export function readFormerCodesCsv(file: string, content: Uint8Array): Successors {
  const rows = readRows(file, content, formerCodesColumns, ([country, bankCode, successor, since], fault) => {
    if (country === "DE") throw fault("the list of German bank codes states their successors");
    if (successor === "" || successor === bankCode) throw fault("it names no successor");
    if (!/^(\d{4}-\d\d-\d\d)?$/.test(since)) throw fault(`"${since}" is not a day`);
    return [`${country} ${bankCode}`, successor] as const;
  });
  return new Map(rows);
}

/** Returns records with the successors of their bank codes. */
export function withSuccessors(
  records: readonly BankRecord[],
  successors: Successors,
): readonly BankRecord[] {
  return records.map((record) => {
    const successor = successors.get(`${record.country} ${record.bankCode}`);
    return successor === undefined ? record : { ...record, successor };
  });
}
