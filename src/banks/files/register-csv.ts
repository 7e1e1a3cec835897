import { fullBic, headOfficeBic, isBic } from "../../banking/bic.ts";
import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import type { SepaMethods } from "../../banking/sepa.ts";
import type { BankRecord } from "../directory/record.ts";
import { type BicFacts, type LoadedRegister, type Scheme, schemeRegisters } from "../lookup/bics.ts";
import { type CsvRow, type MakeRowError, readRows } from "./csv.ts";

export const sclColumns = ["bic", "name", "sct", "sdd", "b2b", "scc"] as const;

/**
 * Reads a clearing directory in its normal form: which SEPA services each BIC, of 8 or 11 characters as in the directory,
 * takes part in.
 */
export function readSclCsv(file: string, content: Uint8Array) {
  const read = ([bic, name, ...services]: CsvRow<typeof sclColumns>, fault: MakeRowError) => {
    const wrong = services.find((service) => service !== "0" && service !== "1");
    if (wrong !== undefined) throw fault(`the service flag "${wrong}" is neither 0 nor 1`);
    const [sct, sdd, b2b, scc] = services.map(Number) as [0 | 1, 0 | 1, 0 | 1, 0 | 1];
    return { bic: checkedBic(bic, fault), name, sct, sdd, b2b, scc };
  };
  return readRows(file, content, sclColumns, read, ([bic]) => `BIC ${bic}`);
}

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

/**
 * Reads a scheme register of the European Payments Council in its normal form: the participants, with the first day of the
 * participation and the day it ends, `""` where the register names none.
 */
export function readEpcCsv(file: string, content: Uint8Array) {
  const read = (row: CsvRow<typeof epcColumns>, fault: MakeRowError) => {
    const [, name, , city, bic, ready, leaving] = row;
    return { bic: checkedBic(bic, fault), name, city, ready, leaving };
  };
  return readRows(file, content, epcColumns, read, (row) => `BIC ${row[4]}`);
}

function checkedBic(bic: string, fault: MakeRowError): string {
  if (!isBic(bic)) throw fault(`BIC "${bic}" is not in ISO 9362 format`);
  return bic;
}

interface Register {
  readonly edition: { readonly validFrom: string };
  readonly rows: ReturnType<typeof readEpcCsv>;
}

/** Joins the entries of clearing directory and scheme registers by their BIC of 11 characters. */
export function joinRegisters(
  clearing: ReturnType<typeof readSclCsv>,
  registers: Readonly<Partial<Record<(typeof schemeRegisters)[Scheme], Register>>>,
): LoadedRegister {
  const byBic = new Map<string, BicFacts>();
  const factsOf = (bic: string, name: string): BicFacts =>
    byBic.get(fullBic(bic)) ?? { name, location: null, schemes: {} };
  for (const { bic, name, ...sepa } of clearing) byBic.set(fullBic(bic), { sepa, ...factsOf(bic, name) });
  const editions: Partial<Record<Scheme, string>> = {};
  for (const scheme of Object.keys(schemeRegisters) as Scheme[]) {
    const register = registers[schemeRegisters[scheme]];
    if (register !== undefined) editions[scheme] = register.edition.validFrom;
    for (const { bic, name, city, ready, leaving } of register?.rows ?? []) {
      const facts = factsOf(bic, name);
      const location = facts.location ?? (city || null);
      const schemes = { ...facts.schemes, [scheme]: { since: ready || null, until: leaving || null } };
      byBic.set(fullBic(bic), { ...facts, location, schemes });
    }
  }
  return { editions, facts: byBic };
}

type Sepa = Pick<BankRecord, "sepa" | "sepaSource">;

/**
 * Returns the records with the SEPA flags of a clearing directory in place of the assumed ones.
 *
 * The bank's BIC is looked up unchanged first, then with XXX added or left off (a directory may list both forms, with
 * different flags), then that of the head office, whose flags a branch inherits: a convention that the directory does
 * not confirm. What is not listed, a bank without BIC, one of a country outside SEPA and one with a local entry keep what they have. A further
 * location of a German bank has the flags of its main record, which it must follow.
 */
export function joinSepaFlags(
  records: readonly BankRecord[],
  entries: readonly (SepaMethods & { readonly bic: string })[],
): BankRecord[] {
  const flagsByBic = new Map(
    entries.map(({ bic, sct, sdd, b2b, scc }) => [bic, Object.freeze({ sct, sdd, b2b, scc })]),
  );
  let ofMain: Sepa | undefined;
  return records.map((record) => {
    if (record.main || ofMain === undefined) ofMain = joined(record, flagsByBic);
    const { sepa, sepaSource } = ofMain;
    return { ...record, sepa, sepaSource };
  });
}

function joined(record: BankRecord, flagsByBic: ReadonlyMap<string, SepaMethods>): Sepa {
  const { bic, country, sepaSource } = record;
  if (sepaSource === "local" || bic === null || ibanCountryByCode(country)?.sepa !== true) return record;
  const listed = flagsByBic.get(bic);
  if (listed !== undefined) return { sepa: listed, sepaSource: "directory" };
  const headOffice = headOfficeBic(bic);
  const ofHeadOffice = flagsByBic.get(headOffice.slice(0, 8)) ?? flagsByBic.get(headOffice);
  if (ofHeadOffice === undefined) return record;
  const isHeadOffice = fullBic(bic) === headOffice;
  return { sepa: ofHeadOffice, sepaSource: isHeadOffice ? "directory" : "inherited" };
}
