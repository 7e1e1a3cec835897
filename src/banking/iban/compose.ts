import { DIGIT_0 } from "../ascii.ts";
import { ibanCheckDigits } from "../mod97.ts";
import { characterKinds } from "./bban.ts";
import { ibanCountryByCode } from "./registry.ts";

/** Room for the longest IBAN of ISO 13616-1; composing is synchronous, so one buffer serves every call. */
const scratch = new Uint8Array(34);

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
  const classes = country.classes;
  let fits = bban.length === classes.length;
  for (let at = 0; fits && at < bban.length; at++) {
    const code = bban.charCodeAt(at);
    fits = code < 128 && (characterKinds[code]! & classes[at]!) !== 0;
    scratch[at + 4] = code;
  }
  if (!fits) throw new RangeError(`"${bban}" does not fit the BBAN structure of ${countryCode}`);
  scratch[0] = countryCode.charCodeAt(0);
  scratch[1] = countryCode.charCodeAt(1);
  const checkDigits = ibanCheckDigits(scratch, 0, country.ibanLength);
  const tens = String.fromCharCode(DIGIT_0 + Math.floor(checkDigits / 10));
  return countryCode + tens + (checkDigits % 10) + bban;
}
