import { methodIndexOf } from "../../banking/germany/methods.ts";
import { ibanCountries, ibanCountryByCode } from "../../banking/iban/registry.ts";
import { CODE_BYTES, record as field, NO_METHOD, recordFlag } from "./directory-layout.ts";
import type { BankOrigin, BankRecord } from "./record.ts";

const textFields = ["bic", "name", "shortName", "zip", "location", "method", "rule", "successor"] as const;
const sepaSources = ["assumed", "directory", "inherited", "local"] as const;
const ruleSources = [null, "published", "inferred"] as const;

/** Writes a checked record, but for fragment and answer class, to byte `at`; the memory there must be zero. */
export function writeRecord(
  view: DataView,
  at: number,
  record: BankRecord,
  reference: (text: string | null) => number,
): void {
  const { country, method, main, deleteMark, successor, removed } = record;
  const bytes = Buffer.from(view.buffer, view.byteOffset + at);
  bytes.write(record.bankCode, field.bankCode, "latin1");
  bytes.write(record.branchCode, field.branchCode, "latin1");
  for (const name of textFields) view.setUint32(at + field[name], reference(record[name]), true);
  const methodIndex = method === null ? -1 : methodIndexOf(method);
  view.setUint8(at + field.methodIndex, methodIndex < 0 ? NO_METHOD : methodIndex);
  view.setUint8(at + field.country, ibanCountryByCode(country)!.index);
  const { sct, sdd, b2b, scc } = record.sepa;
  view.setUint8(at + field.sepa, sct | (sdd << 1) | (b2b << 2) | (scc << 3));
  view.setUint8(at + field.sepaSource, sepaSources.indexOf(record.sepaSource));
  view.setUint8(at + field.ruleSource, ruleSources.indexOf(record.ruleSource));
  // A bank code that was merged into another is answered as one that is marked.
  const isMarked = deleteMark === true || (country !== "DE" && successor !== null);
  const flags =
    (main ? recordFlag.main : 0) |
    (deleteMark === null ? 0 : recordFlag.deletionKnown) |
    (isMarked ? recordFlag.deletionMarked : 0) |
    (removed === true ? recordFlag.removed : 0);
  view.setUint8(at + field.flags, flags);
}

/** Decodes the record that `writeRecord` wrote to byte `at` of a directory with these origins. */
export function readRecord(bytes: Buffer, at: number, origins: readonly BankOrigin[]): BankRecord {
  const reference = (name: (typeof textFields)[number]) => bytes.readUInt32LE(at + field[name]);
  const flags = bytes.readUInt8(at + field.flags);
  const sepa = bytes.readUInt8(at + field.sepa);
  const bit = (place: number): 0 | 1 => (((sepa >> place) & 1) === 0 ? 0 : 1);
  return {
    country: ibanCountries[bytes.readUInt8(at + field.country)]!.code,
    bankCode: readCode(bytes, at + field.bankCode, CODE_BYTES.bank),
    branchCode: readCode(bytes, at + field.branchCode, CODE_BYTES.branch),
    bic: readTextOrNull(bytes, reference("bic")),
    name: readText(bytes, reference("name")),
    shortName: readText(bytes, reference("shortName")),
    zip: readText(bytes, reference("zip")),
    location: readText(bytes, reference("location")),
    method: readTextOrNull(bytes, reference("method")),
    rule: readTextOrNull(bytes, reference("rule")),
    ruleSource: ruleSources[bytes.readUInt8(at + field.ruleSource)] ?? null,
    main: (flags & recordFlag.main) !== 0,
    deleteMark: (flags & recordFlag.deletionKnown) === 0 ? null : (flags & recordFlag.deletionMarked) !== 0,
    ...((flags & recordFlag.removed) === 0 ? {} : { removed: true }),
    successor: readTextOrNull(bytes, reference("successor")),
    sepa: { sct: bit(0), sdd: bit(1), b2b: bit(2), scc: bit(3) },
    sepaSource: sepaSources[bytes.readUInt8(at + field.sepaSource)]!,
    origin: origins[bytes.readUInt16LE(at + field.answerClass)]!,
  };
}

/** Decodes the text that a reference leads to, the byte offset of the text's length. */
export function readText(bytes: Buffer, reference: number): string {
  return bytes.toString("utf8", reference + 2, reference + 2 + bytes.readUInt16LE(reference));
}

export function readTextOrNull(bytes: Buffer, reference: number): string | null {
  return reference === 0 ? null : readText(bytes, reference);
}

function readCode(bytes: Buffer, at: number, maxBytes: number): string {
  const [code = ""] = bytes.toString("latin1", at, at + maxBytes).split("\0", 1);
  return code;
}
