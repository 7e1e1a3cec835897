import { isDigit, isUpperLetter } from "../mod97.ts";

/**
 * The registry's character classes as bit sets: bit 1 stands for digits, bit 2 for upper-case letters.
 *
 * A character fits a class when `characterKinds[byte] & class` is not 0. Source: SWIFT IBAN Registry, release 102,
 * "n", "a" and "c"; lower case is folded before checking, so "c" means digits and upper-case letters.
 */
export const CharClass = { n: 1, a: 2, c: 3 } as const;

/** Which of the two kinds a byte is of: 1 for an ASCII digit, 2 for an ASCII upper-case letter, 0 for any other. */
export const characterKinds: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  isDigit(byte) ? CharClass.n : isUpperLetter(byte) ? CharClass.a : 0,
);

/** Where the BBAN begins in an IBAN: after the country code and the check digits. */
export const bbanStart = 4;

/**
 * Whether a character, by its code, is of a class.
 *
 * @example isOfClass(65, CharClass.a) // → true
 */
export function isOfClass(code: number, charClass: number): boolean {
  return ((characterKinds[code] ?? 0) & charClass) !== 0;
}

/**
 * Returns the class of a place of a country's IBAN, 0 after its end.
 *
 * @example classAt(ibanCountryByCode("DE")!, 4) // → 1
 */
export function classAt({ classes }: { readonly classes: Uint8Array }, at: number): number {
  if (at >= bbanStart) return classes[at - bbanStart] ?? 0;
  return at < 2 ? CharClass.a : CharClass.n;
}

/**
 * Expands a structure in the registry's notation, such as "4!n4!n12!c", into one character class per position.
 *
 * Throws a RangeError for any other text. Source: SWIFT IBAN Registry, release 102, field "BBAN structure".
 */
export function expandStructure(structure: string): Uint8Array {
  const parts = [...structure.matchAll(/(\d+)!([nac])/g)];
  if (structure === "" || parts.map(([part]) => part).join("") !== structure) {
    throw new RangeError(`not a BBAN structure: "${structure}"`);
  }
  return Uint8Array.from(
    parts.flatMap(([, count, kind]) =>
      Array.from({ length: Number(count) }, () => CharClass[kind as keyof typeof CharClass]),
    ),
  );
}

/**
 * Returns the index inside an IBAN, at `from` or after it, of the first character that does not fit the structure of its
 * country, or -1.
 *
 * Both check digits must be digits. The length is not checked: characters beyond the structure fit none, too few are not a
 * fault in any of them. Source: SWIFT IBAN Registry, release 102.
 *
 * @example firstStructureFault(ibanCountryByCode("DE")!, "DE89370400440532O13000") // → 16
 */
export function firstStructureFault(form: Parameters<typeof classAt>[0], iban: string, from = 2): number {
  for (let at = from; at < iban.length; at++) {
    if (!isOfClass(iban.charCodeAt(at), classAt(form, at))) return at;
  }
  return -1;
}
