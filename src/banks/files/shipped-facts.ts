import { isBic, isOfInstitution } from "../../banking/bic.ts";
import type { BankRecord, FormerBic, OtherBics } from "../directory/record.ts";
import { readRows } from "./csv.ts";

/** The shipped files of facts beyond the lists: further and former BICs, and successors of bank codes. */
export const bankBicsFile = "bank-bics.csv";
export const formerCodesFile = "former-codes.csv";

const bankBicsColumns = ["country", "bank_code", "bic", "kind", "until", "main", "source"] as const;
const formerCodesColumns = ["country", "bank_code", "successor", "since", "source"] as const;

/**
 * Reads the BICs of bank codes besides the one in their list, by country and bank code, `DE 37040044`; `main` is the one in
 * the list that they were found beside, `""` for none.
 */
export function readBankBicsCsv(file: string, content: Uint8Array) {
  const found = new Map<string, { main: string; further: string[]; former: FormerBic[] }>();
  readRows(file, content, bankBicsColumns, ([country, bankCode, bic, kind, until, main], fault) => {
    for (const one of main === "" ? [bic] : [bic, main])
      if (!isBic(one)) throw fault(`"${one}" is not a BIC`);
    if (!dayOrNone.test(until)) throw fault(`"${until}" is not a day`);
    if (kind !== "also" && kind !== "former") throw fault(`"${kind}" is neither also nor former`);
    const key = `${country} ${bankCode}`;
    const others = found.get(key) ?? { main, further: [], former: [] };
    found.set(key, others);
    if (kind === "also") others.further.push(bic);
    else others.former.push({ bic, until: until || null });
  });
  return found;
}

const dayOrNone = /^(\d{4}-\d\d-\d\d)?$/;

/** Reads the bank codes that were merged into others: the code that follows, or its bank where the code is not known. */
export function readFormerCodesCsv(file: string, content: Uint8Array) {
  const rows = readRows(file, content, formerCodesColumns, ([country, bankCode, successor, since], fault) => {
    if (country === "DE") throw fault("the list of German bank codes states their successors");
    if (successor === "" || successor === bankCode) throw fault("it names no successor");
    if (!dayOrNone.test(since)) throw fault(`"${since}" is not a day`);
    return [`${country} ${bankCode}`, successor] as const;
  });
  return new Map<string, string>(rows);
}

export function withShippedFacts(
  record: BankRecord,
  bics: ReturnType<typeof readBankBicsCsv>,
  successors: ReturnType<typeof readFormerCodesCsv>,
): BankRecord {
  const key = `${record.country} ${record.bankCode}`;
  const others = record.main ? bics.get(key) : undefined;
  const successor = successors.get(key);
  if (others === undefined && successor === undefined) return record;
  return {
    ...record,
    ...(others && { otherBics: uncontradicted(record, others) }),
    successor: successor ?? record.successor,
  };
}

/**
 * Returns what a list leaves of a code's other BICs: if it states another BIC than the one that they were found beside,
 * the further ones are not known to be right any more, and that one is former.
 */
function uncontradicted(
  { bic }: BankRecord,
  { main, further, former }: OtherBics & { readonly main: string },
): OtherBics {
  if (bic === null || main === "" || isOfInstitution(bic, main)) return { further, former };
  const all = [...former, { bic: main, until: null }];
  return { further: [], former: all.filter((one) => !isOfInstitution(bic, one.bic)) };
}
