import { isOfInstitution } from "../../banking/bic.ts";
import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import { assumedSepaMethods, type SepaMethods } from "../../banking/sepa.ts";
import { type BankOrigin, type BankRecord, type FactSource, unknownBank } from "../directory/record.ts";
import { recordFault } from "../directory/record-check.ts";
import { isDay } from "../editions/days.ts";
import { csvText, lineOfRow, readRows } from "./csv.ts";
import { DataFileError } from "./data-file.ts";

/** The file of the local entries in a data folder. */
export const overridesFile = "overrides.csv";

const overridesColumns = ["country", "bank_code", "name", "bic", "schemes", "valid_until"] as const;

/** Facts about a bank that an operator knows better than the lists; null for those that the lists state. */
export interface Override {
  readonly country: string;
  readonly bankCode: string;
  readonly name: string | null;
  readonly bic: string | null;
  readonly schemes: SepaMethods | null;
  /** Last day, like `2026-12-31`. */
  readonly validUntil: string | null;
}

const schemeNames = ["sct", "sdd", "b2b", "scc"] as const;

/** Reads SEPA schemes, `sct,sdd` or `none`; undefined for any other text. */
export function schemesIn(text: string): SepaMethods | undefined {
  const named = text === "none" ? [] : text.split(",");
  if (named.some((name) => !(schemeNames as readonly string[]).includes(name))) return undefined;
  const of = (scheme: string) => (named.includes(scheme) ? 1 : 0);
  return { sct: of("sct"), sdd: of("sdd"), b2b: of("b2b"), scc: of("scc") };
}

/** Writes SEPA schemes as `schemesIn` reads them. */
export function schemesText(schemes: SepaMethods): string {
  return schemeNames.filter((scheme) => schemes[scheme] === 1).join(",") || "none";
}

/** Returns the fault of an entry as half a sentence; undefined for one that may be stored. */
export function overrideFault(entry: Override): string | undefined {
  const { country, bankCode, name, bic, schemes, validUntil } = entry;
  if (name === null && bic === null && schemes === null) return "it states neither name, BIC nor schemes";
  if (validUntil !== null && !isDay(validUntil)) return `"${validUntil}" is not a day`;
  return recordFault({ ...unknownBank, country, bankCode, name: name ?? "Bank", bic });
}

/**
 * Reads the local entries.
 *
 * @throws {DataFileError} for a row that does not follow the file's form, a bank code listed twice, and a
 *   last line that does not end: its rest and further ones may be missing.
 */
export function readOverridesCsv(file: string, content: Uint8Array): Override[] {
  const seen = new Set<string>();
  const rows = readRows(file, content, overridesColumns, (row, fault) => {
    const [country, bankCode, name, bic, schemes, validUntil] = row;
    const methods = schemes === "" ? null : schemesIn(schemes);
    if (methods === undefined) throw fault(`"${schemes}" is not a list of schemes like sct,sdd`);
    const entry: Override = {
      ...{ country, bankCode, name: name || null, bic: bic || null },
      ...{ schemes: methods, validUntil: validUntil || null },
    };
    const reason = overrideFault(entry);
    if (reason !== undefined) throw fault(reason);
    if (seen.has(keyOf(entry))) throw fault(`${keyOf(entry)} is listed twice`);
    seen.add(keyOf(entry));
    return entry;
  });
  if (content.at(-1) !== "\n".charCodeAt(0))
    throw new DataFileError(file, lineOfRow(rows.length - 1), "the line does not end: the file is cut off");
  return rows;
}

/** Returns the text of the file of these entries. */
export function overridesText(entries: readonly Override[]): string {
  return csvText([
    overridesColumns,
    ...entries.map(({ country, bankCode, name, bic, schemes, validUntil }) => {
      const methods = schemes === null ? "" : schemesText(schemes);
      return [country, bankCode, name ?? "", bic ?? "", methods, validUntil ?? ""];
    }),
  ]);
}

/** The local entries of a day. */
export interface LocalEntries {
  readonly entries: readonly Override[];
  /** Last day before one of them expires; undefined if none does. */
  readonly until: string | undefined;
}

/** Returns the entries that are valid on a day. */
export function entriesOn(entries: readonly Override[], day: string): LocalEntries {
  const valid = entries.filter(({ validUntil }) => validUntil === null || validUntil >= day);
  return { entries: valid, until: valid.flatMap(({ validUntil }) => validUntil ?? []).sort()[0] };
}

const local: FactSource = { list: "local", edition: null };
const localFault = (reason: string) => new DataFileError(overridesFile, 1, reason);

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
  const left = new Map(byKey);
  const changed = records.map((record) => {
    const entry = byKey.get(keyOf(record));
    if (entry === undefined) return record;
    left.delete(keyOf(record));
    const listed = { origin: { name: german, bic: german }, ...record, fault: localFault };
    // A further location has a name of its own.
    return { ...withNameAndBic(listed, record.main ? entry : { ...entry, name: null }), ...schemesOf(entry) };
  });
  const added = [...left.values()].filter(({ name }) => name !== null);
  return [
    ...changed,
    ...added.map((entry) => {
      const { country, bankCode } = entry;
      const bank = {
        ...unknownBank,
        country,
        bankCode,
        origin: { name: local, bic: local },
        fault: localFault,
      };
      const sepa = assumedSepaMethods(ibanCountryByCode(country)!, null);
      return { ...withNameAndBic({ ...bank, sepa }, entry), ...schemesOf(entry) };
    }),
  ];
}

function withNameAndBic(
  record: BankRecord & { readonly origin: BankOrigin },
  { name, bic }: Override,
): BankRecord {
  const named: BankRecord =
    name === null ? record : { ...record, name, shortName: "", origin: { ...record.origin, name: local } };
  if (bic === null) return named;
  const sepa = assumedSepaMethods(ibanCountryByCode(record.country)!, bic);
  const stated: BankRecord = { ...named, bic, sepa, origin: { ...named.origin!, bic: local } };
  const { otherBics } = record;
  // Further BICs were found beside the one that is replaced.
  const isSame = otherBics === undefined || isOfInstitution(bic, record.bic);
  return isSame ? stated : { ...stated, otherBics: { ...otherBics, further: [] } };
}

function schemesOf({ schemes }: Override): Partial<BankRecord> {
  return schemes === null ? {} : { sepa: schemes, sepaSource: "local" };
}

/** Returns the country and bank code of a bank, as people write them. */
export function keyOf({ country, bankCode }: Pick<Override, "country" | "bankCode">): string {
  return `${country} ${bankCode}`;
}
