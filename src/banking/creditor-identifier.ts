import { ibanCheckDigits } from "./mod97.ts";

/**
 * Whether a SEPA creditor identifier (AT-02) has its form and right check digits.
 *
 * The check digits cover the country and the national part; the business code in characters 5 to 7 and all but letters
 * and digits do not count. Source: EPC262-08, creditor identifier overview; ISO 7064 MOD 97-10.
 *
 * @example isCreditorIdentifier("DE98ZZZ09999999999") // → true
 */
export function isCreditorIdentifier(text: string): boolean {
  const compact = text.replace(/[^a-z\d]/gi, "").toUpperCase();
  const [, country, digits, national] = /^([A-Z]{2})(\d\d)[A-Z\d]{3}([A-Z\d]{1,28})$/.exec(compact) ?? [];
  return country !== undefined && ibanCheckDigits(country, national!) === digits;
}
