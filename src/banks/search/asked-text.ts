import { beforeLegalForm, type FoldedWord, foldWord, foldWords, joinedLetters } from "./fold-words.ts";
import { Grade, type Grades, strongestOf, weakestOf } from "./grade.ts";
import { lettersOf } from "./sorted-texts.ts";
import { favourBeginnings, gradeWords, type TextIndex } from "./text-index.ts";
import { keyOf, type Match, matchesOf, typosOf, type Vocabulary } from "./vocabulary.ts";

/** A word of a reading; with `prefix` a longer word that begins so will do. */
interface ReadingWord extends FoldedWord {
  readonly prefix: boolean;
}

/** What abbreviations stand for: the words of one or several texts. */
type Readings = readonly (readonly ReadingWord[])[];

type AbbreviationTable = ReturnType<typeof foldAbbreviations>;

/** Folds a table of `data/search-abbreviations.json`, once at start; a text need not contain the conjunctions. */
export function foldAbbreviations(
  abbreviations: Readonly<Record<string, readonly string[]>>,
  legalForms: readonly string[] = [],
  conjunctions: readonly string[] = [],
) {
  const readings = Object.entries(abbreviations).map(
    ([key, texts]) =>
      [joinedLetters(foldWords(key), " "), texts.map((text) => text.split(" ").map(readingWord))] as const,
  );
  return { readings: new Map<string, Readings>(readings), legalForms: new Set(legalForms), conjunctions };
}

function readingWord(text: string): ReadingWord {
  const prefix = text.endsWith("*");
  return { ...foldWord(prefix ? text.slice(0, -1) : text), prefix };
}

/**
 * One thing that a text must contain: the words typed, or all words of one of their readings.
 *
 * @param words one, or those of an abbreviation that has several ("vr bank").
 */
function askTerm(vocabulary: Vocabulary, words: readonly FoldedWord[], readings: Readings) {
  const written = words.map((word) => matchesOf(vocabulary, word));
  const readingMatches = readings.map((reading) =>
    reading.map((word) =>
      matchesOf(vocabulary, word)
        .filter(({ grade }) => word.prefix || grade !== Grade.prefix)
        .map((match) => ({ ...match, grade: Grade.abbreviation })),
    ),
  );
  let tolerant: readonly (readonly Match[])[] | undefined;
  /** By word asked for: the words that answer it, and those that do with a typo. */
  const withTypos = () => {
    tolerant ??= words.map((word, at) => [...written[at]!, ...typosOf(vocabulary, word)]);
    return tolerant;
  };
  return {
    /** How many words answer the words as they are written. */
    matchCount: written.reduce((sum, { length }) => sum + length, 0),
    /** Grades every text of a column; undefined if none answers. `isTolerant` lets longer words have a typo. */
    gradesIn: (column: TextIndex, isTolerant: boolean): Grades | undefined =>
      strongestOf(
        [isTolerant ? withTypos() : written, ...readingMatches].flatMap(
          (asked) => weakestOf(asked, (matches) => gradeWords(column, matches)) ?? [],
        ),
      ),
    /** The letters asked for, with the typos of a word corrected where only one word is meant. */
    corrected: () =>
      words.map(({ letters }, at) => {
        if (written[at]!.length > 0) return letters;
        const meant = new Set(withTypos()[at]!.map(({ word }) => lettersOf(vocabulary.words, word)));
        return meant.size === 1 ? [...meant][0] : letters;
      }),
  };
}

/** A query text within one range of records, without a legal form at its end. */
export type AskedText = ReturnType<typeof askText>;

/**
 * Reads the words of a query as terms, each the longest abbreviation that fits or else a single word, and looks them up in
 * a vocabulary.
 */
export function askText(
  text: string,
  { readings, legalForms, conjunctions }: AbbreviationTable,
  vocabulary: Vocabulary,
) {
  const words = beforeLegalForm(foldWords(text), legalForms);
  const terms = new Map<string, readonly FoldedWord[]>();
  for (let at = 0; at < words.length; ) {
    let end = words.length;
    while (end > at + 1 && !readings.has(joinedLetters(words.slice(at, end), " "))) end--;
    const term = words.slice(at, end);
    terms.set(term.map(keyOf).join(" "), term);
    at = end;
  }
  for (const word of conjunctions) if (terms.size > 1) terms.delete(`${word} 0`);
  const asked = Array.from(terms.values(), (term) =>
    askTerm(vocabulary, term, readings.get(joinedLetters(term, " ")) ?? []),
  );
  return {
    /** What must occur, each once, what fewest words answer first: it rules out most. Empty for punctuation alone. */
    terms: asked.toSorted((one, other) => one.matchCount - other.matchCount),
    /** The letters of all words, repeated ones too. */
    joined: joinedLetters(words),
    corrected: () => asked.flatMap(({ corrected }) => corrected()).join(""),
  };
}

/**
 * Grades every text of a column by all terms: by its weakest one, and higher where the text begins with them or equals
 * them; undefined if none answers.
 */
export function gradeText(
  { terms, joined, corrected }: AskedText,
  column: TextIndex,
  tolerant: boolean,
): Grades | undefined {
  const grades = weakestOf(terms, (term) => term.gradesIn(column, tolerant));
  if (grades === undefined) return undefined;
  const [letters, least] = tolerant ? [corrected(), Grade.typo] : [joined, Grade.folded];
  favourBeginnings(column, grades, letters, least);
  return grades;
}
