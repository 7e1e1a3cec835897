import { Grade, type Grades } from "./grade.ts";
import { type ArraysOf, openArrays, packArrays } from "./packed-arrays.ts";
import { packSortedTexts, SortedTexts, startsOf } from "./sorted-texts.ts";
import type { Match } from "./vocabulary.ts";

const layout = {
  /** Number of the text, by place of the record. */
  textOf: Uint32Array,
  /** Where the text numbers of each word begin in `postings`, and after the last word, where they end. */
  postingStarts: Uint32Array,
  postings: Uint32Array,
  letters: Uint8Array,
} as const;

export interface ReadWord {
  readonly letters: string;
  /** Keys of the whole and of its parts. */
  readonly keys: readonly string[];
}

export interface ReadText {
  readonly text: string;
  /** Those of all its words but a legal form, without anything between them. */
  readonly letters: string;
  readonly words: readonly ReadWord[];
}

/** The distinct texts of a column of records, in the order of their letters. */
export interface TextColumn {
  readonly texts: readonly ReadText[];
  readonly textOf: Uint32Array;
}

/** Packs a column for `TextIndex`; `numbersOf` has the numbers of each word and its parts in a vocabulary of a size. */
export function packTextIndex(
  { texts, textOf }: TextColumn,
  numbersOf: ReadonlyMap<ReadWord, readonly number[]>,
  vocabularySize: number,
): Uint8Array {
  const postings = Array.from({ length: vocabularySize }, (): number[] => []);
  for (const [text, { words }] of texts.entries()) {
    for (const word of words) {
      for (const number of numbersOf.get(word)!) {
        if (postings[number]!.at(-1) !== text) postings[number]!.push(text);
      }
    }
  }
  return packArrays(layout, {
    textOf,
    postingStarts: startsOf(postings),
    postings: new Uint32Array(postings.flat()),
    letters: packSortedTexts(texts.map(({ letters }) => letters)),
  });
}

const SHORTEST_JOINED = 5;

/**
 * A column of short texts, read in place, and the words they consist of.
 *
 * A compound is found by its parts too: at an inner capital ("KölnBonn") and by the heads it was collected with.
 */
export class TextIndex {
  readonly textOf: Uint32Array;
  /** The letters of each text. */
  readonly letters: SortedTexts;
  readonly #arrays: ArraysOf<typeof layout>;

  constructor(packed: Uint8Array) {
    this.#arrays = openArrays(layout, packed);
    this.textOf = this.#arrays.textOf;
    this.letters = new SortedTexts(this.#arrays.letters);
  }

  /** Number of distinct texts. */
  get size(): number {
    return this.letters.size;
  }

  /** Grades the texts that contain any of these words by the best of them; undefined if none does. */
  grade(words: readonly Match[]): Grades | undefined {
    const { postingStarts, postings } = this.#arrays;
    let grades: Grades | undefined;
    for (const { word, grade } of words) {
      const end = postingStarts[word + 1]!;
      for (let posting = postingStarts[word]!; posting < end; posting++) {
        grades ??= new Uint8Array(this.size);
        const text = postings[posting]!;
        if (grades[text]! < grade) grades[text] = grade;
      }
    }
    return grades;
  }

  /** Adds what texts graded `least` or better gain by beginning with these letters, or by being equal to them. */
  favourBeginnings(grades: Grades, letters: string, least: number): void {
    const { first, end } = this.letters.beginningWith(letters);
    for (let text = first; text < end; text++) {
      const isEqual = this.letters.lengthOf(text) === letters.length;
      if (grades[text]! >= least) grades[text]! += isEqual ? Grade.equals : Grade.begins;
    }
  }

  /** Grades every text that begins with these letters, wherever its words end ("ingdiba"); undefined if none does. */
  gradeJoined(letters: string): Grades | undefined {
    if (letters.length < SHORTEST_JOINED) return undefined;
    const { first, end } = this.letters.beginningWith(letters);
    return first === end ? undefined : new Uint8Array(this.size).fill(Grade.prefix, first, end);
  }
}
