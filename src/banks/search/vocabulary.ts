import { type ArraysOf, binarySearch, openArrays, packArrays } from "./packed-arrays.ts";

/** A word as the search compares it. */
export interface FoldedWord {
  /** Lower case without diacritics; ä and ae both become "a" (likewise ö, ü, æ, ø), ß as "ss". */
  readonly letters: string;
  /** Bit i is set where letter i was written as an umlaut or with a following e; letters past the 31st have no bit. */
  readonly marks: number;
  /** Letters as typed, before folding. */
  readonly typed: number;
}

/** Maximum number of characters of a text that are looked at; the longest name of the Bundesbank's file has 58. */
const MAX_TEXT_CHARACTERS = 512;
/** Maximum number of words of a text that are looked at; the longest name has 11. */
export const MAX_TEXT_WORDS = 12;

const umlauts: Readonly<Record<string, string>> = { ä: "a", ö: "o", ü: "u", æ: "a", œ: "o", ø: "o" };
const spelledOut: Readonly<Record<string, string>> = { ß: "ss", ł: "l", đ: "d", ð: "d", þ: "th" };
const MARKED_LETTERS = 31;
const FOLDED_ALREADY = /^(?:[b-df-np-tv-z0-9e]|[aou](?!e))+$/;

/**
 * Splits a text at everything that is neither letter nor digit, capitals kept.
 *
 * Takes any text: looks at no more than `MAX_TEXT_CHARACTERS` and `MAX_TEXT_WORDS`; the rest is ignored.
 */
export function splitWords(text: string): readonly string[] {
  const words =
    text
      .slice(0, MAX_TEXT_CHARACTERS)
      .normalize("NFKC")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.length > MAX_TEXT_WORDS ? words.slice(0, MAX_TEXT_WORDS) : words;
}

/**
 * Folds a word of letters and digits, so that `fits` sees "Köln", "Koeln" and "koln" as one.
 *
 * "ue" counts as ü only where it can be one: not in "aue", "eue", "oue" and "que" (Bauer, Neuenahr, Quelle).
 */
export function foldWord(word: string): FoldedWord {
  const lower = word.toLowerCase();
  if (FOLDED_ALREADY.test(lower)) return { letters: lower, marks: 0, typed: word.length };
  let letters = "";
  let marks = 0;
  for (const character of lower) {
    const last = letters.length - 1;
    const vowel = umlauts[character];
    if (vowel !== undefined) {
      marks |= markOf(letters.length);
      letters += vowel;
    } else if (character === "e" && (marks & markOf(last)) === 0 && mayTakeUmlaut(letters)) {
      marks |= markOf(last);
    } else {
      letters += character < "\x80" ? character : (spelledOut[character] ?? withoutDiacritics(character));
    }
  }
  return { letters, marks, typed: [...word].length };
}

/** Folds every word of a text, in order; see `splitWords` for the bounds. */
export function foldWords(text: string): readonly FoldedWord[] {
  return splitWords(text)
    .map(foldWord)
    .filter((word) => word.letters !== "");
}

/** Words of the longest legal form: "S.p.A." has three. */
const MAX_LEGAL_FORM_WORDS = 3;

/** Returns how many words of a name come before the legal form at its end ("SA", "S.A."), at least one. */
export function countBeforeLegalForm(words: readonly string[], legalForms: ReadonlySet<string>): number {
  for (let count = Math.min(MAX_LEGAL_FORM_WORDS, words.length - 1); count > 0; count--) {
    if (legalForms.has(words.slice(-count).join(""))) return words.length - count;
  }
  return words.length;
}

/**
 * Whether marks typed in a query agree with those of a word whose letters agree: a plain letter stands for an umlaut
 * too, but an umlaut (or ae, oe, ue) never for a plain letter, so that "Oelde" does not find "Oldenburg".
 */
export function fits(queryMarks: number, wordMarks: number): boolean {
  return (queryMarks & ~wordMarks) === 0;
}

function markOf(position: number): number {
  return position >= 0 && position < MARKED_LETTERS ? 1 << position : 0;
}

function mayTakeUmlaut(letters: string): boolean {
  const last = letters.at(-1);
  if (last === "a" || last === "o") return true;
  return last === "u" && !/[aeoq]u$/.test(letters);
}

function withoutDiacritics(character: string): string {
  return character.normalize("NFD").replace(/\p{M}/gu, "");
}

/** A distinct word of a set of texts, before the vocabulary is laid out. */
export interface CollectedWord {
  readonly letters: string;
  readonly marks: number;
  /** Its place in the vocabulary; set by `packVocabulary`. */
  number: number;
}

const layout = {
  /** Where the letters of each word begin, and after the last word, where they end. */
  starts: Uint32Array,
  letters: Uint16Array,
  marks: Uint32Array,
} as const;

