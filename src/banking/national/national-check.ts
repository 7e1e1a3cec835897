import {
  belgianKey,
  cin,
  hungarian,
  iso7064Key,
  keyAt,
  luhnAt,
  mod11And10,
  norwegian,
  ribKey,
  ribKeyWithLetters,
} from "./algorithms.ts";
import {
  type BbanSpan,
  type CheckDigits,
  completesEleven,
  completesElevenTenAsOne,
  completesTen,
  weighted,
} from "./weighted.ts";

/** The check digits a country prescribes inside its BBAN, besides those of the IBAN. */
export interface NationalCheck extends CheckDigits {
  /** The algorithm's name in `data/iban-registry.json`. */
  readonly algorithm: string;
  /** Where the check digits are, in order. */
  readonly spans: readonly BbanSpan[];
}

/** By name in `data/iban-registry.json`, for the place of the first check digit; offsets are zero-based inside the BBAN. */
const algorithms: Readonly<Record<string, (at: number) => CheckDigits>> = {
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
  "iso7064-mod97-10": (at) => keyAt(at, iso7064Key),
  "iso7064-mod11-10": () =>
    mod11And10([
      { start: 0, length: 7 },
      { start: 7, length: 10 },
    ]),
  "be-mod97": (at) => keyAt(at, belgianKey),
  "rib-97": (at) => keyAt(at, ribKey),
  "rib-97-letters": (at) => keyAt(at, ribKeyWithLetters),
  "hu-9731-mod10": () => hungarian,
  "it-cin": () => cin,
  luhn: luhnAt,
  "no-mod11": () => norwegian,
};

/**
 * Builds the national check of an algorithm, whose check digits are at the spans; meant for start-up, not per IBAN.
 *
 * Throws a RangeError for a name that `data/iban-registry.json` does not use. The rules are the countries' own, each
 * confirmed on published numbers; the registry itself names only where such digits are.
 */
export function nationalCheckOf(algorithm: string, spans: readonly BbanSpan[]): NationalCheck {
  if (!Object.hasOwn(algorithms, algorithm))
    throw new RangeError(`unknown national check-digit algorithm "${algorithm}"`);
  return { algorithm, ...algorithms[algorithm]!(spans[0]!.start), spans };
}
