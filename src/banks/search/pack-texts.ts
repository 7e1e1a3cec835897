import { countBeforeLegalForm, type FoldedWord, foldWord, splitWords } from "./fold-words.ts";
import { packArrays, packLetters } from "./packed-arrays.ts";
import type { CollectedWord } from "./vocabulary.ts";

/** The arrays of the packed texts of one column. */
export const layout = {
  /** Number of the text, by place of the record. */
  textOf: Uint32Array,
  /** Where the text numbers of each word begin in `postings`, and after the last word, where they end. */
  postingStarts: Uint32Array,
  postings: Uint32Array,
  /** By text: where the letters of all its words but a legal form, without anything between them, begin and end. */
  joinedStarts: Uint32Array,
  joined: Uint16Array,
} as const;

const SHORTEST_COMPOUND_PART = 3;

const INNER_CAPITAL = /(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])/;

/** Minimum length of joined letters to look for. */
export const SHORTEST_JOINED = 5;

/** The words of one column of texts, as they are collected. */
export interface CollectedTexts {
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
  const { starts: joinedStarts, letters } = packLetters(joined);
  return packArrays(layout, { textOf, postingStarts, postings, joinedStarts, joined: letters });
}

/** Folds a word as it is written, first the whole of it, then the parts by which it is found too. */
function foldParts(written: string, heads: readonly string[]): readonly FoldedWord[] {
  const whole = foldWord(written);
  const parts = INNER_CAPITAL.test(written) ? written.split(INNER_CAPITAL) : [];
  const inner = parts.filter((part) => part.length >= SHORTEST_COMPOUND_PART);
  const head = heads.filter((end) => whole.letters.endsWith(end) && whole.letters.length > end.length);
  return [whole, ...inner.map(foldWord), ...head.map(foldWord)];
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
