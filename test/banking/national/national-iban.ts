import { ibanCountryByCode } from "../../../src/banking/iban/registry.ts";
import type { NationalCheck } from "../../../src/banking/national/national-check.ts";
import { asciiBytes } from "../iban/bytes.ts";

function checkOf(iban: string): NationalCheck | null {
  return ibanCountryByCode(iban.slice(0, 2))!.nationalCheck;
}

/** Whether the national check digits of an IBAN are right; true for a country that has none. */
export function matchesNationally(iban: string): boolean {
  return checkOf(iban)?.matches(asciiBytes(iban, 2), 6) ?? true;
}

/** The check digits that would be right for an IBAN of a country that has some. */
export function expectedFor(iban: string): string | null {
  return checkOf(iban)!.expected(asciiBytes(iban, 2), 6);
}

/** The characters of an IBAN at the places of its national check digits. */
export function checkDigitsOf(iban: string): string {
  return checkOf(iban)!
    .spans.map((span) => iban.slice(4 + span.start, 4 + span.start + span.length))
    .join("");
}

/** Puts characters at the places of an IBAN's national check digits; the IBAN's own check digits stay as they are. */
export function withCheckDigits(iban: string, checkDigits: string): string {
  const characters = [...iban];
  let next = 0;
  for (const span of checkOf(iban)!.spans) {
    for (let at = 0; at < span.length; at++) characters[4 + span.start + at] = checkDigits[next++]!;
  }
  return characters.join("");
}
