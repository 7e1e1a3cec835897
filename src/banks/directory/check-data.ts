import type { SepaMethods } from "../../banking/sepa.ts";
import type { BankRecord } from "./record.ts";

/** Values that make up the `data` object of a check. */
export interface CheckDataParts {
  readonly iban: string | null;
  readonly kto: string;
  readonly blz: string;
  readonly country: string;
  /** Undefined where it is not known. */
  readonly bank: Pick<BankRecord, "bic" | "name" | "zip" | "location"> | undefined;
}

/**
 * Returns the fields that the `data` objects of all checks have, in the specified order.
 *
 * The one list of them: the reference answers with this object, the banks' fragments that the kernel copies are cut from
 * its JSON. Source: interface specification, section "Check data".
 */
export function checkData({ iban, kto, blz, country, bank }: CheckDataParts) {
  return {
    iban,
    bic: bank?.bic ?? null,
    kto,
    blz,
    bank: bank?.name ?? "",
    zip: bank?.zip ?? "",
    location: bank?.location ?? "",
    country,
  };
}

/** Returns the `data` object of an IBAN check. */
export function ibanData(parts: CheckDataParts, sepa: SepaMethods) {
  return { ...checkData(parts), sepa_methods: sepa };
}

/** Longest fragment in bytes; the kernel counts on it when it looks for room. */
export const MAX_FRAGMENT_BYTES = 1024;

/** Placeholder of the account number in a German fragment. */
const KONTONUMMER_PLACE = "0000000000";

/** Placeholder of the IBAN in the JSON, where it comes first. */
const IBAN_PLACE = "";

const head = `{"iban":"${IBAN_PLACE}"`;

/**
 * Returns the part of an IBAN answer's `data` object that depends on the bank alone: all JSON after the IBAN.
 *
 * A German fragment has ten zeros in place of the account number, every other one an empty `kto`.
 */
export function bankFragment(record: BankRecord): string {
  const parts = {
    iban: IBAN_PLACE,
    kto: record.country === "DE" ? KONTONUMMER_PLACE : "",
    blz: record.bankCode,
    country: record.country,
    bank: record,
  };
  return JSON.stringify(ibanData(parts, record.sepa)).slice(head.length);
}

/** Returns the byte offset of the ten account digits inside a fragment, or -1 if it has none. */
export function kontonummerPlace({ country }: BankRecord, fragment: string): number {
  return country === "DE" ? placeBehind('"kto":"', fragment) : -1;
}

/** Returns the byte offset of the digit of the first SEPA scheme inside a fragment. */
export function sepaPlace(fragment: string): number {
  return placeBehind('"sepa_methods":{"sct":', fragment);
}

/** How far the SEPA digits are apart from the first one. */
export const sepaDigitOffsets = sepaOffsets({ sct: 0, sdd: 0, b2b: 0, scc: 0 });

function sepaOffsets(methods: SepaMethods): Readonly<Record<keyof SepaMethods, number>> {
  const text = JSON.stringify(methods);
  const first = text.indexOf("0");
  const entries = Object.keys(methods).map((scheme) => [
    scheme,
    text.indexOf(`"${scheme}":`) + scheme.length + 3 - first,
  ]);
  return Object.fromEntries(entries) as Readonly<Record<keyof SepaMethods, number>>;
}

function placeBehind(mark: string, fragment: string): number {
  const at = fragment.indexOf(mark);
  if (at < 0) throw new RangeError(`a fragment without ${mark}`);
  return Buffer.byteLength(fragment.slice(0, at + mark.length));
}
