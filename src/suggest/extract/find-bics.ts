import { isBic } from "../../banking/bic.ts";
import type { Group } from "./groups.ts";
import type { Labels } from "./labels.ts";

/** A BIC that stands in a text. */
export interface FoundBic {
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
