import type { BankRecord } from "./record.ts";

/** Longest fragment in bytes; the answer writer reckons with it when it sizes an answer. */
export const MAX_FRAGMENT_BYTES = 1024;

/** How many bytes before a fragment's end each of the four SEPA digits stands; the same in every fragment. */
export const sepaDigitFromEnd = { sct: 27, sdd: 19, b2b: 11, scc: 3 } as const;

const KONTONUMMER_PLACE = "0000000000";

/**
 * Writes the part of an IBAN answer's `data` object that depends on the bank alone: from the comma before `"bic"` to
 * the brace that closes `data`.
 *
 * A German fragment holds ten zeros in the place of the account number, every other one an empty `kto`.
 * Source: interface specification, "Check data"; order of the fields as there.
 */
export function bankFragment(record: BankRecord): string {
  const { sct, sdd, b2b, scc } = record.sepa;
  return (
    `${beforeKontonummer(record)}${record.country === "DE" ? KONTONUMMER_PLACE : ""}"` +
    `,"blz":"${record.bankCode}","bank":${JSON.stringify(record.name)}` +
    `,"zip":${JSON.stringify(record.zip)},"location":${JSON.stringify(record.location)}` +
    `,"country":"${record.country}","sepa_methods":{"sct":${sct},"sdd":${sdd},"b2b":${b2b},"scc":${scc}}}`
  );
}

/** Gives the byte offset of the ten account digits inside a record's fragment, or -1 where it has none. */
export function kontonummerPlace(record: BankRecord): number {
  return record.country === "DE" ? beforeKontonummer(record).length : -1;
}

function beforeKontonummer(record: BankRecord): string {
  return `,"bic":${record.bic === null ? "null" : `"${record.bic}"`},"kto":"`;
}
