import { ibanCountryByCode } from "../banking/iban/registry.ts";
import { assumedSepaMethods } from "../banking/sepa.ts";
import { DataFileError, lineOfRow, readCsv } from "./csv.ts";
import type { BankRecord } from "./record.ts";

const columns = [
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

/** Values of PAN, Datensatznummer, Änderungskennzeichen, Bankleitzahllöschung and Nachfolge-Bankleitzahl that mean "unknown". */
const placeholders = ";;U;0;00000000";

/**
 * Reads the shipped file of German banks: the Bundesbank's CSV columns, then `IBAN-Regel` and `Quelle`.
 *
 * Deletion mark and successor are unknown (null) in every record, since the shipped file holds placeholders there; a
 * row with anything else in those columns is refused. A further location has the SEPA flags of its main record.
 * Record `i` stands in row `i` of the file. The records are not yet checked against the registry.
 *
 * @throws {DataFileError} for a row that does not follow the file's form or a further location not behind its bank.
 */
export function readBlzCsv(file: string, content: Uint8Array): BankRecord[] {
  const records: BankRecord[] = [];
  const germany = ibanCountryByCode("DE")!;
  let main: BankRecord | undefined;
  for (const row of readCsv(file, content, columns)) {
    const line = lineOfRow(records.length);
    const [blz, merkmal, name, zip, location, shortName, , bic, method] = row;
    const [rule, source] = [row[13], row[14]];
    if (merkmal !== "1" && merkmal !== "2")
      throw new DataFileError(file, line, `Merkmal "${merkmal}" is neither 1 nor 2`);
    if (`${row[6]};${row[9]};${row[10]};${row[11]};${row[12]}` !== placeholders) {
      throw new DataFileError(
        file,
        line,
        "PAN to Nachfolge-Bankleitzahl do not hold the placeholders of this file",
      );
    }
    const ruleSource = ruleSources.get(source);
    if (ruleSource === undefined)
      throw new DataFileError(file, line, `Quelle "${source}" is neither P nor I nor empty`);
    if (merkmal === "2" && main?.bankCode !== blz) {
      throw new DataFileError(file, line, `further location of ${blz} does not stand behind its main record`);
    }
    const record: BankRecord = {
      country: "DE",
      bankCode: blz,
      branchCode: "",
      bic: bic || null,
      name,
      shortName,
      zip,
      location,
      method: method || null,
      rule: rule || null,
      ruleSource,
      main: merkmal === "1",
      deleteMark: null,
      successor: null,
      sepa: merkmal === "2" ? main!.sepa : assumedSepaMethods(germany, bic || null),
      sepaSource: "assumed",
    };
    if (record.main) main = record;
    records.push(record);
  }
  return records;
}
