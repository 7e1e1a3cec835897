import registry from "../../../data/iban-registry.json" with { type: "json" };
import { LETTER_A } from "../mod97.ts";
import { type NationalCheck, nationalCheckOf } from "../national/national-check.ts";
import { type BbanSpan, expandStructure } from "./bban.ts";

export { type BbanSpan, CharClass } from "./bban.ts";

/** What the IBAN registry says about one country. */
export interface IbanCountry {
  /** Position in `ibanCountries`, 0 to 88. */
  readonly index: number;
  /** ISO 3166-1 alpha-2 code, or XK for Kosovo: the first two characters of its IBANs. */
  readonly code: string;
  /** English name. */
  readonly name: string;
  /** Number of characters of the whole IBAN, 15 to 33. */
  readonly ibanLength: number;
  /** One `CharClass` per position of the BBAN. */
  readonly classes: Uint8Array;
  /** Where the bank identifier stands; null where the registry defines none. */
  readonly bank: BbanSpan | null;
  /** Where the branch identifier stands; null where the registry defines none. */
  readonly branch: BbanSpan | null;
  /** The country's own check digits inside the BBAN; null where there is no nationwide rule. */
  readonly nationalCheck: NationalCheck | null;
  /** Whether a wrong national check digit makes the IBAN invalid; otherwise it is only reported. */
  readonly nationalCheckEnforced: boolean;
  /** Whether the country is in the geographical scope of the SEPA schemes. */
  readonly sepa: boolean;
  /** The registry's example, a valid IBAN. */
  readonly example: string;
}

/**
 * The 89 countries of the IBAN registry in the order of their codes.
 *
 * Source: SWIFT IBAN Registry, release 102 (June 2026); SEPA scope by the EPC's list of August 2026.
 */
export const ibanCountries: readonly IbanCountry[] = registry.countries.map((country, index) => {
  const classes = expandStructure(country.bbanStructure);
  return {
    index,
    code: country.code,
    name: country.name,
    ibanLength: country.ibanLength,
    classes,
    bank: country.bank,
    branch: country.branch,
    nationalCheck:
      country.nationalCheck === null
        ? null
        : nationalCheckOf(country.nationalCheck.algorithm, classes.length),
    nationalCheckEnforced: country.nationalCheck?.default === "enforce",
    sepa: country.sepa,
    example: country.example,
  };
});

// A two-letter code as an index into dense tables of 676 entries; anything but two capital letters gives -1.
function letterPairIndex(firstLetter: number, secondLetter: number): number {
  const first = firstLetter - LETTER_A;
  const second = secondLetter - LETTER_A;
  return first >= 0 && first < 26 && second >= 0 && second < 26 ? first * 26 + second : -1;
}

function pairIndexOf(code: string): number {
  return code.length === 2 ? letterPairIndex(code.charCodeAt(0), code.charCodeAt(1)) : -1;
}

const countryByPair: (IbanCountry | undefined)[] = new Array(26 * 26).fill(undefined);
for (const country of ibanCountries) countryByPair[pairIndexOf(country.code)] = country;

/**
 * Finds the country of an IBAN by the ASCII codes of its first two characters; undefined where none is registered.
 *
 * @example ibanCountryOf(68, 69)?.code // → "DE"
 */
export function ibanCountryOf(firstLetter: number, secondLetter: number): IbanCountry | undefined {
  const pair = letterPairIndex(firstLetter, secondLetter);
  return pair < 0 ? undefined : countryByPair[pair];
}

/**
 * Finds a country by its code in upper case; undefined for any other text.
 *
 * @example ibanCountryByCode("NO")?.ibanLength // → 15
 */
export function ibanCountryByCode(code: string): IbanCountry | undefined {
  const pair = pairIndexOf(code);
  return pair < 0 ? undefined : countryByPair[pair];
}

/**
 * The codes of countries that use IBAN-like numbers without having registered them.
 *
 * There is no official source; such numbers are never valid.
 */
export const experimentalPrefixes: ReadonlySet<string> = new Set(
  registry.experimental.map(({ code }) => code),
);

/**
 * Returns the IBAN prefix that a territory uses ("FI" for "AX"); undefined for a code that is not such a territory.
 *
 * Source: SWIFT IBAN Registry, release 102, "country code includes".
 *
 * @example parentPrefixOf("AX") // → "FI"
 */
export function parentPrefixOf(territory: string): string | undefined {
  return registry.territoryCodes.find((entry) => entry.code === territory)?.ibanPrefix;
}
