import { type FoldedWord, fits } from "./fold.ts";

/** Collects the words of texts that come in order, the first being number 0. */
export interface WordPostings {
  readonly letters: string;
  readonly marks: number;
  /** Ascending text numbers. */
  readonly texts: number[];
}

/** The distinct words of a set of texts as plain values, so that they may be copied to another thread. */
export interface VocabularyData {
  /** In alphabetical order. */
  readonly letters: readonly string[];
  readonly marks: Uint32Array;
  /** Where the text numbers of a word begin in `postings`, and behind the last word where they end. */
  readonly postingStart: Uint32Array;
  readonly postings: Uint32Array;
}

/**
 * Lays out the collected words.
 *
 * @param words by a key that begins with the letters and goes on, if at all, with a blank.
 */
export function buildVocabulary(words: ReadonlyMap<string, WordPostings>): VocabularyData {
  const keys = [...words.keys()].sort();
  const letters: string[] = [];
  const marks = new Uint32Array(keys.length);
  const postingStart = new Uint32Array(keys.length + 1);
  const postings: number[] = [];
  for (let at = 0; at < keys.length; at++) {
    const word = words.get(keys[at]!)!;
    letters.push(word.letters);
    marks[at] = word.marks;
    for (const text of word.texts) postings.push(text);
    postingStart[at + 1] = postings.length;
  }
  return { letters, marks, postingStart, postings: Uint32Array.from(postings) };
}

/**
 * The distinct words of a set of texts in alphabetical order, each with the texts it stands in.
 *
 * Prefixes are found by bisection, typos by reading on through all words: some thousand words take that well under a
 * millisecond.
 */
export class Vocabulary {
  readonly letters: readonly string[];
  readonly marks: Uint32Array;
  readonly #postingStart: Uint32Array;
  readonly #postings: Uint32Array;

  constructor({ letters, marks, postingStart, postings }: VocabularyData) {
    this.letters = letters;
    this.marks = marks;
    this.#postingStart = postingStart;
    this.#postings = postings;
  }

  /** Number of distinct words. */
  get size(): number {
    return this.letters.length;
  }

  /** Finds the first word that does not come before `letters`; `size` where there is none. */
  lowerBound(letters: string): number {
    let low = 0;
    let high = this.letters.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.letters[middle]! < letters) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether the word at `at` begins with the one asked for, as far as `fits` lets umlauts pass. */
  beginsWith(at: number, word: FoldedWord): boolean {
    return this.letters[at]!.startsWith(word.letters) && fits(word.marks, this.marks[at]!);
  }

  /** Raises the grade of every text that contains the word at `at` to at least `grade`. */
  raise(grades: Uint8Array, at: number, grade: number): void {
    const end = this.#postingStart[at + 1]!;
    for (let posting = this.#postingStart[at]!; posting < end; posting++) {
      const text = this.#postings[posting]!;
      if (grades[text]! < grade) grades[text] = grade;
    }
  }
}
