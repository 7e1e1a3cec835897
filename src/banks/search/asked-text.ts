import { AskedTerm, type ReadingWord, type SearchTerm } from "./asked-term.ts";
import { countBeforeLegalForm, type FoldedWord, foldWord, foldWords } from "./fold-words.ts";
import { Grade, type Grades, weakestOf } from "./grade.ts";
import type { TextIndex } from "./text-index.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Abbreviations ready to be looked up by folded words. */
export interface AbbreviationTable {
  readonly readings: ReadonlyMap<string, SearchTerm["readings"]>;
  /** Words of the longest key. */
  readonly longest: number;
  readonly legalForms: ReadonlySet<string>;
  /** Words that a text need not contain. */
  readonly conjunctions: readonly string[];
}

/** Folds a table of `data/search-abbreviations.json`, once at start. */
export function foldAbbreviations(
  abbreviations: Readonly<Record<string, readonly string[]>>,
  legalForms: readonly string[] = [],
  conjunctions: readonly string[] = [],
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
  return { readings, longest, legalForms: new Set(legalForms), conjunctions };
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
  for (const word of table.conjunctions) if (terms.size > 1) terms.delete(`${word} 0`);
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
