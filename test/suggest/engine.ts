import { type Corrections, correct } from "../../src/suggest/correct.ts";
import { fillIn } from "../../src/suggest/fill-in.ts";
import type { BankFilters } from "../../src/suggest/filters.ts";
import { loadShippedData } from "../support/shipped-directory.ts";

const shipped = await loadShippedData();
export const { directory } = shipped;
/** The filters over the shipped bank data. */
export const filters: BankFilters = {
  directory,
  policy: { weights: () => shipped.modulus, observed: ["GB"] },
};

/** Whether a BIC of the shipped bank data begins with a text. */
export const isKnownBic = (bic: string) => filters.directory.withBic(bic).length > 0;

export function correctionsOf(text: string): Corrections {
  return correct(text, filters);
}

/** All fill-ins of a text, or the first few. */
export function fillInsOf(text: string, max = Number.POSITIVE_INFINITY): Corrections {
  return fillIn(text, filters, max);
}
