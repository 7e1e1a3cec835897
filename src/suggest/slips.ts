import type { slipKinds } from "../contract/schema/suggestion-schemas.ts";

export type SlipKind = (typeof slipKinds)[number];

/**
 * How often people make a slip, and in how many ways they can make it in a text of `length` characters.
 *
 * Source of the weights: J. Verhoeff, Error Detecting Decimal Codes (1969), scaled to leave room for wrong lengths
 * and look-alike letters, which Verhoeff did not count.
 */
const frequencies = {
  substitution: { weight: 0.66, ways: (length) => 9 * length },
  lookalike: { weight: 0.03, ways: (length) => 0.6 * length },
  /** Several look-alikes that one habit or one typeface explains. */
  lookalikes: { weight: 0.03, ways: () => 4 },
  /** Less than its share: weighted by these frequencies, more corrections come first than with 0.02. */
  doubled: { weight: 0.017, ways: (length) => length / 5 },
  transposition: { weight: 0.085, ways: (length) => length - 1 },
  jump: { weight: 0.0068, ways: (length) => length - 2 },
  twin: { weight: 0.0046, ways: (length) => 0.9 * length },
  phonetic: { weight: 0.0041, ways: () => 2 },
  extra: { weight: 0.07, ways: (length) => length },
  missing: { weight: 0.1, ways: (length) => 10 * length },
} as const satisfies Record<
  SlipKind | "lookalikes",
  { readonly weight: number; readonly ways: (length: number) => number }
>;

/** How likely each slip is at one given place of a text, by which corrections are ranked. */
export type SlipScores = Readonly<Record<keyof typeof frequencies, number>>;

/** How many times likelier a lost or doubled character is beside its own kind. */
export const repetitionFactor = 4;

export function slipScores(length: number): SlipScores {
  return Object.fromEntries(
    Object.entries(frequencies).map(([kind, { weight, ways }]) => [kind, weight / ways(length)]),
  ) as SlipScores;
}
