import { type FoldedWord, fits } from "./fold-words.ts";
import { Grade } from "./grade.ts";
import {
  beginningWith,
  exchanged,
  lengthOf,
  nearest,
  type SortedTexts,
  sortedTexts,
} from "./sorted-texts.ts";

/** The distinct words of a set of texts in alphabetical order, and the marks of each. */
export interface Vocabulary {
  readonly words: SortedTexts;
  readonly marks: Uint32Array;
}

/** A word in one text, so that words are sorted without a comparison function, in a fraction of the time of one. */
export function keyOf({ letters, marks }: FoldedWord): string {
  return `${letters} ${marks}`;
}

/** Makes a vocabulary of words, given by their keys in alphabetical order. */
export function vocabularyOf(keys: readonly string[]): Vocabulary {
  const words = keys.map((key) => key.split(" "));
  return {
    words: sortedTexts(words.map(([letters]) => letters!)),
    marks: Uint32Array.from(words, ([, marks]) => Number(marks)),
  };
}

/** A word of a vocabulary that answers one asked for, and how well. */
export interface Match {
  readonly word: number;
  readonly grade: number;
}

// The shortest words, in letters as typed, in which two exchanged letters, a typo and two typos are tolerated.
const SHORTEST_EXCHANGED = 4;
const SHORTEST_WITH_TYPO = 5;
const SHORTEST_WITH_TWO_TYPOS = 6;

/** Finds the words that begin with the one asked for, and whose umlauts agree with its. */
export function matchesOf(vocabulary: Vocabulary, { letters, marks }: FoldedWord): readonly Match[] {
  const { first, end } = beginningWith(vocabulary.words, letters);
  const found: Match[] = [];
  for (let word = first; word < end; word++) {
    const written = vocabulary.marks[word]!;
    if (!fits(marks, written)) continue;
    const whole = written === marks ? Grade.whole : Grade.folded;
    const isWhole = lengthOf(vocabulary.words, word) === letters.length;
    found.push({ word, grade: isWhole ? whole : Grade.prefix });
  }
  return found;
}

/** Finds the words that the one asked for is with a typo, those with its letters and other umlauts included. */
export function typosOf({ words }: Vocabulary, { letters, typed }: FoldedWord): readonly Match[] {
  if (typed < SHORTEST_EXCHANGED || /\d/.test(letters)) return [];
  const found =
    typed < SHORTEST_WITH_TYPO
      ? exchanged(words, letters)
      : nearest(words, letters, typed < SHORTEST_WITH_TWO_TYPOS ? 1 : 2);
  return found.map((word) => ({ word, grade: Grade.typo }));
}
