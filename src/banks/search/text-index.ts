import { Grade, type Grades } from "./grade.ts";
import { beginningWith, countOf, lengthOf, type SortedTexts, sortedTexts, startsOf } from "./sorted-texts.ts";
import type { Match } from "./vocabulary.ts";

/**
 * A column of short texts, read in place, and the words they consist of.
 *
 * A compound is found by its parts too: at an inner capital ("KölnBonn") and by the heads it was collected with.
 */
export interface TextIndex {
  /** Number of the text, by place of the record. */
  readonly textOf: Uint32Array;
  /** Where the text numbers of each word begin in `postings`, and after the last word, where they end. */
  readonly postingStarts: Uint32Array;
  readonly postings: Uint32Array;
  /** The letters of each text. */
  readonly letters: SortedTexts;
}

/** A text, or one word, as it is found. */
export interface ReadText {
  /** Those of all its words but a legal form, without anything between them. */
  readonly letters: string;
  /** Keys of all its words and of their parts. */
  readonly keys: readonly string[];
}

/** The distinct texts of a column of records, in the order of their letters. */
export interface TextColumn {
  readonly texts: readonly ReadText[];
  readonly textOf: Uint32Array;
}

/** Indexes a column by the keys of a vocabulary in their order. */
export function indexTexts({ texts, textOf }: TextColumn, vocabulary: readonly string[]): TextIndex {
  const textsWith = new Map(vocabulary.map((key): [string, number[]] => [key, []]));
  for (const [text, { keys }] of texts.entries()) {
    for (const key of keys) {
      const found = textsWith.get(key)!;
      if (found.at(-1) !== text) found.push(text);
    }
  }
  const postings = [...textsWith.values()];
  return {
    textOf,
    postingStarts: startsOf(postings),
    postings: new Uint32Array(postings.flat()),
    letters: sortedTexts(texts.map(({ letters }) => letters)),
  };
}

/** The grades of the texts of a column before any has one. */
export function noGrades({ letters }: TextIndex): Grades {
  return new Uint8Array(countOf(letters));
}

/** Grades the texts that contain any of these words by the best of them; undefined if none does. */
export function gradeWords(column: TextIndex, words: readonly Match[]): Grades | undefined {
  const { postingStarts, postings } = column;
  let grades: Grades | undefined;
  for (const { word, grade } of words) {
    const end = postingStarts[word + 1]!;
    for (let posting = postingStarts[word]!; posting < end; posting++) {
      grades ??= noGrades(column);
      const text = postings[posting]!;
      if (grades[text]! < grade) grades[text] = grade;
    }
  }
  return grades;
}

/** Adds what texts graded `least` or better gain by beginning with these letters, or by being equal to them. */
export function favourBeginnings({ letters }: TextIndex, grades: Grades, asked: string, least: number): void {
  const { first, end } = beginningWith(letters, asked);
  for (let text = first; text < end; text++) {
    const isEqual = lengthOf(letters, text) === asked.length;
    if (grades[text]! >= least) grades[text]! += isEqual ? Grade.equals : Grade.begins;
  }
}

const SHORTEST_JOINED = 5;

/** Grades every text that begins with these letters, wherever its words end ("ingdiba"); undefined if none does. */
export function gradeJoined(column: TextIndex, asked: string): Grades | undefined {
  if (asked.length < SHORTEST_JOINED) return undefined;
  const { first, end } = beginningWith(column.letters, asked);
  return first === end ? undefined : noGrades(column).fill(Grade.prefix, first, end);
}
