import registry from "../../../data/iban-registry.json" with { type: "json" };
import { LETTER_A } from "../ascii.ts";
import { type NationalCheck, nationalCheckOf } from "../national/national-check.ts";
import { type BbanSpan, expandStructure, runsOf } from "./bban.ts";

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
  /** The same as runs: class, length, class, length, and so on. */
  readonly runs: Uint8Array;
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
    runs: runsOf(classes),
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

/** Finds the country of an IBAN by the ASCII codes of its first two characters; undefined where none is registered. */
export function ibanCountryOf(firstLetter: number, secondLetter: number): IbanCountry | undefined {
  const pair = letterPairIndex(firstLetter, secondLetter);
  return pair < 0 ? undefined : countryByPair[pair];
}

/** Finds a country by its code in upper case; undefined for any other text. */
export function ibanCountryByCode(code: string): IbanCountry | undefined {
  const pair = pairIndexOf(code);
  return pair < 0 ? undefined : countryByPair[pair];
}

/** Why a two-letter prefix is not registered: 0 nothing known of it, 1 a territory's code, 2 an experimental country. */
const unregisteredKinds = new Uint8Array(26 * 26);
for (const territory of registry.territoryCodes) unregisteredKinds[pairIndexOf(territory.code)] = 1;
for (const country of registry.experimental) unregisteredKinds[pairIndexOf(country.code)] = 2;

/**
 * Whether a prefix is a territory's own code, whose IBANs carry the parent country's prefix (AX under FI and the like).
 *
 * Takes the ASCII codes of the first two characters. Source: SWIFT IBAN Registry, release 102, "country code includes".
 */
export function isTerritoryPrefix(firstLetter: number, secondLetter: number): boolean {
  const pair = letterPairIndex(firstLetter, secondLetter);
  return pair >= 0 && unregisteredKinds[pair] === 1;
}

/**
 * Whether a prefix belongs to one of 22 countries that use IBAN-like numbers without having registered them.
 *
 * Takes the ASCII codes of the first two characters. There is no official source; such numbers are never valid.
 */
export function isExperimentalPrefix(firstLetter: number, secondLetter: number): boolean {
  const pair = letterPairIndex(firstLetter, secondLetter);
  return pair >= 0 && unregisteredKinds[pair] === 2;
}

/** Gives the IBAN prefix a territory uses ("AX" gives "FI"); undefined for a code that is no such territory. */
export function parentPrefixOf(territory: string): string | undefined {
  return registry.territoryCodes.find((entry) => entry.code === territory)?.ibanPrefix;
}
