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

const spelledOut: Readonly<Record<string, string>> = { ß: "ss", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };

const MARKED_LETTERS = 31;

const FOLDED_ALREADY = /^(?:[b-df-np-tv-z0-9e]|[aou](?!e))+$/;

/**
 * Splits a text at everything that is neither letter nor digit, capitals kept.
 *
 * Takes any text: looks at no more than `MAX_TEXT_CHARACTERS` and `MAX_TEXT_WORDS`; the rest is ignored.
 */
export function splitWords(text: string): readonly string[] {
  const words = text
    .slice(0, MAX_TEXT_CHARACTERS)
    .normalize("NFKC")
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.slice(0, MAX_TEXT_WORDS) ?? [];
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

/**
 * Whether marks typed in a query agree with those of a word whose letters agree: a plain letter stands for an umlaut
 * too, but an umlaut (or ae, oe, ue) never for a plain letter, so that "Oelde" does not find "Oldenburg".
 */
export function fits(queryMarks: number, wordMarks: number): boolean {
  return (queryMarks & ~wordMarks) === 0;
}

/** Folds every word of a text, in order; see `splitWords` for the bounds. */
export function foldWords(text: string): readonly FoldedWord[] {
  return splitWords(text)
    .map(foldWord)
    .filter((word) => word.letters !== "");
}

const SHORTEST_COMPOUND_PART = 3;

const INNER_CAPITAL = /(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])/;

/**
 * Folds a word as it is written, first the whole of it, then the parts by which it is found too: those at an inner capital
 * ("KölnBonn") and which of `heads` it ends with.
 */
export function foldParts(written: string, heads: readonly string[]): readonly FoldedWord[] {
  const whole = foldWord(written);
  const parts = INNER_CAPITAL.test(written) ? written.split(INNER_CAPITAL) : [];
  const inner = parts.filter((part) => part.length >= SHORTEST_COMPOUND_PART);
  const head = heads.filter((end) => whole.letters.endsWith(end) && whole.letters.length > end.length);
  return [whole, ...[...inner, ...head].map(foldWord)];
}

/** Words of the longest legal form: "S.p.A." has three. */
const MAX_LEGAL_FORM_WORDS = 3;

/** Returns the words of a name before the legal form at its end ("SA", "S.A."), at least one. */
export function beforeLegalForm<Word extends Pick<FoldedWord, "letters">>(
  words: readonly Word[],
  legalForms: ReadonlySet<string>,
): readonly Word[] {
  let end = words.length;
  let form = "";
  for (let at = end - 1; at >= Math.max(1, words.length - MAX_LEGAL_FORM_WORDS); at--) {
    form = words[at]!.letters + form;
    if (legalForms.has(form)) end = at;
  }
  return words.slice(0, end);
}

/** Returns the letters of words with nothing, or with a separator, between them. */
export function joinedLetters(words: readonly Pick<FoldedWord, "letters">[], separator = ""): string {
  return words.map(({ letters }) => letters).join(separator);
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
