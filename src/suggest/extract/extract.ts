import { isBic } from "../../banking/bic.ts";
import type { BankFilters } from "../filters.ts";
import { type FoundIban, IbanFinder, type LookForCorrections } from "./find-ibans.ts";
import { type Group, groupsOf } from "./groups.ts";
import { Labels } from "./labels.ts";

/** A BIC that is in a text. */
interface FoundBic {
  /** UTF-16 index of its first character. */
  readonly start: number;
  /** UTF-16 index after its last character. */
  readonly end: number;
  /** In upper case and without spaces. */
  readonly bic: string;
}

/** Lengths of the groups in which BICs are written. */
const layouts: readonly (readonly number[])[] = [
  [11],
  [8, 3],
  [4, 2, 2, 3],
  [4, 2, 5],
  [4, 4, 3],
  [8],
  [4, 2, 2],
  [4, 4],
];

/**
 * Returns the BIC that begins with a group, and the index of the first group after it.
 *
 * Many ordinary words have the form of a BIC ("RECHNUNG" would be one of Niue), so a BIC is only what a label announces
 * or what `isKnown` knows by its first eight characters.
 */
export function bicAt(
  labels: Labels,
  groups: readonly Group[],
  at: number,
  isKnown: (institution: string) => boolean,
): { readonly found: FoundBic; readonly next: number } | undefined {
  const first = groups[at]!;
  if (!/^[A-Z]{4}/.test(first.characters) || labels.isInside(first.start)) return undefined;
  for (const layout of layouts) {
    const parts = groups.slice(at, at + layout.length);
    if (!layout.every((length, index) => parts[index]?.characters.length === length)) continue;
    if (parts.some(({ gap }, index) => index > 0 && gap !== "narrow")) continue;
    const bic = parts.map(({ characters }) => characters).join("");
    if (!isBic(bic)) continue;
    const isWord = parts.some(({ hasLowerCase }) => hasLowerCase);
    const isAnnounced = labels.announcesBic(first.start);
    if (isKnown(bic.slice(0, 8)) ? isWord && !isAnnounced : isWord || !isAnnounced) continue;
    return { found: { start: first.start, end: parts.at(-1)!.end, bic }, next: at + layout.length };
  }
  return undefined;
}

/** What is in a text. */
interface Extracted {
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
