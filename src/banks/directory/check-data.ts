import type { SepaMethods } from "../../banking/sepa.ts";
import type { BankRecord } from "./record.ts";

export interface CheckDataParts {
  readonly iban: string | null;
  readonly kto: string;
  readonly blz: string;
  readonly country: string;
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

export function ibanData(parts: CheckDataParts, sepa: SepaMethods) {
  return { ...checkData(parts), sepa_methods: sepa };
}

/** Longest fragment in bytes; the kernel counts on it when it looks for room. */
export const MAX_FRAGMENT_BYTES = 1024;

/** In place of the account number in a German fragment. */
export const kontonummerZeros = "0000000000";

/**
 * Returns the part of an IBAN answer's `data` object that depends on the bank alone, from `bic` to `location`, as JSON. A
 * German fragment has ten zeros in place of the account number, every other one an empty `kto`.
 */
export function bankFragment(record: BankRecord): string {
  const kto = record.country === "DE" ? kontonummerZeros : "";
  const parts = { iban: null, kto, blz: record.bankCode, country: record.country, bank: record };
  const { iban: _, country: __, ...fields } = checkData(parts);
  return JSON.stringify(fields).slice(1, -1);
}
