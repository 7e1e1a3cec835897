import registry from "../../../data/iban-registry.json" with { type: "json" };
import { type NationalCheck, nationalCheckOf } from "../national/national-check.ts";
import type { BbanSpan } from "../national/weighted.ts";
import { bbanStart, expandStructure } from "./structure.ts";

/**
 * Returns a part of the BBAN of an IBAN; empty if its country defines none.
 *
 * @example partOfBban("DE89370400440532013000", { start: 0, length: 8 }) // → "37040044"
 */
export function partOfBban(iban: string, span: BbanSpan | null): string {
  return span === null ? "" : iban.slice(bbanStart + span.start, bbanStart + span.start + span.length);
}

/** Countries whose account numbers end in the code of a currency, and where it is in the BBAN. */
const currencySpans: Readonly<Record<string, BbanSpan>> = {
  MU: { start: 23, length: 3 },
  SC: { start: 24, length: 3 },
};

/** Those countries. */
export const currencyCountries: readonly string[] = Object.keys(currencySpans);

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/**
 * Returns the currency that a well-formed IBAN of one of these countries names, where it is in the BBAN, and whether
 * ISO 4217 has it, now or in the past.
 *
 * Source: SWIFT IBAN Registry, release 102, MU and SC; currencies by ISO 4217 as the Unicode CLDR lists them.
 *
 * @example currencyOfIban("MU17BOMM0101101030300200000MUR").code // → "MUR"
 */
export function currencyOfIban(iban: string) {
  const span = currencySpans[iban.slice(0, 2)]!;
  const code = partOfBban(iban, span);
  return { span, code, isKnown: currencies.has(code) };
}

/** Entry of one country in the IBAN registry. */
export interface IbanCountry {
  /** Position in `ibanCountries`. */
  readonly index: number;
  /** ISO 3166-1 alpha-2 code, or XK for Kosovo: the first two characters of its IBANs. */
  readonly code: string;
  /** English name. */
  readonly name: string;
  /** Number of characters of the whole IBAN, 15 to 33. */
  readonly ibanLength: number;
  /** One `CharClass` per position of the BBAN. */
  readonly classes: Uint8Array;
  readonly bank: BbanSpan;
  /** Where the branch identifier is; null if the registry defines none. */
  readonly branch: BbanSpan | null;
  /** The country's own check digits inside the BBAN; null if there is no nationwide rule. */
  readonly nationalCheck: NationalCheck | null;
  /** Whether a wrong national check digit makes the IBAN invalid; otherwise it is only reported. */
  readonly nationalCheckEnforced: boolean;
  /** Whether the country is in the geographical scope of the SEPA schemes. */
  readonly sepa: boolean;
  /** The registry's example, a valid IBAN. */
  readonly example: string;
}

/**
 * The countries of the IBAN registry in the order of their codes.
 *
 * Source: SWIFT IBAN Registry, release 102 (June 2026); SEPA scope by the EPC's list of August 2026.
 */
export const ibanCountries: readonly IbanCountry[] = registry.countries.map(
  ({ bbanStructure, nationalCheck, note: _, ...country }, index) => {
    const classes = expandStructure(bbanStructure);
    return {
      ...country,
      index,
      classes,
      nationalCheck: nationalCheck && nationalCheckOf(nationalCheck.algorithm, nationalCheck.positions),
      nationalCheckEnforced: nationalCheck?.default === "enforce",
    };
  },
);

/** Two characters as one number, by which a country is found four times as fast as by its code as a text. */
const pairOf = (first: number, second: number) => first * 0x1_0000 + second;

const countryByPair: ReadonlyMap<number, IbanCountry> = new Map(
  ibanCountries.map((country) => [pairOf(country.code.charCodeAt(0), country.code.charCodeAt(1)), country]),
);

/**
 * Finds the country of an IBAN by the ASCII codes of its first two characters; undefined if none is registered.
 *
 * @example ibanCountryOf(68, 69)?.code // → "DE"
 */
export function ibanCountryOf(firstLetter: number, secondLetter: number): IbanCountry | undefined {
  return countryByPair.get(pairOf(firstLetter, secondLetter));
}

/**
 * Finds a country by its code in upper case; undefined for any other text.
 *
 * @example ibanCountryByCode("NO")?.ibanLength // → 15
 */
export function ibanCountryByCode(code: string): IbanCountry | undefined {
  return code.length === 2 ? ibanCountryOf(code.charCodeAt(0), code.charCodeAt(1)) : undefined;
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
