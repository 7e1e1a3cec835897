import { methodIndexOf } from "../../banking/germany/methods.ts";
import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import type { TextPool } from "./arena.ts";
import { record as field, NO_METHOD, recordFlag, sepaBit } from "./directory-layout.ts";
import type { BankRecord } from "./record.ts";

/**
 * Writes what a checked record says, in the directory's layout, to byte `at`; the memory there must be zero.
 *
 * What its fragment and its BIC list need is written by whoever places those.
 */
export function writeRecord(view: DataView, at: number, record: BankRecord, texts: TextPool): void {
  writeAscii(view, at + field.bankCode, record.bankCode);
  writeAscii(view, at + field.branchCode, record.branchCode);
  view.setUint32(at + field.bic, texts.reference(record.bic), true);
  view.setUint32(at + field.name, texts.reference(record.name), true);
  view.setUint32(at + field.shortName, texts.reference(record.shortName), true);
  view.setUint32(at + field.zip, texts.reference(record.zip), true);
  view.setUint32(at + field.location, texts.reference(record.location), true);
  view.setUint32(at + field.method, texts.reference(record.method), true);
  view.setUint32(at + field.rule, texts.reference(record.rule), true);
  view.setUint32(at + field.successor, texts.reference(record.successor), true);
  const method = record.method === null ? -1 : methodIndexOf(record.method);
  view.setUint8(at + field.methodIndex, method < 0 ? NO_METHOD : method);
  view.setUint8(at + field.country, ibanCountryByCode(record.country)!.index);
  view.setUint8(at + field.sepa, sepaBits(record));
  view.setUint8(at + field.flags, flagBits(record));
}

function sepaBits(record: BankRecord): number {
  const { sct, sdd, b2b, scc } = record.sepa;
  return sct * sepaBit.sct + sdd * sepaBit.sdd + b2b * sepaBit.b2b + scc * sepaBit.scc;
}

function flagBits(record: BankRecord): number {
  return (
    (record.main ? recordFlag.main : 0) |
    (record.deleteMark === null ? 0 : recordFlag.deletionKnown) |
    (record.deleteMark === true ? recordFlag.deletionMarked : 0) |
    (record.ruleSource === "published" ? recordFlag.rulePublished : 0) |
    (record.ruleSource === "inferred" ? recordFlag.ruleInferred : 0) |
    (record.sepaSource === "directory" ? recordFlag.sepaFromDirectory : 0) |
    (record.sepaSource === "inherited" ? recordFlag.sepaInherited : 0) |
    (record.removed === true ? recordFlag.removed : 0)
  );
}

function writeAscii(view: DataView, at: number, text: string): void {
  for (let position = 0; position < text.length; position++)
    view.setUint8(at + position, text.charCodeAt(position));
}
