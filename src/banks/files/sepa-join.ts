import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import type { SepaMethods } from "../../banking/sepa.ts";
import type { BankRecord } from "../directory/record.ts";
import type { SclEntry } from "./scl-csv.ts";

type Sepa = Pick<BankRecord, "sepa" | "sepaSource">;

const institutionLength = 8;
const headOffice = "XXX";

/**
 * Returns the records with the SEPA flags of a clearing directory in place of the assumed ones.
 *
 * The bank's BIC counts first as it stands, then with XXX added or left off (a directory may list both forms, with
 * different flags), then that of the head office, whose flags a branch inherits: a convention that the directory does
 * not confirm. What is not listed, a bank without BIC and one of a country outside SEPA keep what was assumed. A further
 * location of a German bank has the flags of its main record, which must precede it.
 */
export function joinSepaFlags(
  records: readonly BankRecord[],
  entries: readonly Omit<SclEntry, "name">[],
): BankRecord[] {
  const flagsByBic = new Map(
    entries.map(({ bic, sct, sdd, b2b, scc }) => [bic, Object.freeze({ sct, sdd, b2b, scc })]),
  );
  const mainFlags = new Map<string, Sepa>();
  return records.map((record) => {
    const { country, bankCode, main } = record;
    const found = main ? joined(record, flagsByBic) : (mainFlags.get(bankCode) ?? record);
    const { sepa, sepaSource } = found;
    if (main && country === "DE") mainFlags.set(bankCode, { sepa, sepaSource });
    return { ...record, sepa, sepaSource };
  });
}

function joined(record: BankRecord, flagsByBic: ReadonlyMap<string, SepaMethods>): Sepa {
  const { bic, country } = record;
  if (bic === null || ibanCountryByCode(country)?.sepa !== true) return record;
  const listed = flagsByBic.get(bic);
  if (listed !== undefined) return { sepa: listed, sepaSource: "directory" };
  const institution = bic.slice(0, institutionLength);
  const ofHeadOffice = flagsByBic.get(institution) ?? flagsByBic.get(institution + headOffice);
  if (ofHeadOffice === undefined) return record;
  const isHeadOffice = bic === institution || bic === institution + headOffice;
  return { sepa: ofHeadOffice, sepaSource: isHeadOffice ? "directory" : "inherited" };
}
