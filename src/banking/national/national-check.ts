import {
  belgianKey,
  cin,
  hungarian,
  iso7064Key,
  luhn,
  mod11And10,
  norwegian,
  ribKey,
  ribKeyWithLetters,
  trailingKey,
} from "./algorithms.ts";
import {
  type CheckDigitBlock,
  completesEleven,
  completesElevenTenAsOne,
  completesTen,
  weighted,
} from "./weighted.ts";

/** The check digits a country prescribes inside its BBAN, besides those of the IBAN. */
export interface NationalCheck extends CheckDigitBlock {
  /** The algorithm's name in `data/iban-registry.json`. */
  readonly algorithm: string;
}

/** By name in `data/iban-registry.json`; offsets are zero-based inside the BBAN. */
const algorithms: Readonly<Record<string, (bbanLength: number) => CheckDigitBlock>> = {
  // Albania
  "weighted-9731-mod10": () =>
    weighted([{ from: 0, weights: [9, 7, 3, 1, 9, 7, 3], at: 7, digits: completesTen }]),
  // Poland: the settlement number only; the account carries no check digit
  "pl-mod10": () => weighted([{ from: 0, weights: [3, 9, 7, 1, 3, 9, 7], at: 7, digits: completesTen }]),
  // Estonia: 7-3-1 counted from the right, without the two bank digits
  "ee-731-mod10": () =>
    weighted([{ from: 2, weights: [7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7], at: 15, digits: completesTen }]),
  // Czechia, Slovakia: account prefix and account
  "cz-sk-mod11": () =>
    weighted([
      { from: 4, weights: [10, 5, 8, 4, 2], at: 9, digits: completesEleven },
      { from: 10, weights: [6, 3, 7, 9, 10, 5, 8, 4, 2], at: 19, digits: completesEleven },
    ]),
  // Spain: bank with branch, and account
  "es-mod11-pair": () =>
    weighted([
      { from: 0, weights: [4, 8, 5, 10, 9, 7, 3, 6], at: 8, digits: completesElevenTenAsOne },
      { from: 10, weights: [1, 2, 4, 8, 5, 10, 9, 7, 3, 6], at: 9, digits: completesElevenTenAsOne },
    ]),
  // Iceland: the holder's kennitala, whose ninth digit checks the eight before it
  "is-kennitala-mod11": () =>
    weighted([{ from: 12, weights: [3, 2, 7, 6, 5, 4, 3, 2], at: 20, digits: completesEleven }]),
  "iso7064-mod97-10": (bbanLength) => trailingKey(iso7064Key, bbanLength),
  "iso7064-mod11-10": () =>
    mod11And10([
      { start: 0, length: 7 },
      { start: 7, length: 10 },
    ]),
  "be-mod97": (bbanLength) => trailingKey(belgianKey, bbanLength),
  "rib-97": (bbanLength) => trailingKey(ribKey, bbanLength),
  "rib-97-letters": (bbanLength) => trailingKey(ribKeyWithLetters, bbanLength),
  "hu-9731-mod10": () => hungarian,
  "it-cin": cin,
  luhn,
  "no-mod11": () => norwegian,
};

/**
 * Builds the national check of an algorithm for a BBAN of the given length; meant for start-up, not per IBAN.
 *
 * Throws a RangeError for a name that `data/iban-registry.json` does not use, and where the check digits would be
 * outside the BBAN: both are faults of the data. The rules are the countries' own, each confirmed on published
 * numbers; the registry itself names only where such digits are.
 */
export function nationalCheckOf(algorithm: string, bbanLength: number): NationalCheck {
  const block = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm]!(bbanLength) : undefined;
  if (block === undefined) throw new RangeError(`unknown national check-digit algorithm "${algorithm}"`);
  if (block.spans.some((span) => span.start < 0 || span.start + span.length > bbanLength)) {
    throw new RangeError(`"${algorithm}" does not fit a BBAN of ${bbanLength} characters`);
  }
  return { algorithm, matches: block.matches, expected: block.expected, spans: block.spans };
}
