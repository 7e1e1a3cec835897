import type { BbanSpan } from "./bban.ts";

/** Countries whose account numbers end in the code of a currency, and where it stands in the BBAN. */
const currencySpans: Readonly<Record<string, BbanSpan>> = {
  MU: { start: 23, length: 3 },
  SC: { start: 24, length: 3 },
};

/** Those countries. */
export const currencyCountries: readonly string[] = Object.keys(currencySpans);

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** A currency code inside a BBAN. */
export interface BbanCurrency {
  readonly span: BbanSpan;
  readonly code: string;
  /** Whether ISO 4217 has it, now or in the past. */
  readonly isKnown: boolean;
}

/**
 * Returns the currency that a well-formed IBAN of one of these countries names.
 *
 * Source: SWIFT IBAN Registry, release 102, MU and SC; currencies by ISO 4217 as the Unicode CLDR lists them.
 */
export function currencyOfIban(iban: string): BbanCurrency {
  const span = currencySpans[iban.slice(0, 2)]!;
  const code = iban.slice(4 + span.start, 4 + span.start + span.length);
  return { span, code, isKnown: currencies.has(code) };
}
