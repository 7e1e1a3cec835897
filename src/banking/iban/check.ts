import { DIGIT_0, DIGIT_9, isDigit, LETTER_A, LETTER_Z } from "../ascii.ts";
import { ibanRemainder } from "../mod97.ts";
import { CharClass, characterKinds } from "./bban.ts";
import { ibanCountryOf, isExperimentalPrefix, isTerritoryPrefix } from "./registry.ts";

/** What the check of an IBAN by itself can find, in the order in which the faults are looked for. */
export const IbanFinding = {
  ok: 0,
  unknown_country: 1,
  territory_prefix: 2,
  experimental_country: 3,
  wrong_length: 4,
  wrong_structure: 5,
  check_digits_not_numeric: 6,
  check_digits_out_of_range: 7,
  wrong_check_digits: 8,
} as const;
/** One of the numbers of the table of the same name. */
export type IbanFinding = (typeof IbanFinding)[keyof typeof IbanFinding];

// A byte below or above a range makes one of the two differences negative, so a run needs no branch per byte.
function belowOrAbove(byte: number, lowest: number, highest: number): number {
  return (byte - lowest) | (highest - byte);
}

function fitsStructure(runs: Uint8Array, bytes: Uint8Array, start: number): boolean {
  let outside =
    belowOrAbove(bytes[start + 2]!, DIGIT_0, DIGIT_9) | belowOrAbove(bytes[start + 3]!, DIGIT_0, DIGIT_9);
  let at = start + 4;
  for (let run = 0; run < runs.length; run += 2) {
    const characterClass = runs[run]!;
    const end = at + runs[run + 1]!;
    if (characterClass === CharClass.c) {
      for (; at < end; at++) if (characterKinds[bytes[at]!]! === 0) return false;
    } else {
      const lowest = characterClass === CharClass.n ? DIGIT_0 : LETTER_A;
      const highest = characterClass === CharClass.n ? DIGIT_9 : LETTER_Z;
      for (; at < end; at++) outside |= belowOrAbove(bytes[at]!, lowest, highest);
    }
  }
  return outside >= 0;
}

function unregistered(first: number, second: number): IbanFinding {
  if (isTerritoryPrefix(first, second)) return IbanFinding.territory_prefix;
  return isExperimentalPrefix(first, second) ? IbanFinding.experimental_country : IbanFinding.unknown_country;
}

/**
 * Checks an IBAN by itself: country, length, structure, range of the check digits, then modulo 97.
 *
 * Takes `length` ASCII bytes from `start` on, best a formal IBAN (`isFormalIban`); any other bytes give a finding
 * too, never an error. National check digits are not looked at. No allocation, about 60 to 80 ns.
 * Source: ISO 13616-1; SWIFT IBAN Registry, release 102; check digits 00, 01 and 99 cannot arise from ISO 7064.
 */
export function checkIban(bytes: Uint8Array, start: number, length: number): IbanFinding {
  if (length < 2) return IbanFinding.unknown_country;
  const country = ibanCountryOf(bytes[start]!, bytes[start + 1]!);
  if (country === undefined) return unregistered(bytes[start]!, bytes[start + 1]!);
  if (length !== country.ibanLength) return IbanFinding.wrong_length;
  const third = bytes[start + 2]!;
  const fourth = bytes[start + 3]!;
  if (!fitsStructure(country.runs, bytes, start)) {
    return isDigit(third) && isDigit(fourth)
      ? IbanFinding.wrong_structure
      : IbanFinding.check_digits_not_numeric;
  }
  const checkDigits = (third - DIGIT_0) * 10 + fourth - DIGIT_0;
  if (checkDigits < 2 || checkDigits > 98) return IbanFinding.check_digits_out_of_range;
  return ibanRemainder(bytes, start, length) === 1 ? IbanFinding.ok : IbanFinding.wrong_check_digits;
}

/**
 * Gives the index inside the IBAN of the first character that does not fit its country's structure, or -1.
 *
 * 0 where the country is not registered; the country's IBAN length where characters are left over; too few
 * characters are no fault of any of them. No allocation. Source: SWIFT IBAN Registry, release 102.
 */
export function firstStructureFault(bytes: Uint8Array, start: number, length: number): number {
  const country = length < 2 ? undefined : ibanCountryOf(bytes[start]!, bytes[start + 1]!);
  if (country === undefined) return 0;
  const classes = country.classes;
  for (let at = 2; at < length; at++) {
    if (at === country.ibanLength) return at;
    const allowed = at < 4 ? CharClass.n : classes[at - 4]!;
    if ((characterKinds[bytes[start + at]!]! & allowed) === 0) return at;
  }
  return -1;
}
