import registry from "../../data/iban-registry.json" with { type: "json" };
import iso3166 from "../../data/iso-3166.json" with { type: "json" };
import { normaliseIban } from "./iban/normalise.ts";

const bicCountries: ReadonlySet<string> = new Set([...iso3166.alpha2, ...iso3166.bicOnly]);
const ibanCountryOfBicCountry: ReadonlyMap<string, string> = new Map(
  Object.entries(registry.bicCountryAliases.map),
);

/**
 * Brings a BIC as people write it into the form the checks take, as `normaliseIban` does an IBAN.
 *
 * @example normaliseBic(" cobadeff ") // → "COBADEFF"
 */
export function normaliseBic(text: string): string {
  return normaliseIban(text);
}

/**
 * Whether a normalised text has the form of a BIC with an existing country.
 *
 * 8 or 11 characters, the first six letters, then letters or digits; the fifth and sixth are an ISO 3166-1 code or
 * XK. False is the interface's error `invalid_bic`. ISO 9362:2014 would allow digits in the first four characters;
 * none are issued, and the interface asks for letters. Whether the BIC is in use is not known here.
 *
 * @example isBic("COBADEFFXXX") // → true
 */
export function isBic(normalised: string): boolean {
  const hasForm = /^[A-Z]{6}[0-9A-Z]{2}([0-9A-Z]{3})?$/.test(normalised);
  return hasForm && bicCountries.has(normalised.slice(4, 6));
}

/** How a BIC relates to the IBAN it was given with; the last two are mismatches. */
export type BicMatch =
  /** The bank's own BIC, character by character. */
  | "exact"
  /** Equal once eight characters are padded to eleven with XXX, the head office. */
  | "head_office"
  /** The first eight characters are equal: another branch of the institution, or a bank of an association that shares them. */
  | "same_institution"
  /** Not the bank's main BIC, but a further one known for the bank code. */
  | "known_for_bank_code"
  /** The bank's BIC in a territory that uses the country's IBANs: the first four characters are equal. */
  | "in_territory"
  /** No BIC is known for the bank; the countries agree. */
  | "country_only"
  /** The country agrees, the bank does not. */
  | "other_bank"
  /** The country does not agree. */
  | "other_country";

/**
 * Returns a BIC with 11 characters: one of 8 is that of the head office, XXX.
 *
 * @example fullBic("COBADEFF") // → "COBADEFFXXX"
 */
export function fullBic(bic: string): string {
  return bic.padEnd(11, "X");
}

/**
 * Returns the BIC of the head office of a BIC's institution, with 11 characters.
 *
 * @example headOfficeBic("COBADEFF123") // → "COBADEFFXXX"
 */
export function headOfficeBic(bic: string): string {
  return fullBic(institution(bic));
}

function institution(bic: string): string {
  return bic.slice(0, 8);
}

/**
 * Returns how a BIC relates to an IBAN's country and to the BICs known for its bank code.
 *
 * All BICs are normalised and formal; `ibanCountry` is the IBAN's prefix; `knownBics` holds the bank's main BIC first
 * and may be empty. A known bank's BIC matches even when its country differs from the IBAN's, as with accounts kept
 * by a foreign branch. Countries also agree for territories under their parent's prefix (FR territories, GG, IM and
 * JE under GB, AX under FI, SJ under NO), where a bank has a BIC of its own: MIDLJESH beside MIDLGB22. Source: ISO 9362; SWIFT IBAN Registry, release 102.
 *
 * @example matchBic("COBADEFF", "DE", ["COBADEFFXXX"]) // → "head_office"
 */
export function matchBic(bic: string, ibanCountry: string, knownBics: readonly string[]): BicMatch {
  const bicCountry = bic.slice(4, 6);
  const isOfTerritory = ibanCountryOfBicCountry.get(bicCountry) === ibanCountry;
  const main = knownBics[0];
  if (main !== undefined) {
    if (bic === main) return "exact";
    if (fullBic(bic) === fullBic(main)) return "head_office";
    if (institution(bic) === institution(main)) return "same_institution";
    if (knownBics.some((known) => institution(known) === institution(bic))) return "known_for_bank_code";
    if (isOfTerritory && main.startsWith(bic.slice(0, 4))) return "in_territory";
  }
  if (bicCountry !== ibanCountry && !isOfTerritory) return "other_country";
  return main === undefined ? "country_only" : "other_bank";
}

/**
 * Whether a relation counts as a match; the two mismatches are the interface's status 2.
 *
 * @example bicMatches(matchBic("DEUTDEFFXXX", "DE", ["COBADEFFXXX"])) // → false
 */
export function bicMatches(match: BicMatch): boolean {
  return match !== "other_bank" && match !== "other_country";
}

/**
 * Whether a BIC in normal form names the institution that another BIC names, if only by another branch. Source: ISO 9362.
 *
 * @example isOfInstitution("COBADEFF123", "COBADEFFXXX") // → true
 */
export function isOfInstitution(bic: string, main: string | null): boolean {
  return main !== null && /^[A-Z0-9]{8}([A-Z0-9]{3})?$/.test(bic) && institution(bic) === institution(main);
}
