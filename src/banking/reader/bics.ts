import { isBic } from "../bic.ts";
import type { Groups, Place } from "./groups.ts";
import type { FoundIban } from "./ibans.ts";
import type { Labels } from "./labels.ts";

export interface FoundBic extends Place {
  /** In upper case and without spaces. */
  readonly bic: string;
}

/** A BIC, or a word that is one only beside an IBAN of its country. */
export type PossibleBic = FoundBic & { readonly isSure: boolean };

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
 * Returns the BIC that begins with a group.
 *
 * Many ordinary words have the form of a BIC ("RECHNUNG" would be one of Niue), so a BIC is only what a label announces,
 * what `isKnown` knows by its first eight characters, or what is beside an IBAN of its country.
 */
export function bicAt(
  labels: Labels,
  groups: Groups,
  at: number,
  isKnown: (bic: string) => boolean,
): PossibleBic | undefined {
  const first = groups.at(at)!;
  const { length } = first.characters;
  if ((length !== 4 && length !== 8 && length !== 11) || !/^[A-Z]{4}/.test(first.characters))
    return undefined;
  for (const layout of layouts) {
    const isLaidOut = layout.every((length, index) => {
      const group = groups.at(at + index);
      return group?.characters.length === length && (index === 0 || group.gap === "narrow");
    });
    if (!isLaidOut) continue;
    const parts = layout.map((_, index) => groups.at(at + index)!);
    const bic = parts.map(({ characters }) => characters).join("");
    if (!isBic(bic)) continue;
    // "BIC DEUTDEFF und IBAN …", "BIC DEUTDEFF 100,00 EUR": three characters apart are seldom the branch.
    if (layout.length > 1 && layout.at(-1) === 3 && !bic.endsWith("XXX") && !isKnown(bic)) continue;
    if (labels.isInside(first.start)) return undefined;
    const isWord = parts.some(({ hasLowerCase }) => hasLowerCase);
    const isAnnounced = labels.announces("bic", first.start);
    const isSure = isKnown(bic.slice(0, 8)) ? !isWord || isAnnounced : !isWord && isAnnounced;
    if (!isSure && !isAnnounced && (isWord || layout.length > 1)) continue;
    return { start: first.start, end: parts.at(-1)!.end, bic, isSure };
  }
  return undefined;
}

/** Whether a word that may be a BIC is beside an IBAN of its country: nothing but its label or an end of tags is between. */
export function isBeside(text: string, bic: FoundBic, ibans: readonly FoundIban[]): boolean {
  return ibans.some(({ iban, start, end }) => {
    if (iban.slice(0, 2) !== bic.bic.slice(4, 6)) return false;
    const between = bic.start >= end ? text.slice(end, bic.start) : text.slice(bic.end, start);
    return between.length <= maxBetween && noOtherWord.test(between);
  });
}

const maxBetween = 80;
const noOtherWord = /^(?:[^\p{L}\p{N}]|\b(?:BIC|SWIFT|CODE|IBAN|NR|NO)\b)*$/iu;
