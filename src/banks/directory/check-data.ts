import type { SepaMethods } from "../../banking/sepa.ts";
import type { BankRecord } from "./record.ts";

/** What the `data` object of a check is made from. */
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
