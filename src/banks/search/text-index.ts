import { type ArraysOf, openArrays, packArrays } from "./packed-arrays.ts";
import {
  type CollectedWord,
  countBeforeLegalForm,
  type FoldedWord,
  foldWord,
  splitWords,
  type Vocabulary,
  type WordRange,
} from "./vocabulary.ts";

/**
 * How well a word or a whole text answers a query, best highest.
 *
 * `begins` and `equals` are added to `folded` or `whole` where the text begins with the query or is equal to it.
 */
export const Grade = {
  none: 0,
  typo: 1,
  /** Found by what an abbreviation stands for. */
  abbreviation: 2,
  /** A word that begins so. */
  prefix: 3,
  /** The whole word, an umlaut for a plain letter. */
  folded: 4,
  whole: 5,
  begins: 2,
  equals: 4,
} as const;

/** The best grade there is: a text equal to the query. */
export const BEST_GRADE: number = Grade.whole + Grade.equals;

/** Grades of texts or of records, by their number. */
export type Grades = Uint8Array;

/** Keeps the lowest of several grades, place by place; at least one array of one length. */
export function weakestOf(all: readonly Grades[]): Grades {
  const weakest = all[0]!.slice();
  for (let other = 1; other < all.length; other++) {
    const grades = all[other]!;
    for (let at = 0; at < weakest.length; at++) if (grades[at]! < weakest[at]!) weakest[at] = grades[at]!;
  }
  return weakest;
}

const SHORTEST_COMPOUND_PART = 3;
const INNER_CAPITAL = /(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])/;
/** Minimum length of joined letters to look for. */
const SHORTEST_JOINED = 5;

const layout = {
  /** Number of the text, by place of the record. */
  textOf: Uint32Array,
  /** Where the text numbers of each word begin in `postings`, and after the last word, where they end. */
  postingStarts: Uint32Array,
  postings: Uint32Array,
  /** By text: where the letters of all its words but a legal form, without anything between them, begin and end. */
  joinedStarts: Uint32Array,
  joined: Uint16Array,
} as const;

/** The words of one column of texts, as they are collected. */
interface CollectedTexts {
  /** The words of each text and, after those, the parts of compounds in it. */
  readonly words: readonly (readonly CollectedWord[])[];
  readonly joined: readonly string[];
}

/** Collects the words of several columns of texts for one vocabulary. */
export class WordCollection {
  readonly #words = new Map<string, CollectedWord>();
  // The same words are written over and over: each is folded once, with everything it is entered under.
  readonly #known = new Map<string, readonly CollectedWord[]>();

  /** All words, in the order of their first use. */
  get words(): readonly CollectedWord[] {
    return [...this.#words.values()];
  }

  /**
   * Reads the words of a column of texts.
   *
   * @param heads last parts of compounds by which the whole is found too.
   * @param legalForms what a text is compared without, where it ends so.
   */
  collect(
    texts: readonly string[],
    heads: readonly string[] = [],
    legalForms: ReadonlySet<string> = new Set(),
  ): CollectedTexts {
    const known = heads.length === 0 ? new Map<string, readonly CollectedWord[]>() : this.#known;
    const joined: string[] = [];
    const words = texts.map((text) => {
      const letters: string[] = [];
      const found: CollectedWord[] = [];
      for (const written of splitWords(text)) {
        let entries = known.get(written);
        if (entries === undefined) {
          entries = foldParts(written, heads).map((word) => this.#entryOf(word));
          known.set(written, entries);
        }
        letters.push(entries[0]!.letters);
        for (const entry of entries) found.push(entry);
      }
      joined.push(letters.slice(0, countBeforeLegalForm(letters, legalForms)).join(""));
      return found;
    });
    return { words, joined };
  }

  #entryOf({ letters, marks }: FoldedWord): CollectedWord {
    const key = marks === 0 ? letters : `${letters} ${marks}`;
    let entry = this.#words.get(key);
    if (entry === undefined) {
      entry = { letters, marks, number: -1 };
      this.#words.set(key, entry);
    }
    return entry;
  }
}

/** Packs a column of texts for `TextIndex`; its words must have been numbered. */
export function packTexts(
  { words, joined }: CollectedTexts,
  textOf: Uint32Array,
  vocabularySize: number,
): Uint8Array {
  const postingStarts = new Uint32Array(vocabularySize + 1);
  eachPosting(words, vocabularySize, (word) => postingStarts[word + 1]!++);
  for (let word = 0; word < vocabularySize; word++) postingStarts[word + 1]! += postingStarts[word]!;
  const next = postingStarts.slice();
  const postings = new Uint32Array(postingStarts[vocabularySize]!);
  eachPosting(words, vocabularySize, (word, text) => {
    postings[next[word]!++] = text;
  });
  const joinedStarts = new Uint32Array(joined.length + 1);
  for (const [text, letters] of joined.entries())
    joinedStarts[text + 1] = joinedStarts[text]! + letters.length;
  const letters = new Uint16Array(joinedStarts.at(-1)!);
  for (const [text, of] of joined.entries()) {
    for (let at = 0; at < of.length; at++) letters[joinedStarts[text]! + at] = of.charCodeAt(at);
  }
  return packArrays(layout, { textOf, postingStarts, postings, joinedStarts, joined: letters });
}

/** Calls back for each word of each text once. */
function eachPosting(
  words: CollectedTexts["words"],
  vocabularySize: number,
  visit: (word: number, text: number) => void,
): void {
  const lastTextOf = new Int32Array(vocabularySize).fill(-1);
  for (let text = 0; text < words.length; text++) {
    for (const { number } of words[text]!) {
      if (lastTextOf[number] === text) continue;
      lastTextOf[number] = text;
      visit(number, text);
    }
  }
}

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

/** Folds a word as it is written, first the whole of it, then the parts by which it is found too. */
function foldParts(written: string, heads: readonly string[]): readonly FoldedWord[] {
  const whole = foldWord(written);
  const parts = INNER_CAPITAL.test(written) ? written.split(INNER_CAPITAL) : [];
  const inner = parts.filter((part) => part.length >= SHORTEST_COMPOUND_PART);
  const head = heads.filter((end) => whole.letters.endsWith(end) && whole.letters.length > end.length);
  return [whole, ...inner.map(foldWord), ...head.map(foldWord)];
}
