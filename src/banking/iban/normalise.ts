/** The shortest registered IBAN (Norway). Source: SWIFT IBAN Registry, release 102. */
export const SHORTEST_IBAN = 15;

const compact = /^[0-9A-Z]*$/;
const formal = new RegExp(`^[A-Z]{2}[0-9A-Z]{${SHORTEST_IBAN - 2},}$`);

/**
 * Brings an IBAN as people write it into the form the checks take: no white space, ASCII letters in upper case.
 *
 * White space is all that JavaScript's `\s` matches. Only a to z are folded, never by locale or Unicode rules, so the
 * result is never longer than the input and no foreign letter becomes an ASCII one. Any string may be given.
 *
 * @example normaliseIban("de89 3704 0044 0532 0130 00") // → "DE89370400440532013000"
 */
export function normaliseIban(text: string): string {
  if (compact.test(text)) return text;
  return text.replace(/\s+/g, "").replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/**
 * Whether a normalised text has the form of an IBAN: 15 characters or more, two letters first, only A-Z and 0-9.
 *
 * False is the interface's error `invalid_iban`; an IBAN longer than its country's is formal and of wrong length.
 *
 * @example isFormalIban("DE89370400440532013000") // → true
 */
export function isFormalIban(normalised: string): boolean {
  return formal.test(normalised);
}

/** Decoration around the characters of an IBAN that `lenient=1` removes; `text` is any other text. */
export type Decoration = "prefix" | "separators" | "invisible" | "wide" | "text";

/** An IBAN as its writer meant it. */
export interface LenientReading {
  /** Without decorations and white space, in upper case. */
  readonly iban: string;
  /** Kinds of decoration that were removed or replaced, in the order of `Decoration`. */
  readonly decorations: readonly Decoration[];
}

/** Characters without a width, which text programs and web pages leave in numbers. */
export const invisible = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** Separators in plain characters that people write within a number besides white space, and the quotes that spreadsheets put around it. */
export const separators = /[-./_\\|'’‘"`´ʼ\u00b7]/g;
/** A code of MT940's field 86, which no separator keeps apart from the number after it: `?31DE89…`. Source: DFÜ-Abkommen, annex 3. */
export const subfieldCode = /\?\d\d(?=[A-Z]{2})/g;
/** Blanks, dashes, dots, figures and full-width characters that typesetters and other keyboards have for plain ones. */
const typeset = /[^\S\t\n\r ]|[\u0660-\u0669\u06f0-\u06f9\u2010-\u2015\u2212\u30fb\uff01-\uff5e]/g;
const wide = /[\u0660-\u0669\u06f0-\u06f9０-９Ａ-Ｚａ-ｚ]/;

/**
 * Returns a text in plain characters, as many, so that every index stays that of the text.
 *
 * @example inPlainCharacters("ＤＥ８９–٣٧") // → "DE89-37"
 */
export function inPlainCharacters(text: string): string {
  return text.replace(typeset, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x30fb) return "\u00b7";
    if (code > 0xff00) return String.fromCharCode(code - 0xfee0);
    // Arabic and Persian figures.
    if (code >= 0x660 && code <= 0x6f9) return String(code & 0xf);
    return /\s/.test(character) ? " " : "-";
  });
}

/** "IBAN-Nr.:" and the like; in "IBAN NO93 …" NO is the country. */
const prefix =
  /^(?:INTERNATIONALBANKACCOUNTNUMBER|IBAN(?:(?:NR|NO|NUMMER|NUMBER)(?=[:=#]*[A-Z]{2}\d))?)[:=#]*/;

/**
 * Reads an IBAN as people write it: with `-`, `.` or `/` between its groups, quotes around it, the word IBAN before it,
 * full-width or invisible characters.
 *
 * Anything else that no IBAN contains stays where it is, so that the check refuses it.
 *
 * @example readLeniently("IBAN: DE89-3704-0044-0532-0130-00").iban // → "DE89370400440532013000"
 */
export function readLeniently(text: string): LenientReading {
  const decorations: Decoration[] = [];
  const take = (decoration: Decoration, from: string, pattern: RegExp) => {
    const left = from.replace(pattern, "");
    if (left !== from) decorations.push(decoration);
    return left;
  };
  const visible = take("invisible", text, invisible);
  if (wide.test(visible)) decorations.push("wide");
  const joined = take("separators", inPlainCharacters(visible), separators);
  const iban = take("prefix", normaliseIban(joined), prefix);
  return { iban, decorations };
}

/**
 * Returns a number in groups of four, as IBANs are printed.
 *
 * @example inFours("DE89370400440532013000") // → "DE89 3704 0044 0532 0130 00"
 */
export function inFours(number: string): string {
  return number.replace(/(.{4})(?=.)/g, "$1 ");
}
