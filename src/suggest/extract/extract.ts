import type { BankFilters } from "../filters.ts";
import { bicAt, type FoundBic } from "./find-bics.ts";
import { type FoundIban, IbanFinder, type LookForCorrections } from "./find-ibans.ts";
import { groupsOf } from "./groups.ts";
import { Labels } from "./labels.ts";

/** What stands in a text. */
export interface Extracted {
  readonly ibans: readonly FoundIban[];
  readonly bics: readonly FoundBic[];
  /** UTF-16 index up to which the text was read: its end, unless as many were found as allowed. */
  readonly readTo: number;
}

/** How much is looked for at most. */
export interface ExtractLimits {
  /** The most IBANs, and the most BICs, that are listed. */
  readonly maxFound: number;
  /** Runs each attempt at a correction, some 20 µs, or returns undefined where no time is left for it. */
  readonly look: LookForCorrections;
}

/**
 * Finds the IBANs and BICs of a text in which anything else may stand, in their order.
 *
 * A right IBAN is found wherever it stands between words. A wrong one is found where it is plainly meant as an IBAN: the
 * word announces it, or it has the form of one and its bank, or that of its correction, exists. Stops where as many
 * IBANs or BICs as allowed are found.
 */
export function extract(text: string, filters: BankFilters, limits: ExtractLimits): Extracted {
  const groups = groupsOf(text);
  const labels = new Labels(text);
  const finder = new IbanFinder(groups, labels, filters, limits.look);
  const isKnown = (institution: string) => filters.isKnownInstitution(institution);
  const ibans: FoundIban[] = [];
  const bics: FoundBic[] = [];
  let at = 0;
  while (at < groups.length && ibans.length < limits.maxFound && bics.length < limits.maxFound) {
    const iban = finder.at(at);
    const bic = iban === undefined ? bicAt(labels, groups, at, isKnown) : undefined;
    if (iban !== undefined) ibans.push(iban.found);
    if (bic !== undefined) bics.push(bic.found);
    at = iban?.next ?? bic?.next ?? at + 1;
  }
  return { ibans, bics, readTo: groups[at]?.start ?? text.length };
}
