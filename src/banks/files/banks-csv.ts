import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import { assumedSepaMethods } from "../../banking/sepa.ts";
import { type BankOrigin, type BankRecord, type FactSource, unknownBank } from "../directory/record.ts";
import { statedDay } from "../editions/days.ts";
import { type CsvRow, lineOfRow, readCsv, readRows } from "./csv.ts";
import { DataFileError } from "./data-file.ts";

export const blzColumns = [
  "Bankleitzahl",
  "Merkmal",
  "Bezeichnung",
  "PLZ",
  "Ort",
  "Kurzbezeichnung",
  "PAN",
  "BIC",
  "Prüfzifferberechnungsmethode",
  "Datensatznummer",
  "Änderungskennzeichen",
  "Bankleitzahllöschung",
  "Nachfolge-Bankleitzahl",
  "IBAN-Regel",
  "Quelle",
] as const;

const ruleSources: ReadonlyMap<string, BankRecord["ruleSource"]> = new Map([
  ["P", "published"],
  ["I", "inferred"],
  ["", null],
]);

/** Has `fault` from the start: added to each record later, it would slow down every pass over all of them. */
const listedBank: BankRecord = { fault: (reason) => new RangeError(reason), ...unknownBank };

/**
 * Reads a file of German banks: the Bundesbank's CSV columns, then `IBAN-Regel` and `Quelle`.
 *
 * A row without Datensatznummer, as the shipped file has them, holds placeholders in PAN and Änderungskennzeichen; one
 * with anything else there is refused. Where no such row is marked for deletion or has a successor, the file does not know
 * either (null). A bank code counts as marked for deletion when that is announced (Bankleitzahllöschung 1) and when it has
 * happened (Änderungskennzeichen D). A further location has the SEPA flags, deletion mark and successor of its main record,
 * which it must follow.
 */
export function readBlzCsv(file: string, content: Uint8Array): BankRecord[] {
  const germany = ibanCountryByCode("DE")!;
  const rows = readCsv(file, content, blzColumns);
  const knowsMarks = rows.some((row) => row[9] === "" && (row[11] === "1" || row[12] !== noSuccessor));
  /** What further locations have in common with their main record. */
  let shared = listedBank;
  return rows.map((row, index) => {
    const fault = (reason: string) => new DataFileError(file, lineOfRow(index), reason);
    const [blz, merkmal, name, zip, location, shortName, , bic, method] = row;
    const [rule, source] = [row[13], row[14]];
    const isPlaceholder = row[9] === "";
    if (merkmal !== "1" && merkmal !== "2") throw fault(`Merkmal "${merkmal}" is neither 1 nor 2`);
    if (isPlaceholder && `${row[6]};${row[10]}` !== ";U") {
      throw fault("PAN and Änderungskennzeichen must hold placeholders where the Datensatznummer is empty");
    }
    if (!/^[ADMU];[01]$/.test(`${row[10]};${row[11]}`)) {
      throw fault("Änderungskennzeichen and Bankleitzahllöschung are not known ones");
    }
    const ruleSource = ruleSources.get(source);
    if (ruleSource === undefined) throw fault(`Quelle "${source}" is neither P nor I nor empty`);
    if (merkmal === "1") {
      const deletion = isPlaceholder && !knowsMarks ? {} : readDeletion(row);
      const sepa = assumedSepaMethods(germany, bic || null);
      shared = { ...listedBank, bankCode: blz, ...deletion, sepa };
    } else if (shared.bankCode !== blz) {
      throw fault(`further location of ${blz} does not follow its main record`);
    }
    return {
      ...shared,
      bic: bic || null,
      name,
      shortName,
      zip,
      location,
      method: method || null,
      rule: rule || null,
      ruleSource,
      main: merkmal === "1",
      fault,
    };
  });
}

const noSuccessor = "00000000";

function readDeletion(row: CsvRow<typeof blzColumns>): Partial<BankRecord> {
  const successor = row[12] === noSuccessor ? null : row[12];
  if (row[10] === "D") return { deleteMark: true, removed: true, successor };
  return { deleteMark: row[11] === "1", successor };
}

export const banksColumns = [
  "country",
  "bank_code",
  "branch_code",
  "bic",
  "name",
  "short_name",
  "zip",
  "city",
  "source",
  "edition",
] as const;

/**
 * Reads who states the name and the BIC of a row: `schwifty+name:press` of `2025.09.0+2024-08-23` states the BIC in
 * September 2025, and the press the name on a day in 2024. Undefined if the two do not have equally many parts.
 */
function originOf(source: string, edition: string): BankOrigin | undefined {
  const [sources, editions] = [source.split("+"), edition.split("+")];
  if (sources.length !== editions.length || [...sources, ...editions].includes("")) return undefined;
  const of = (field: string): FactSource => {
    const own = sources.findIndex((one) => one.startsWith(`${field}:`));
    const at = Math.max(own, 0);
    return { list: sources[at]!.replace(/^\w+:/, ""), edition: statedDay(editions[at]!) };
  };
  return { name: of("name"), bic: of("bic") };
}

/** Reads a file of the other countries' banks. Equal origins are one object. */
export function readBanksCsv(file: string, content: Uint8Array): BankRecord[] {
  const origins = new Map<string, BankOrigin | undefined>();
  return readRows(file, content, banksColumns, (row, fault) => {
    const [code, bankCode, branchCode, bic, name, shortName, zip, location, source, edition] = row;
    const country = ibanCountryByCode(code);
    if (country === undefined) throw fault(`country "${code}" is not in the IBAN registry`);
    if (code === "DE") throw fault("German banks belong in the file of German banks");
    const stated = `${source};${edition}`;
    if (!origins.has(stated)) origins.set(stated, originOf(source, edition));
    const origin = origins.get(stated);
    if (origin === undefined) throw fault("source and edition must be named, with equally many parts");
    return {
      ...listedBank,
      country: code,
      bankCode,
      branchCode,
      bic: bic || null,
      name,
      shortName,
      zip,
      location,
      sepa: assumedSepaMethods(country, bic || null),
      origin,
      fault,
    };
  });
}
