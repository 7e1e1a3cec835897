import { countBeforeLegalForm, type FoldedWord, foldWord, foldWords } from "./fold-words.ts";
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

/** Abbreviations ready to be looked up by folded words. */
export interface AbbreviationTable {
  readonly readings: ReadonlyMap<string, SearchTerm["readings"]>;
  /** Words of the longest key. */
  readonly longest: number;
  readonly legalForms: ReadonlySet<string>;
}

/** Folds a table of `data/search-abbreviations.json`, once at start. */
export function foldAbbreviations(
  abbreviations: Readonly<Record<string, readonly string[]>>,
  legalForms: readonly string[] = [],
): AbbreviationTable {
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
  return { readings, longest, legalForms: new Set(legalForms) };
}

/** A query text within one range of records, without a legal form at its end. */
export interface AskedText {
  /** The words that must occur, each once. Empty for a text that holds neither letters nor digits. */
  readonly terms: readonly AskedTerm[];
  /** The letters of all words, repeated ones too, without anything between them. */
  readonly joined: string;
}

/**
 * Reads the words of a query as terms, each the longest abbreviation that fits or else a single word, and looks them up in
 * a vocabulary.
 *
 * See `splitWords` for the bounds.
 */
export function askText(text: string, table: AbbreviationTable, vocabulary: Vocabulary): AskedText {
  const all = foldWords(text);
  const letters = all.map((word) => word.letters);
  const words = all.slice(0, countBeforeLegalForm(letters, table.legalForms));
  const terms = new Map<string, SearchTerm>();
  for (let at = 0; at < words.length; ) {
    const term = termAt(words, at, table);
    terms.set(term.words.map(({ letters, marks }) => `${letters} ${marks}`).join(" "), term);
    at += term.words.length;
  }
  return {
    terms: [...terms.values()].map((term) => new AskedTerm(vocabulary, term)),
    joined: words.map((word) => word.letters).join(""),
  };
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

/**
 * Grades every text of a column by all terms: by its weakest one, and higher where the text begins with them or equals
 * them; undefined if none answers.
 */
export function gradeText(
  { terms, joined }: AskedText,
  column: TextIndex,
  tolerant: boolean,
): Grades | undefined {
  if (terms.length === 0) return undefined;
  const all: Grades[] = [];
  for (const term of byCount(terms, (term) => term.countIn(column))) {
    const grades = term.gradesIn(column, tolerant);
    if (grades === undefined) return undefined;
    all.push(grades);
  }
  const graded = weakestOf(all);
  const meant = tolerant ? terms.map(({ corrected }) => corrected).join("") : joined;
  let isFound = false;
  for (let text = 0; text < graded.length; text++) {
    const grade = graded[text]!;
    if (grade === Grade.none) continue;
    isFound = true;
    if (grade >= Grade.folded || tolerant) graded[text] = grade + column.bonus(text, meant);
  }
  return isFound ? graded : undefined;
}

/** Sorts terms so that the one that fewest texts answer comes first: it rules out most of them. */
export function byCount(terms: readonly AskedTerm[], count: (term: AskedTerm) => number): AskedTerm[] {
  return terms
    .map((term) => ({ term, count: count(term) }))
    .sort((one, other) => one.count - other.count)
    .map(({ term }) => term);
}

function raiseAll(grades: Grades, by: Grades): void {
  for (let at = 0; at < grades.length; at++) if (by[at]! > grades[at]!) grades[at] = by[at]!;
}
