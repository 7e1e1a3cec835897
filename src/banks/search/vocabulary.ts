import type { FoldedWord } from "./fold-words.ts";
import { type ArraysOf, binarySearch, openArrays, packArrays, packLetters } from "./packed-arrays.ts";

/**
 * Whether marks typed in a query agree with those of a word whose letters agree: a plain letter stands for an umlaut
 * too, but an umlaut (or ae, oe, ue) never for a plain letter, so that "Oelde" does not find "Oldenburg".
 */
export function fits(queryMarks: number, wordMarks: number): boolean {
  return (queryMarks & ~wordMarks) === 0;
}

/** A distinct word of a set of texts, before the vocabulary is laid out. */
export interface CollectedWord {
  readonly letters: string;
  readonly marks: number;
  /** Its place in the vocabulary; set by `packVocabulary`. */
  number: number;
}

const layout = {
  /** Where the letters of each word begin, and after the last word, where they end. */
  starts: Uint32Array,
  letters: Uint16Array,
  marks: Uint32Array,
} as const;

/** Puts words in alphabetical order, numbers them, and packs them for `Vocabulary`. */
export function packVocabulary(words: readonly CollectedWord[]): {
  readonly packed: Uint8Array;
  readonly size: number;
} {
  // Letters and marks in one text: a sort without a comparison function takes a fraction of one with it.
  const byKey = new Map(words.map((word) => [`${word.letters} ${word.marks}`, word]));
  const sorted = [...byKey.keys()].sort().map((key) => byKey.get(key)!);
  for (const [number, word] of sorted.entries()) word.number = number;
  const marks = Uint32Array.from(sorted, (word) => word.marks);
  const packed = packArrays(layout, { ...packLetters(sorted.map(({ letters }) => letters)), marks });
  return { packed, size: sorted.length };
}

/** The words that begin with given letters: numbers from `first` to before `end`. */
export interface WordRange {
  readonly first: number;
  readonly end: number;
}

/**
 * The distinct words of a set of texts in alphabetical order, read in place.
 *
 * A beginning is found by bisection. For a word with typos all are compared, 5,000 to 15,000 of them, in about a millisecond.
 */
export class Vocabulary {
  readonly #arrays: ArraysOf<typeof layout>;

  constructor(packed: Uint8Array) {
    this.#arrays = openArrays(layout, packed);
  }

  /** Number of distinct words. */
  get size(): number {
    return this.#arrays.marks.length;
  }

  /** Finds the words that begin with these letters. */
  beginningWith(letters: string): WordRange {
    const first = binarySearch(this.size, (number) => this.#compare(number, letters) < 0);
    const count = binarySearch(this.size - first, (at) => this.#compare(first + at, letters) === 0);
    return { first, end: first + count };
  }

  /** Whether the umlauts of a word agree with those of the one asked for, which it begins with. */
  fits(number: number, word: FoldedWord): boolean {
    return fits(word.marks, this.#arrays.marks[number]!);
  }

  /** The letters of a word; empty for a number beyond the last. */
  lettersOf(number: number): string {
    const { starts, letters } = this.#arrays;
    return String.fromCharCode(...letters.subarray(starts[number], starts[number + 1]));
  }

  /** Number of a word's letters. */
  lengthOf(number: number): number {
    const { starts } = this.#arrays;
    return starts[number + 1]! - starts[number]!;
  }

  /** Whether the umlauts of a word are exactly those asked for. */
  hasMarks(number: number, word: FoldedWord): boolean {
    return this.#arrays.marks[number] === word.marks;
  }

  /** The words with the letters of `asked` but for two neighbours that are exchanged. */
  exchanged(asked: string): readonly number[] {
    return Array.from({ length: asked.length - 1 }, (_, at) => {
      const meant = asked.slice(0, at) + asked[at + 1] + asked[at] + asked.slice(at + 2);
      const { first } = this.beginningWith(meant);
      return this.lettersOf(first) === meant && meant !== asked ? [first] : [];
    }).flat();
  }

  /** The words that differ from `asked` by one typo; or else, where `typos` is 2, by two. */
  nearest(asked: string, typos: number): readonly number[] {
    const { starts } = this.#arrays;
    for (let allowed = 1; allowed <= typos; allowed++) {
      const found: number[] = [];
      for (let number = 0; number < this.size; number++) {
        const [start, end] = [starts[number]!, starts[number + 1]!];
        // Most words are ruled out by their length.
        if (Math.abs(end - start - asked.length) > allowed) continue;
        if (this.#isNear(start, end, asked, 0, allowed)) found.push(number);
      }
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Compares a word with letters as far as these go: 0 if it begins with them. */
  #compare(number: number, asked: string): number {
    const { starts, letters } = this.#arrays;
    const start = starts[number]!;
    const length = starts[number + 1]! - start;
    for (let at = 0; at < asked.length; at++) {
      if (at === length) return -1;
      const difference = letters[start + at]! - asked.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /**
   * Whether the letters of a word from `at` to before `end` and the rest of those asked for, from `from` on, have an optimal
   * string alignment distance of at most `allowed`. A typo is a letter more, less or replaced, or two neighbours exchanged.
   * Hot.
   */
  #isNear(at: number, end: number, asked: string, from: number, allowed: number): boolean {
    const { letters } = this.#arrays;
    while (at < end && from < asked.length && letters[at] === asked.charCodeAt(from)) {
      at++;
      from++;
    }
    const [left, leftAsked] = [end - at, asked.length - from];
    if (left === 0 || leftAsked === 0) return left + leftAsked <= allowed;
    if (allowed === 0 || left - leftAsked > allowed || leftAsked - left > allowed) return false;
    const isExchanged =
      letters[at] === asked.charCodeAt(from + 1) && letters[at + 1] === asked.charCodeAt(from) && left > 1;
    return (
      this.#isNear(at + 1, end, asked, from + 1, allowed - 1) ||
      this.#isNear(at + 1, end, asked, from, allowed - 1) ||
      this.#isNear(at, end, asked, from + 1, allowed - 1) ||
      (isExchanged && this.#isNear(at + 2, end, asked, from + 2, allowed - 1))
    );
  }
}
