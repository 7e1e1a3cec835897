import type { FoldedWord } from "./fold-words.ts";
import { Grade, type Grades, weakestOf } from "./grade.ts";
import type { TextIndex } from "./text-index.ts";
import type { Vocabulary, WordRange } from "./vocabulary.ts";

/** A word of a reading; with `prefix` a longer word that begins so will do. */
export interface ReadingWord extends FoldedWord {
  readonly prefix: boolean;
}

/** One thing that a text must contain: the words typed, or all words of one of their readings. */
export interface SearchTerm {
  /** One word, or the words of an abbreviation that has several ("vr bank"). */
  readonly words: readonly FoldedWord[];
  /** Expansions of the words, for abbreviations. */
  readonly readings: readonly (readonly ReadingWord[])[];
}

/** The shortest words, in letters as typed, in which two exchanged letters, a typo and two typos are tolerated. */
const SHORTEST_EXCHANGED = 4;

const SHORTEST_WITH_TYPO = 5;

const SHORTEST_WITH_TWO_TYPOS = 6;

/** A word asked for, and the words of a vocabulary that begin with it. */
interface AskedWord<Word extends FoldedWord> {
  readonly word: Word;
  readonly range: WordRange;
}

/**
 * One term of a query with a vocabulary: its matches are looked up once, and graded once for each column of texts.
 */
export class AskedTerm {
  readonly #vocabulary: Vocabulary;
  readonly #words: readonly AskedWord<FoldedWord>[];
  readonly #readings: readonly (readonly AskedWord<ReadingWord>[])[];
  #typos: readonly (readonly number[])[] | undefined;
  readonly #strict = new Map<TextIndex, Grades | undefined>();
  readonly #tolerant = new Map<TextIndex, Grades | undefined>();

  constructor(vocabulary: Vocabulary, { words, readings }: SearchTerm) {
    const asked = <Word extends FoldedWord>(word: Word): AskedWord<Word> => ({
      word,
      range: vocabulary.beginningWith(word.letters),
    });
    this.#vocabulary = vocabulary;
    this.#words = words.map(asked);
    this.#readings = readings.map((reading) => reading.map(asked));
  }

  /** Grades every text of a column; undefined if none answers. `tolerant` lets longer words have a typo. */
  gradesIn(column: TextIndex, tolerant: boolean): Grades | undefined {
    const known = tolerant ? this.#tolerant : this.#strict;
    if (known.has(column)) return known.get(column);
    const grades = tolerant ? this.#gradeTolerant(column) : this.#gradeStrict(column);
    known.set(column, grades);
    return grades;
  }

  /** About how many texts of a column answer. */
  countIn(column: TextIndex): number {
    return this.#words.reduce((sum, { range }) => sum + column.countOf(range), 0);
  }

  /** Whether any text may answer, as it is written or with a typo. */
  get isKnown(): boolean {
    const isWritten = ({ range }: AskedWord<FoldedWord>) => range.first < range.end;
    return (
      this.#words.every((asked, at) => isWritten(asked) || this.#typoWords()[at]!.length > 0) ||
      this.#readings.some((words) => words.every(isWritten))
    );
  }

  /** Whether a typo leads to more than is found as it is written. */
  get hasTypos(): boolean {
    return this.#typoWords().some((words) => words.length > 0);
  }

  /** The letters asked for, with the typos of a word corrected where only one word is meant. */
  get corrected(): string {
    const typos = this.#typoWords();
    return this.#words
      .map(({ word, range }, at) => {
        if (range.first < range.end) return word.letters;
        const meant = new Set(typos[at]!.map((number) => this.#vocabulary.lettersOf(number)));
        return meant.size === 1 ? [...meant][0] : word.letters;
      })
      .join("");
  }

  #gradeStrict(column: TextIndex): Grades | undefined {
    const isWritten = this.#words.every(({ range }) => column.countOf(range) > 0);
    const readings = this.#readings.filter((words) => words.every(({ range }) => column.countOf(range) > 0));
    if (!isWritten && readings.length === 0) return undefined;
    const grades = isWritten
      ? weakestOf(this.#words.map((asked) => this.#gradeWord(column, asked)))
      : new Uint8Array(column.size);
    for (const reading of readings) this.#raiseReading(column, reading, grades);
    return grades;
  }

  #gradeTolerant(column: TextIndex): Grades | undefined {
    const strict = this.gradesIn(column, false);
    if (!this.hasTypos) return strict;
    const typos = this.#typoWords();
    const all = this.#words.map((asked, at) => {
      const grades = this.#gradeWord(column, asked);
      for (const number of typos[at]!) column.raise(grades, number, Grade.typo);
      return grades;
    });
    const grades = weakestOf(all);
    if (strict !== undefined) raiseAll(grades, strict);
    return grades.some((grade) => grade !== Grade.none) ? grades : undefined;
  }

  /** By word asked for: the words that answer it with a typo only. */
  #typoWords(): readonly (readonly number[])[] {
    const vocabulary = this.#vocabulary;
    this.#typos ??= this.#words.map(({ word, range: { first, end } }) => {
      if (word.typed < SHORTEST_EXCHANGED || /\d/.test(word.letters)) return [];
      const found =
        word.typed < SHORTEST_WITH_TYPO
          ? vocabulary.exchanged(word.letters)
          : vocabulary.nearest(word.letters, word.typed < SHORTEST_WITH_TWO_TYPOS ? 1 : 2);
      return found.filter((number) => number < first || number >= end || !vocabulary.fits(number, word));
    });
    return this.#typos;
  }

  #gradeWord(column: TextIndex, { word, range }: AskedWord<FoldedWord>): Grades {
    const vocabulary = this.#vocabulary;
    const grades = new Uint8Array(column.size);
    for (let number = range.first; number < range.end; number++) {
      if (!vocabulary.fits(number, word)) continue;
      const whole = vocabulary.hasMarks(number, word) ? Grade.whole : Grade.folded;
      const isWhole = vocabulary.lengthOf(number) === word.letters.length;
      column.raise(grades, number, isWhole ? whole : Grade.prefix);
    }
    return grades;
  }

  /** Raises the grade of the texts that contain all words of a reading. */
  #raiseReading(column: TextIndex, reading: readonly AskedWord<ReadingWord>[], grades: Grades): void {
    const found = weakestOf(
      reading.map(({ word, range }) => {
        const own = reading.length === 1 ? grades : new Uint8Array(column.size);
        const vocabulary = this.#vocabulary;
        for (let number = range.first; number < range.end; number++) {
          const isWhole = vocabulary.lengthOf(number) === word.letters.length;
          if ((isWhole || word.prefix) && vocabulary.fits(number, word))
            column.raise(own, number, Grade.abbreviation);
        }
        return own;
      }),
    );
    if (reading.length > 1) raiseAll(grades, found);
  }
}

function raiseAll(grades: Grades, by: Grades): void {
  for (let at = 0; at < grades.length; at++) if (by[at]! > grades[at]!) grades[at] = by[at]!;
}
