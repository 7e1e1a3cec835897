import { methodIndexOf } from "../../banking/germany/methods.ts";
import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import type { TextPool } from "./arena.ts";
import { record as field, NO_METHOD, recordFlag, sepaBit } from "./directory-layout.ts";
import { type BankRecord, textFields } from "./record.ts";

/**
 * Writes a checked record in the directory's layout to byte `at`; the memory there must be zero.
 *
 * The code that places its fragment and its BIC list writes their fields.
 */
export function writeRecord(view: DataView, at: number, record: BankRecord, texts: TextPool): void {
  writeAscii(view, at + field.bankCode, record.bankCode);
  writeAscii(view, at + field.branchCode, record.branchCode);
  for (const name of textFields) view.setUint32(at + field[name], texts.reference(record[name]), true);
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
    (isReplaced(record) ? recordFlag.deletionMarked : 0) |
    (record.ruleSource === "published" ? recordFlag.rulePublished : 0) |
    (record.ruleSource === "inferred" ? recordFlag.ruleInferred : 0) |
    (isOneOf(record, "directory", "local") ? recordFlag.sepaFromDirectory : 0) |
    (isOneOf(record, "inherited", "local") ? recordFlag.sepaInherited : 0) |
    (record.removed === true ? recordFlag.removed : 0)
  );
}

function isOneOf({ sepaSource }: BankRecord, ...sources: readonly BankRecord["sepaSource"][]): boolean {
  return sources.includes(sepaSource);
}

/** Whether a bank code is marked for deletion, or was merged into another. */
function isReplaced({ country, deleteMark, successor }: BankRecord): boolean {
  return deleteMark === true || (country !== "DE" && successor !== null);
}

function writeAscii(view: DataView, at: number, text: string): void {
  for (let position = 0; position < text.length; position++)
    view.setUint8(at + position, text.charCodeAt(position));
}
