/**
 * The slips that a correction undoes.
 *
 * `extra` and `missing` are one character too many and one too few, `doubled` is the middle digit of three that took
 * the value of the wrong neighbour (100 for 110), `twin` is aa for bb, `phonetic` is 13 for 30.
 */
export type SlipKind =
  | "substitution"
  | "lookalike"
  | "doubled"
  | "transposition"
  | "jump"
  | "twin"
  | "phonetic"
  | "extra"
  | "missing";

/** How often people make a slip, and in how many ways they can make it in a text of `length` characters. */
interface SlipFrequency {
  readonly weight: number;
  readonly ways: (length: number) => number;
}

/**
 * Source of the weights: J. Verhoeff, Error Detecting Decimal Codes (1969), scaled to leave room for wrong lengths
 * and look-alike letters, which Verhoeff did not count.
 */
const frequencies = {
  substitution: { weight: 0.66, ways: (length) => 9 * length },
  lookalike: { weight: 0.03, ways: (length) => 0.6 * length },
  /** Several look-alikes that one habit or one typeface explains. */
  lookalikes: { weight: 0.03, ways: () => 4 },
  doubled: { weight: 0.02, ways: (length) => length / 5 },
  transposition: { weight: 0.085, ways: (length) => length - 1 },
  jump: { weight: 0.0068, ways: (length) => length - 2 },
  twin: { weight: 0.0046, ways: (length) => 0.9 * length },
  phonetic: { weight: 0.0041, ways: () => 2 },
  extra: { weight: 0.07, ways: (length) => length },
  missing: { weight: 0.1, ways: (length) => 10 * length },
} as const satisfies Record<SlipKind | "lookalikes", SlipFrequency>;

/** How likely each slip is at one given place of a text, by which corrections are ranked. */
export type SlipScores = Readonly<Record<keyof typeof frequencies, number>>;

/** A character lost or typed twice is so many times likelier beside its own kind. */
export const repetitionFactor = 4;

/** Returns the likelihood of each slip at one place of a text of `length` characters. */
export function slipScores(length: number): SlipScores {
  const {
    substitution,
    lookalike,
    lookalikes,
    doubled,
    transposition,
    jump,
    twin,
    phonetic,
    extra,
    missing,
  } = frequencies;
  const score = ({ weight, ways }: SlipFrequency) => weight / ways(length);
  return {
    substitution: score(substitution),
    lookalike: score(lookalike),
    lookalikes: score(lookalikes),
    doubled: score(doubled),
    transposition: score(transposition),
    jump: score(jump),
    twin: score(twin),
    phonetic: score(phonetic),
    extra: score(extra),
    missing: score(missing),
  };
}