/** Puts words in alphabetical order, numbers them, and packs them for `Vocabulary`. */
export function packVocabulary(words: readonly CollectedWord[]): {
  readonly packed: Uint8Array;
  readonly size: number;
} {
  // Letters and marks in one text: a sort without a comparison function takes a fraction of one with it.
  const byKey = new Map(words.map((word) => [`${word.letters} ${word.marks}`, word]));
  const sorted = [...byKey.keys()].sort().map((key) => byKey.get(key)!);
  const starts = new Uint32Array(sorted.length + 1);
  for (const [number, word] of sorted.entries()) {
    word.number = number;
    starts[number + 1] = starts[number]! + word.letters.length;
  }
  const letters = new Uint16Array(starts.at(-1)!);
  for (const [number, { letters: text }] of sorted.entries()) {
    for (let at = 0; at < text.length; at++) letters[starts[number]! + at] = text.charCodeAt(at);
  }
  const marks = Uint32Array.from(sorted, (word) => word.marks);
  return {
    packed: packArrays(layout, { starts, letters, marks }),
    size: sorted.length,
  };
}

/** The words that begin with given letters: numbers from `first` to before `end`. */
export interface WordRange {
  readonly first: number;
  readonly end: number;
}

/**
 * The distinct words of a set of texts in alphabetical order, read in place.
 *
 * A beginning is found by bisection. For a word with typos all are compared, 5,000 to 15,000 of them, in about a millisecond.
 */
export class Vocabulary {
  readonly #arrays: ArraysOf<typeof layout>;

  constructor(packed: Uint8Array) {
    this.#arrays = openArrays(layout, packed);
  }

  /** Number of distinct words. */
  get size(): number {
    return this.#arrays.marks.length;
  }

  /** Finds the words that begin with these letters. */
  beginningWith(letters: string): WordRange {
    const first = binarySearch(this.size, (number) => this.#compare(number, letters) < 0);
    const count = binarySearch(this.size - first, (at) => this.#compare(first + at, letters) === 0);
    return { first, end: first + count };
  }

  /** Whether the umlauts of a word agree with those of the one asked for, which it begins with. */
  fits(number: number, word: FoldedWord): boolean {
    return fits(word.marks, this.#arrays.marks[number]!);
  }

  /** The letters of a word; empty for a number beyond the last. */
  lettersOf(number: number): string {
    const { starts, letters } = this.#arrays;
    return String.fromCharCode(...letters.subarray(starts[number], starts[number + 1]));
  }

  /** Number of a word's letters. */
  lengthOf(number: number): number {
    const { starts } = this.#arrays;
    return starts[number + 1]! - starts[number]!;
  }

  /** Whether the umlauts of a word are exactly those asked for. */
  hasMarks(number: number, word: FoldedWord): boolean {
    return this.#arrays.marks[number] === word.marks;
  }

  /** The words with the letters of `asked` but for two neighbours that are exchanged. */
  exchanged(asked: string): readonly number[] {
    return Array.from({ length: asked.length - 1 }, (_, at) => {
      const meant = asked.slice(0, at) + asked[at + 1] + asked[at] + asked.slice(at + 2);
      const { first } = this.beginningWith(meant);
      return this.lettersOf(first) === meant && meant !== asked ? [first] : [];
    }).flat();
  }

  /** The words that differ from `asked` by one typo; or else, where `typos` is 2, by two. */
  nearest(asked: string, typos: number): readonly number[] {
    const { starts } = this.#arrays;
    for (let allowed = 1; allowed <= typos; allowed++) {
      const found: number[] = [];
      for (let number = 0; number < this.size; number++) {
        const [start, end] = [starts[number]!, starts[number + 1]!];
        // Most words are ruled out by their length.
        if (Math.abs(end - start - asked.length) > allowed) continue;
        if (this.#isNear(start, end, asked, 0, allowed)) found.push(number);
      }
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Compares a word with letters as far as these go: 0 if it begins with them. */
  #compare(number: number, asked: string): number {
    const { starts, letters } = this.#arrays;
    const start = starts[number]!;
    const length = starts[number + 1]! - start;
    for (let at = 0; at < asked.length; at++) {
      if (at === length) return -1;
      const difference = letters[start + at]! - asked.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /**
   * Whether the letters of a word from `at` to before `end` and the rest of those asked for, from `from` on, have an optimal
   * string alignment distance of at most `allowed`. A typo is a letter more, less or replaced, or two neighbours exchanged.
   * Hot.
   */
  #isNear(at: number, end: number, asked: string, from: number, allowed: number): boolean {
    const { letters } = this.#arrays;
    while (at < end && from < asked.length && letters[at] === asked.charCodeAt(from)) {
      at++;
      from++;
    }
    const [left, leftAsked] = [end - at, asked.length - from];
    if (left === 0 || leftAsked === 0) return left + leftAsked <= allowed;
    if (allowed === 0 || left - leftAsked > allowed || leftAsked - left > allowed) return false;
    const isExchanged =
      letters[at] === asked.charCodeAt(from + 1) && letters[at + 1] === asked.charCodeAt(from) && left > 1;
    return (
      this.#isNear(at + 1, end, asked, from + 1, allowed - 1) ||
      this.#isNear(at + 1, end, asked, from, allowed - 1) ||
      this.#isNear(at, end, asked, from + 1, allowed - 1) ||
      (isExchanged && this.#isNear(at + 2, end, asked, from + 2, allowed - 1))
    );
  }
}
