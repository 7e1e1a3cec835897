/** A run of letters and digits in a text, and what separates it from the run before. */
export interface Group {
  /** The characters in upper case, those of other widths and scripts that look the same folded to ASCII. */
  readonly characters: string;
  /** UTF-16 index of the first character. */
  readonly start: number;
  /** UTF-16 index after the last character. */
  readonly end: number;
  /** How it follows the previous group; `none` where something stands between that no number contains. */
  readonly gap: Gap;
  /** Whether a line break separates it from the previous group. */
  readonly startsLine: boolean;
  /** Whether it holds lower-case letters, as words do. */
  readonly hasLowerCase: boolean;
}

/** `narrow` is one space or one separator, `wide` more than that: columns, indentation, a new line. */
export type Gap = "none" | "narrow" | "wide";

/** The longest gap inside a number, in UTF-16 units: a line break with the indentation and quote marks after it. */
const maxGap = 40;

/** Capital letters of other scripts that cannot be told from Latin ones by eye. */
const foreignLookalikes = new Map(
  [..."АВЕКМНОРСТХІЅЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"].map((letter, at) => [letter, "ABEKMHOPCTXISJABEZHIKMNOPTYX"[at]!]),
);

const character = /[0-9A-Za-z０-９Ａ-Ｚａ-ｚАВЕКМНОРСТХІЅЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u;

/** Characters without width, which may stand anywhere. */
const invisible = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff";

const run = new RegExp(`${character.source}(?:[${invisible}]*${character.source})*`, "gu");
const invisibles = new RegExp(`[${invisible}]`, "g");

/** White space, the separators that people put between the groups of a number, and quote marks at a line's beginning. */
const separators = new RegExp(
  `^(?:[\\s${invisible}./_\\u2010-\\u2015\\u2212-]|&nbsp;|(?<=\\n[ \\t>]*)>)*$`,
  "u",
);

/** Splits a text into its groups, in order. */
export function groupsOf(text: string): readonly Group[] {
  const groups: Group[] = [];
  let previousEnd = 0;
  for (const match of text.matchAll(run)) {
    const [written] = match;
    const start = match.index;
    const characters = foldToAscii(written);
    const between = text.slice(previousEnd, start);
    const gap = groups.length === 0 ? "none" : gapOf(between);
    const startsLine = between.includes("\n");
    previousEnd = start + written.length;
    const hasLowerCase = /[a-zａ-ｚ]/.test(written);
    groups.push({ characters, start, end: previousEnd, gap, startsLine, hasLowerCase });
  }
  return groups;
}

function foldToAscii(written: string): string {
  const visible = written.replace(invisibles, "");
  // A small L among capitals and digits is a one or a capital I: both fonts and text recognition confuse them.
  const isNumber = /\d/.test(visible) && !/[a-km-z]/.test(visible);
  const capitals = isNumber ? visible.replaceAll("l", "I") : visible;
  return [...capitals.normalize("NFKC").toUpperCase()]
    .map((letter) => foreignLookalikes.get(letter) ?? letter)
    .join("");
}

function gapOf(between: string): Gap {
  if (between.length > maxGap || /\n\s*\n/.test(between) || !separators.test(between)) return "none";
  const visible = between.replace(invisibles, "");
  return visible.length <= 1 && !/[\n\r\t]/.test(visible) ? "narrow" : "wide";
}
