import { CharClass, characterKinds } from "../banking/iban/bban.ts";
import { type IbanCountry, ibanCountryOf } from "../banking/iban/registry.ts";
import { isDigit, isUpperLetter } from "../banking/mod97.ts";
import { isoPower, isoValue } from "./characters.ts";

/** Where the BBAN begins in an IBAN: after the country code and the check digits. */
export const bbanStart = 4;

/** Returns the `CharClass` of a place of a country's IBAN. */
export function classAt(country: IbanCountry, at: number): number {
  if (at >= bbanStart) return country.classes[at - bbanStart]!;
  return at < 2 ? CharClass.a : CharClass.n;
}

/** Whether a text begins as IBANs do: two letters, then check digits between 02 and 98. */
export function beginsAsIban(text: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0, fourth = 0] = text;
  if (!isUpperLetter(first) || !isUpperLetter(second) || !isDigit(third) || !isDigit(fourth)) return false;
  const checkDigits = isoValue[third]! * 10 + isoValue[fourth]!;
  return checkDigits >= 2 && checkDigits <= 98;
}

/**
 * Returns the country of an IBAN whose length, structure and ISO check digits are right; undefined for any other text.
 *
 * Source: ISO 13616-1; SWIFT IBAN Registry, release 102; ISO 7064 MOD 97-10.
 */
export function countryOfRightIban(text: Uint8Array): IbanCountry | undefined {
  const country = ibanCountryOf(text[0]!, text[1]!);
  if (country?.ibanLength !== text.length || !beginsAsIban(text)) return undefined;
  let remainder = 0;
  for (let at = bbanStart; at < text.length; at++) {
    const code = text[at]!;
    if ((characterKinds[code]! & country.classes[at - bbanStart]!) === 0) return undefined;
    remainder = (remainder * isoPower[code]! + isoValue[code]!) % 97;
  }
  for (let at = 0; at < bbanStart; at++)
    remainder = (remainder * isoPower[text[at]!]! + isoValue[text[at]!]!) % 97;
  return remainder === 1 ? country : undefined;
}

/** Whether a text has length and structure of a country's IBAN, whatever its check digits. */
export function fitsStructure(text: Uint8Array, country: IbanCountry): boolean {
  if (text.length !== country.ibanLength) return false;
  return text.every((code, at) => (characterKinds[code]! & classAt(country, at)) !== 0);
}

/** Returns a text as the engine takes it: one byte per character, 0 for any that no IBAN contains. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) =>
    character.length === 1 && character < "\u0080" ? character.charCodeAt(0) : 0,
  );
}
