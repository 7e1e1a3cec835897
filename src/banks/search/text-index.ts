import { Grade, type Grades } from "./grade.ts";
import { layout, SHORTEST_JOINED } from "./pack-texts.ts";
import { type ArraysOf, openArrays } from "./packed-arrays.ts";
import type { Vocabulary, WordRange } from "./vocabulary.ts";

/**
 * A column of short texts, read in place, and the words they consist of.
 *
 * A compound is found by its parts too: at an inner capital ("KölnBonn") and by the heads it was collected with.
 */
export class TextIndex {
  /** Number of the text, by place of the record. */
  readonly textOf: Uint32Array;
  readonly #arrays: ArraysOf<typeof layout>;
  readonly #vocabulary: Vocabulary;

  constructor(packed: Uint8Array, vocabulary: Vocabulary) {
    this.#arrays = openArrays(layout, packed);
    this.textOf = this.#arrays.textOf;
    this.#vocabulary = vocabulary;
  }

  /** Number of distinct texts. */
  get size(): number {
    return this.#arrays.joinedStarts.length - 1;
  }

  /** How often the words of a range are in the texts. */
  countOf({ first, end }: WordRange): number {
    const { postingStarts } = this.#arrays;
    return postingStarts[end]! - postingStarts[first]!;
  }

  /** Raises the grade of every text that contains a word to at least `grade`. */
  raise(grades: Grades, word: number, grade: number): void {
    const { postingStarts, postings } = this.#arrays;
    const end = postingStarts[word + 1]!;
    for (let posting = postingStarts[word]!; posting < end; posting++) {
      const text = postings[posting]!;
      if (grades[text]! < grade) grades[text] = grade;
    }
  }

  /** Adds what a text gains by beginning with the words asked for, or by being equal to them. */
  bonus(text: number, asked: string): number {
    const { joinedStarts } = this.#arrays;
    if (!this.#begins(text, asked)) return 0;
    return joinedStarts[text + 1]! - joinedStarts[text]! === asked.length ? Grade.equals : Grade.begins;
  }

  /**
   * Grades every text that begins with these letters, wherever its words end ("ingdiba"); undefined if none does.
   *
   * Such a text begins with a word that the letters begin with, or that begins with the letters.
   */
  gradeJoined(asked: string): Grades | undefined {
    if (asked.length < SHORTEST_JOINED) return undefined;
    const grades = new Uint8Array(this.size);
    let isFound = false;
    const consider = (word: number): void => {
      const { postingStarts, postings } = this.#arrays;
      for (let posting = postingStarts[word]!; posting < postingStarts[word + 1]!; posting++) {
        const text = postings[posting]!;
        if (!this.#begins(text, asked)) continue;
        grades[text] = Grade.prefix;
        isFound = true;
      }
    };
    for (let length = 1; length <= asked.length; length++) {
      const { first, end } = this.#vocabulary.beginningWith(asked.slice(0, length));
      if (first === end) break;
      for (let word = first; word < end; word++) {
        if (length < asked.length && this.#vocabulary.lengthOf(word) > length) break;
        consider(word);
      }
    }
    return isFound ? grades : undefined;
  }

  #begins(text: number, asked: string): boolean {
    const { joinedStarts, joined } = this.#arrays;
    const start = joinedStarts[text]!;
    if (joinedStarts[text + 1]! - start < asked.length) return false;
    for (let at = 0; at < asked.length; at++) {
      if (joined[start + at] !== asked.charCodeAt(at)) return false;
    }
    return true;
  }
}
