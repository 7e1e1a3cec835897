import { isDigit, isUpperLetter } from "../mod97.ts";

/** A run of characters inside the BBAN: zero-based offset of its first character and number of characters. */
export interface BbanSpan {
  readonly start: number;
  readonly length: number;
}

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

const structurePart = /(\d+)!([nac])/y;

/**
 * Expands a structure in the registry's notation, such as "4!n4!n12!c", into one character class per position.
 *
 * Throws a RangeError for any other text. Source: SWIFT IBAN Registry, release 102, field "BBAN structure".
 */
export function expandStructure(structure: string): Uint8Array {
  const classes: number[] = [];
  structurePart.lastIndex = 0;
  let read = 0;
  for (let part = structurePart.exec(structure); part !== null; part = structurePart.exec(structure)) {
    const characterClass = CharClass[part[2] as keyof typeof CharClass];
    for (let count = Number(part[1]); count > 0; count--) classes.push(characterClass);
    read = structurePart.lastIndex;
  }
  if (read !== structure.length || read === 0) throw new RangeError(`not a BBAN structure: "${structure}"`);
  return Uint8Array.from(classes);
}

/**
 * Returns the index inside an IBAN of the first character that does not fit the structure of its country, or -1.
 *
 * `classes` is the country's BBAN structure; both check digits must be digits. The length is not looked at: characters
 * beyond the structure fit none, too few are no fault of any of them. Source: SWIFT IBAN Registry, release 102.
 *
 * @example firstStructureFault(ibanCountryByCode("DE")!, "DE89370400440532O13000") // → 16
 */
export function firstStructureFault({ classes }: { readonly classes: Uint8Array }, iban: string): number {
  for (let at = 2; at < iban.length; at++) {
    const allowed = at < 4 ? CharClass.n : (classes[at - 4] ?? 0);
    if (((characterKinds[iban.charCodeAt(at)] ?? 0) & allowed) === 0) return at;
  }
  return -1;
}

/** Countries whose account numbers end in the code of a currency, and where it is in the BBAN. */
const currencySpans: Readonly<Record<string, BbanSpan>> = {
  MU: { start: 23, length: 3 },
  SC: { start: 24, length: 3 },
};

/** Those countries. */
export const currencyCountries: readonly string[] = Object.keys(currencySpans);

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** A currency code inside a BBAN. */
interface BbanCurrency {
  readonly span: BbanSpan;
  readonly code: string;
  /** Whether ISO 4217 has it, now or in the past. */
  readonly isKnown: boolean;
}

/**
 * Returns the currency that a well-formed IBAN of one of these countries names.
 *
 * Source: SWIFT IBAN Registry, release 102, MU and SC; currencies by ISO 4217 as the Unicode CLDR lists them.
 *
 * @example currencyOfIban("MU17BOMM0101101030300200000MUR").code // → "MUR"
 */
export function currencyOfIban(iban: string): BbanCurrency {
  const span = currencySpans[iban.slice(0, 2)]!;
  const code = iban.slice(4 + span.start, 4 + span.start + span.length);
  return { span, code, isKnown: currencies.has(code) };
}
