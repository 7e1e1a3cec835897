import { buildDirectory } from "../../src/banks/directory/build.ts";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { type BankRecord, type DirectoryEdition, unknownBank } from "../../src/banks/directory/record.ts";
import type { LoadedEdition } from "../../src/banks/editions/load.ts";

const german = { list: "blz", edition: "2026-09-07" };
const origin = { name: german, bic: german };

/** Makes a German main record in which only the given fields differ from an ordinary one. */
export function germanBank(fields: Partial<BankRecord> = {}): BankRecord {
  return {
    ...unknownBank,
    bankCode: "37040044",
    bic: "COBADEFFXXX",
    name: "Commerzbank",
    shortName: "Commerzbank Köln",
    zip: "50447",
    location: "Köln",
    method: "13",
    rule: "000503",
    ruleSource: "published",
    sepa: { sct: 1, sdd: 1, b2b: 1, scc: 1 },
    origin,
    ...fields,
  };
}

/** Makes a record of an Italian bank in which only the given fields differ from an ordinary one. */
export function italianBank(fields: Partial<BankRecord> = {}): BankRecord {
  return {
    ...unknownBank,
    country: "IT",
    bankCode: "05428",
    bic: "BLOPIT22",
    name: "UBI Banca",
    sepa: { sct: 1, sdd: 1, b2b: 0, scc: 0 },
    origin,
    ...fields,
  };
}

/** Edition used where a test does not care for it. */
export const someEdition = { german: "2026-09-07", other: "2025-09" } as const;

/** Makes a directory of records, in an edition that no test cares for unless it says so. */
export function directoryOf(records: readonly BankRecord[], edition: DirectoryEdition = someEdition) {
  return new BankDirectory(buildDirectory(records, edition));
}

/** Makes the facts about a loaded edition in which only the given ones differ from those of an ordinary one. */
export function loadedEdition(german: string, facts: Partial<LoadedEdition> = {}): LoadedEdition {
  return {
    edition: { german, other: "2025-09" },
    bytes: 1,
    blzCount: 3_000,
    recordCount: 33_000,
    lists: [],
    registers: [],
    files: [],
    localUntil: null,
    withdrawn: [],
    nextChange: null,
    isForced: false,
    validUntil: null,
    ...facts,
  };
}
