import { type FoldedWord, fits } from "./fold.ts";

/** Collects the words of texts that come in order, the first being number 0. */
export interface WordPostings {
  readonly letters: string;
  readonly marks: number;
  /** Ascending text numbers. */
  readonly texts: number[];
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

  /** @param words by a key that begins with the letters and goes on, if at all, with a blank. */
  constructor(words: ReadonlyMap<string, WordPostings>) {
    const keys = [...words.keys()].sort();
    const letters: string[] = [];
    this.marks = new Uint32Array(keys.length);
    this.#postingStart = new Uint32Array(keys.length + 1);
    const postings: number[] = [];
    for (let at = 0; at < keys.length; at++) {
      const word = words.get(keys[at]!)!;
      letters.push(word.letters);
      this.marks[at] = word.marks;
      for (const text of word.texts) postings.push(text);
      this.#postingStart[at + 1] = postings.length;
    }
    this.letters = letters;
    this.#postings = Uint32Array.from(postings);
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
