/** What people write around the characters of an IBAN and `lenient=1` takes away. */
export type Decoration = "prefix" | "separators" | "invisible" | "wide";

/** An IBAN as it was meant to be written. */
export interface LenientReading {
  /** Without decorations and white space, in upper case. */
  readonly iban: string;
  /** What was taken away or replaced, in the order of `Decoration`. */
  readonly decorations: readonly Decoration[];
}

/** Characters without a width, which text programs and web pages leave in numbers. */
export const invisible = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
/** What people write between the characters of a number beside white space, and the quotes that spreadsheets put around it. */
export const separators = /[-./_\\|'’‘"`´ʼ\u2010-\u2015\u2212\u30fb\uff0d\uff0e\uff0f]/g;
const wide = /[０-９Ａ-Ｚａ-ｚ]/g;
const prefix = /^(?:INTERNATIONALBANKACCOUNTNUMBER|IBAN)[:=#]*/;

/**
 * Reads an IBAN as people write it: with `-`, `.` or `/` between its groups, quotes around it, the word IBAN before it,
 * full-width or invisible characters.
 *
 * Anything else that no IBAN contains stays where it is, so that the check refuses it.
 */
export function readLeniently(text: string): LenientReading {
  const decorations: Decoration[] = [];
  const take = (
    decoration: Decoration,
    from: string,
    pattern: RegExp,
    by: (found: string) => string = () => "",
  ) => {
    const left = from.replace(pattern, by);
    if (left !== from) decorations.push(decoration);
    return left;
  };
  const visible = take("invisible", text, invisible);
  const narrow = take("wide", visible, wide, (found) => found.normalize("NFKC"));
  const joined = take("separators", narrow, separators);
  const upper = joined.replaceAll(/\s+/g, "").replace(/[a-z]/g, (letter) => letter.toUpperCase());
  const iban = take("prefix", upper, prefix);
  return { iban, decorations };
}
