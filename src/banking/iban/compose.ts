import { ibanCheckDigits } from "../mod97.ts";
import { firstStructureFault } from "./bban.ts";
import { ibanCountryByCode } from "./registry.ts";

/**
 * Joins a country code, the computed check digits and a BBAN into an IBAN.
 *
 * `countryCode` is one of the 89 registered codes, `bban` fits that country's structure and is in upper case without
 * spaces; otherwise a RangeError says which does not. National check digits are taken as they stand.
 * Source: ISO 13616-1; SWIFT IBAN Registry, release 102.
 */
export function composeIban(countryCode: string, bban: string): string {
  const country = ibanCountryByCode(countryCode);
  if (country === undefined) throw new RangeError(`"${countryCode}" is not in the IBAN registry`);
  const iban = countryCode + ibanCheckDigits(countryCode, bban) + bban;
  if (iban.length !== country.ibanLength || firstStructureFault(country, iban) >= 0) {
    throw new RangeError(`"${bban}" does not fit the BBAN structure of ${countryCode}`);
  }
  return iban;
}
