import { isOfInstitution } from "../../banking/bic.ts";
import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import { assumedSepaMethods, type SepaMethods } from "../../banking/sepa.ts";
import { type BankRecord, type FactSource, unknownBank } from "../directory/record.ts";
import { recordFault } from "../directory/record-check.ts";
import { isDay } from "../editions/days.ts";
import { type CsvRow, csvText, lineOfRow, type MakeRowError, readRows } from "./csv.ts";
import { DataFileError } from "./data-file.ts";

export const overridesFile = "overrides.csv";

const overridesColumns = ["country", "bank_code", "name", "bic", "schemes", "valid_until"] as const;

const fields = ["country", "bankCode", "name", "bic", "schemes", "validUntil"] as const;

/**
 * Facts about a bank that an operator knows better than the lists, as in the file; `""` for those that the lists state. The
 * schemes are like `sct,sdd`, or `none`; the last day is like `2026-12-31`.
 */
export type Override = Readonly<Record<(typeof fields)[number], string>>;

const schemeNames: readonly string[] = ["sct", "sdd", "b2b", "scc"];

function sepaMethodsOf(schemes: string): SepaMethods {
  const of = (scheme: string) => (schemes.split(",").includes(scheme) ? 1 : 0);
  return { sct: of("sct"), sdd: of("sdd"), b2b: of("b2b"), scc: of("scc") };
}

/** Returns the fault of an entry as half a sentence; undefined for one that may be stored. */
export function overrideFault(entry: Override): string | undefined {
  const { country, bankCode, name, bic, schemes, validUntil } = entry;
  if (name === "" && bic === "" && schemes === "") return "it states neither name, BIC nor schemes";
  if (validUntil !== "" && !isDay(validUntil)) return `"${validUntil}" is not a day`;
  if (!["", "none"].includes(schemes) && !schemes.split(",").every((scheme) => schemeNames.includes(scheme)))
    return `"${schemes}" is not a list of schemes: sct, sdd, b2b and scc separated by commas, or none`;
  return recordFault({ ...unknownBank, country, bankCode, name: name || "Bank", bic: bic || null });
}

/** Reads the local entries. A last line that does not end is refused: its rest and further ones may be missing. */
export function readOverridesCsv(file: string, content: Uint8Array): Override[] {
  const read = (row: CsvRow<typeof overridesColumns>, fault: MakeRowError): Override => {
    const entry = Object.fromEntries(fields.map((field, place) => [field, row[place]])) as Override;
    const reason = overrideFault(entry);
    if (reason !== undefined) throw fault(reason);
    return entry;
  };
  const rows = readRows(file, content, overridesColumns, read, ([country, code]) => `${country} ${code}`);
  if (content.at(-1) !== "\n".charCodeAt(0))
    throw new DataFileError(file, lineOfRow(rows.length - 1), "the line does not end: the file is cut off");
  return rows;
}

export function overridesText(entries: readonly Override[]): string {
  return csvText([overridesColumns, ...entries.map((entry) => fields.map((field) => entry[field]))]);
}

export function isExpired({ validUntil }: Override, day: string): boolean {
  return validUntil !== "" && validUntil < day;
}

const local: FactSource = { list: "local", edition: null };

/**
 * Returns records with what the local entries state, and with a bank for each entry that has a name and a code in no list.
 * The SEPA schemes to assume follow the BIC. `german` is the list of German bank codes.
 */
export function withLocalEntries(
  records: readonly BankRecord[],
  entries: readonly Override[],
  german: FactSource,
): readonly BankRecord[] {
  if (entries.length === 0) return records;
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  const listed = new Set(records.map(keyOf));
  const added = entries
    .filter((entry) => entry.name !== "" && !listed.has(keyOf(entry)))
    .map(({ country, bankCode }) => {
      const sepa = assumedSepaMethods(ibanCountryByCode(country)!, null);
      return { ...unknownBank, country, bankCode, sepa, origin: { name: local, bic: local } };
    });
  return [...records, ...added].map((record) => {
    const entry = byKey.get(keyOf(record));
    return entry === undefined ? record : withEntry(record, entry, german);
  });
}

function withEntry(record: BankRecord, entry: Override, german: FactSource): BankRecord {
  const { bic, schemes } = entry;
  const { origin = { name: german, bic: german } } = record;
  // A further location has a name of its own.
  const name = record.main ? entry.name : "";
  // Further BICs were found beside the one that is replaced.
  const isOther = bic !== "" && !isOfInstitution(bic, record.bic);
  return {
    ...record,
    ...(name === "" ? {} : { name, shortName: "" }),
    ...(bic === "" ? {} : { bic, sepa: assumedSepaMethods(ibanCountryByCode(record.country)!, bic) }),
    ...(isOther && record.otherBics ? { otherBics: { ...record.otherBics, further: [] } } : {}),
    ...(schemes === "" ? {} : { sepa: sepaMethodsOf(schemes), sepaSource: "local" }),
    origin: { name: name === "" ? origin.name : local, bic: bic === "" ? origin.bic : local },
    fault: (reason) => new DataFileError(overridesFile, 1, reason),
  };
}

export function keyOf({ country, bankCode }: Pick<Override, "country" | "bankCode">): string {
  return `${country} ${bankCode}`;
}
