import type { Abbreviations } from "./abbreviations.ts";
import { type FoldedWord, foldWord, foldWords } from "./fold.ts";

/** A word of a reading; with `prefix` a longer word that begins so will do. */
export interface ReadingWord extends FoldedWord {
  readonly prefix: boolean;
}

/** One thing that a text must contain: the words typed, or all words of one of their readings. */
export interface SearchTerm {
  /** One word, or the words of an abbreviation that has several ("vr bank"). */
  readonly words: readonly FoldedWord[];
  /** What the words stand for where they are an abbreviation. */
  readonly readings: readonly (readonly ReadingWord[])[];
}

/** Abbreviations ready to be looked up by folded words. */
export interface AbbreviationTable {
  readonly readings: ReadonlyMap<string, SearchTerm["readings"]>;
  /** Words of the longest key. */
  readonly longest: number;
}

/** Folds a table of abbreviations, once at start. */
export function foldAbbreviations(abbreviations: Abbreviations): AbbreviationTable {
  const readings = new Map<string, SearchTerm["readings"]>();
  let longest = 1;
  for (const [key, texts] of Object.entries(abbreviations)) {
    const words = foldWords(key);
    longest = Math.max(longest, words.length);
    readings.set(
      keyOf(words),
      texts.map((text) => text.split(" ").map(readingWord)),
    );
  }
  return { readings, longest };
}

/** A query text as the indexes take it. */
export interface Wording {
  /** What must be there; words repeated stand once. Empty for a text that holds neither letters nor digits. */
  readonly terms: readonly SearchTerm[];
  /** The letters of all words, repeated ones too, without anything between them. */
  readonly joined: string;
}

/**
 * Reads the words of a query as terms, each the longest abbreviation that fits or else a single word.
 *
 * See `splitWords` for the bounds.
 */
export function readWording(text: string, table: AbbreviationTable): Wording {
  const words = foldWords(text);
  const terms = new Map<string, SearchTerm>();
  for (let at = 0; at < words.length; ) {
    const term = termAt(words, at, table);
    terms.set(term.words.map(({ letters, marks }) => `${letters} ${marks}`).join(" "), term);
    at += term.words.length;
  }
  return { terms: [...terms.values()], joined: words.map((word) => word.letters).join("") };
}

function termAt(words: readonly FoldedWord[], at: number, table: AbbreviationTable): SearchTerm {
  for (let count = Math.min(table.longest, words.length - at); count > 0; count--) {
    const some = words.slice(at, at + count);
    const readings = table.readings.get(keyOf(some));
    if (readings !== undefined) return { words: some, readings };
  }
  return { words: [words[at]!], readings: [] };
}

function keyOf(words: readonly FoldedWord[]): string {
  return words.map((word) => word.letters).join(" ");
}

function readingWord(text: string): ReadingWord {
  const prefix = text.endsWith("*");
  return { ...foldWord(prefix ? text.slice(0, -1) : text), prefix };
}
