import { ibanCountries } from "../../banking/iban/registry.ts";
import { CODE_BYTES, record as field, recordFlag, sepaBit } from "./directory-layout.ts";
import type { BankRecord } from "./record.ts";

/** Decodes the text a reference leads to: the byte offset of the text's length in the view. */
export function readText(view: DataView, reference: number): string {
  const length = view.getUint16(reference, true);
  return Buffer.from(view.buffer, view.byteOffset + reference + 2, length).toString();
}

/** Decodes the record that is at byte offset `at` of a directory, the inverse of `writeRecord`. */
export function readRecord(view: DataView, at: number): BankRecord {
  const reference = (offset: number): number => view.getUint32(at + offset, true);
  const text = (offset: number): string => readText(view, reference(offset));
  const textOrNull = (offset: number): string | null => (reference(offset) === 0 ? null : text(offset));
  const flags = view.getUint8(at + field.flags);
  const sepa = view.getUint8(at + field.sepa);
  return {
    country: ibanCountries[view.getUint8(at + field.country)]!.code,
    bankCode: readAscii(view, at + field.bankCode, CODE_BYTES.bank),
    branchCode: readAscii(view, at + field.branchCode, CODE_BYTES.branch),
    bic: textOrNull(field.bic),
    name: text(field.name),
    shortName: text(field.shortName),
    zip: text(field.zip),
    location: text(field.location),
    method: textOrNull(field.method),
    rule: textOrNull(field.rule),
    ruleSource: ruleSourceOf(flags),
    main: (flags & recordFlag.main) !== 0,
    deleteMark: (flags & recordFlag.deletionKnown) === 0 ? null : (flags & recordFlag.deletionMarked) !== 0,
    ...((flags & recordFlag.removed) === 0 ? {} : { removed: true }),
    successor: textOrNull(field.successor),
    sepa: {
      sct: bitOf(sepa, sepaBit.sct),
      sdd: bitOf(sepa, sepaBit.sdd),
      b2b: bitOf(sepa, sepaBit.b2b),
      scc: bitOf(sepa, sepaBit.scc),
    },
    sepaSource: sepaSourceOf(flags),
  };
}

function sepaSourceOf(flags: number): BankRecord["sepaSource"] {
  if ((flags & recordFlag.sepaFromDirectory) !== 0) return "directory";
  return (flags & recordFlag.sepaInherited) !== 0 ? "inherited" : "assumed";
}

function ruleSourceOf(flags: number): BankRecord["ruleSource"] {
  if ((flags & recordFlag.rulePublished) !== 0) return "published";
  return (flags & recordFlag.ruleInferred) !== 0 ? "inferred" : null;
}

function bitOf(bits: number, bit: number): 0 | 1 {
  return (bits & bit) === 0 ? 0 : 1;
}

function readAscii(view: DataView, at: number, most: number): string {
  let text = "";
  for (let position = 0; position < most; position++) {
    const byte = view.getUint8(at + position);
    if (byte === 0) break;
    text += String.fromCharCode(byte);
  }
  return text;
}
