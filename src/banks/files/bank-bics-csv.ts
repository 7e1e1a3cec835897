import { isBic, isOfInstitution } from "../../banking/bic.ts";
import type { BankRecord, FormerBic, OtherBics } from "../directory/record.ts";
import { readRows } from "./csv.ts";

const bankBicsColumns = ["country", "bank_code", "bic", "kind", "until", "main", "source"] as const;

/** BICs of a bank code besides the one in its list. */
interface ListedBics extends OtherBics {
  /** The one in the list that these were found beside; `""` for none. */
  readonly main: string;
}

/** Other BICs by country and bank code, `DE 37040044`. */
type BankBics = ReadonlyMap<string, ListedBics>;

/**
 * Reads a file of further and former BICs.
 *
 * @throws {DataFileError} for a row that does not follow the file's form.
 */
export function readBankBicsCsv(file: string, content: Uint8Array): BankBics {
  const found = new Map<
    string,
    { readonly main: string; readonly further: string[]; readonly former: FormerBic[] }
  >();
  readRows(file, content, bankBicsColumns, ([country, bankCode, bic, kind, until, main], fault) => {
    for (const one of main === "" ? [bic] : [bic, main])
      if (!isBic(one)) throw fault(`"${one}" is not a BIC`);
    if (!/^(\d{4}-\d\d-\d\d)?$/.test(until)) throw fault(`"${until}" is not a day`);
    if (kind !== "also" && kind !== "former") throw fault(`"${kind}" is neither also nor former`);
    const key = `${country} ${bankCode}`;
    const others = found.get(key) ?? { main, further: [], former: [] };
    found.set(key, others);
    if (kind === "also") others.further.push(bic);
    else others.former.push({ bic, until: until || null });
  });
  return found;
}

/** Returns records with the other BICs of their bank codes. */
export function withOtherBics(records: readonly BankRecord[], bics: BankBics): readonly BankRecord[] {
  return records.map((record) => {
    const others = record.main ? bics.get(`${record.country} ${record.bankCode}`) : undefined;
    return others === undefined ? record : { ...record, otherBics: uncontradicted(record, others) };
  });
}

/**
 * Returns what a list leaves of a code's other BICs: if it states another BIC than the one that they were found beside,
 * the further ones are not known to be right any more, and that one is former.
 */
function uncontradicted({ bic }: BankRecord, { main, further, former }: ListedBics): OtherBics {
  if (bic === null || main === "" || isOfInstitution(bic, main)) return { further, former };
  const all = [...former, { bic: main, until: null }];
  return { further: [], former: all.filter((one) => !isOfInstitution(bic, one.bic)) };
}
