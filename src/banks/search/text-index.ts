import { type FoldedWord, foldWord, splitWords } from "./fold.ts";
import { Grade, type Grades, weakestOf } from "./grade.ts";
import { isWithinOneEdit } from "./one-edit.ts";
import type { ReadingWord, SearchTerm, Wording } from "./search-terms.ts";
import { buildVocabulary, Vocabulary, type VocabularyData, type WordPostings } from "./vocabulary.ts";

/** The shortest word, in letters as typed, in which a typo is tolerated. */
const SHORTEST_WITH_TYPO = 5;
const SHORTEST_COMPOUND_PART = 3;
const INNER_CAPITAL = /(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])/;

/** What is known of a set of texts, as plain values, so that they may be copied to another thread. */
export interface TextIndexData {
  readonly vocabulary: VocabularyData;
  /** By text: the letters of all its words, without anything between them. */
  readonly joined: readonly string[];
}

/**
 * Reads the words of a set of texts.
 *
 * @param heads last parts of compounds by which the whole is found too.
 */
export function buildTextIndex(texts: readonly string[], heads: readonly string[] = []): TextIndexData {
  const words = new Map<string, WordPostings>();
  // The same words are written over and over: each is folded once, with everything it is entered under.
  const known = new Map<string, readonly WordPostings[]>();
  const joined: string[] = [];
  for (let text = 0; text < texts.length; text++) {
    let letters = "";
    for (const written of splitWords(texts[text]!)) {
      let entries = known.get(written);
      if (entries === undefined) {
        entries = foldParts(written, heads).map((word) => entryOf(words, word));
        known.set(written, entries);
      }
      letters += entries[0]!.letters;
      for (const { texts: postings } of entries) {
        if (postings[postings.length - 1] !== text) postings.push(text);
      }
    }
    joined.push(letters);
  }
  return { vocabulary: buildVocabulary(words), joined };
}

/**
 * Finds words in a set of short texts, by whole word, by beginning, by abbreviation and within one typo.
 *
 * A compound is found by its parts too: at an inner capital ("KölnBonn") and by the heads it was built with.
 */
export class TextIndex {
  readonly #vocabulary: Vocabulary;
  readonly #joined: readonly string[];

  constructor({ vocabulary, joined }: TextIndexData) {
    this.#vocabulary = new Vocabulary(vocabulary);
    this.#joined = joined;
  }

  /** Grades of nothing found. */
  gradeNone(): Grades {
    return new Uint8Array(this.#joined.length);
  }

  /** Grades every text by one term. `tolerant` lets words of `SHORTEST_WITH_TYPO` letters and more have a typo. */
  gradeTerm(term: SearchTerm, tolerant: boolean): Grades {
    const best = this.#gradeAll(term.words, (word, grades) => this.#gradeWord(word, tolerant, grades));
    for (const reading of term.readings) {
      const grades = this.#gradeAll(reading, (word, into) => this.#gradeReadingWord(word, into));
      for (let text = 0; text < best.length; text++) {
        if (grades[text] !== 0 && best[text]! < Grade.abbreviation) best[text] = Grade.abbreviation;
      }
    }
    return best;
  }

  /** Grades every text by all terms: by its weakest one, and higher where the text begins with them or equals them. */
  gradeWording({ terms, joined: asked }: Wording, tolerant: boolean): Grades {
    const grades = weakestOf(terms.map((term) => this.gradeTerm(term, tolerant)));
    for (let text = 0; text < grades.length; text++) {
      if (grades[text]! < Grade.folded) continue;
      const joined = this.#joined[text]!;
      if (joined === asked) grades[text]! += Grade.equals;
      else if (joined.startsWith(asked)) grades[text]! += Grade.begins;
    }
    return grades;
  }

  /** Grades every text that begins with the letters of all words, wherever its words end ("ingdiba"). */
  gradeJoined({ joined: asked }: Wording): Grades {
    const grades = this.gradeNone();
    if (asked.length < SHORTEST_WITH_TYPO) return grades;
    for (let text = 0; text < grades.length; text++) {
      if (this.#joined[text]!.startsWith(asked)) grades[text] = Grade.prefix;
    }
    return grades;
  }

  #gradeAll<Word>(words: readonly Word[], grade: (word: Word, into: Grades) => void): Grades {
    return weakestOf(
      words.map((word) => {
        const grades = this.gradeNone();
        grade(word, grades);
        return grades;
      }),
    );
  }

  #gradeWord(word: FoldedWord, tolerant: boolean, grades: Grades): void {
    const vocabulary = this.#vocabulary;
    for (let at = vocabulary.lowerBound(word.letters); at < vocabulary.size; at++) {
      const letters = vocabulary.letters[at]!;
      if (!letters.startsWith(word.letters)) break;
      if (!vocabulary.beginsWith(at, word)) continue;
      const isWhole = letters.length === word.letters.length;
      const grade = isWhole
        ? vocabulary.marks[at] === word.marks
          ? Grade.whole
          : Grade.folded
        : Grade.prefix;
      vocabulary.raise(grades, at, grade);
    }
    if (!tolerant || word.typed < SHORTEST_WITH_TYPO || /\d/.test(word.letters)) return;
    for (let at = 0; at < vocabulary.size; at++) {
      if (isWithinOneEdit(word.letters, vocabulary.letters[at]!)) vocabulary.raise(grades, at, Grade.typo);
    }
  }

  #gradeReadingWord(word: ReadingWord, grades: Grades): void {
    const vocabulary = this.#vocabulary;
    for (let at = vocabulary.lowerBound(word.letters); at < vocabulary.size; at++) {
      const letters = vocabulary.letters[at]!;
      if (!letters.startsWith(word.letters)) break;
      const isWhole = letters.length === word.letters.length;
      if ((isWhole || word.prefix) && vocabulary.beginsWith(at, word))
        vocabulary.raise(grades, at, Grade.abbreviation);
    }
  }
}

function entryOf(words: Map<string, WordPostings>, { letters, marks }: FoldedWord): WordPostings {
  const key = marks === 0 ? letters : `${letters} ${marks}`;
  const known = words.get(key);
  if (known !== undefined) return known;
  const entry: WordPostings = { letters, marks, texts: [] };
  words.set(key, entry);
  return entry;
}

/** Folds a word as it is written, first the whole of it, then the parts by which it is found too. */
function foldParts(written: string, heads: readonly string[]): readonly FoldedWord[] {
  const whole = foldWord(written);
  const parts = INNER_CAPITAL.test(written) ? written.split(INNER_CAPITAL) : [];
  const inner = parts.filter((part) => part.length >= SHORTEST_COMPOUND_PART);
  const head = heads.filter((end) => whole.letters.endsWith(end) && whole.letters.length > end.length);
  return [whole, ...inner.map(foldWord), ...head.map(foldWord)];
}
