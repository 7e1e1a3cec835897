import { invisible } from "../banking/iban/normalise.ts";

/** A run of letters and digits in a text, and what separates it from the run before. */
export interface Group {
  /** The characters in upper case, those of other widths and scripts that look the same folded to ASCII. */
  readonly characters: string;
  /** UTF-16 index of the first character. */
  readonly start: number;
  /** UTF-16 index after the last character. */
  readonly end: number;
  /** How it follows the previous group; `none` where something is between that no number contains. */
  readonly gap: Gap;
  /** Whether a line break separates it from the previous group. */
  readonly startsLine: boolean;
  /** Whether it holds lower-case letters, as words do. */
  readonly hasLowerCase: boolean;
}

/** `narrow` is one space or one separator, `wide` more than that: columns, indentation, a new line. */
type Gap = "none" | "narrow" | "wide";

/** The longest gap inside a number, in UTF-16 units: a line break with the indentation and quote marks after it. */
const maxGap = 40;

/** Capital letters of other scripts, and the Latin ones that they look like. */
const foreignLetters = "АВЕКМНОРСТХІЅЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧ";
const foreignLookalikes = new Map(
  [...foreignLetters].map((letter, at) => [letter, "ABEKMHOPCTXISJABEZHIKMNOPTYX"[at]!]),
);

const character = `[0-9A-Za-z０-９Ａ-Ｚａ-ｚ${foreignLetters}]`;
const run = new RegExp(`${character}(?:${invisible.source}*${character})*`, "gu");

/** White space, the separators that people put between the groups of a number, and quote marks at a line's beginning. */
const separators = new RegExp(
  `^(?:[\\s${invisible.source.slice(1, -1)}./_\\u2010-\\u2015\\u2212-]|&nbsp;|(?<=\\n[ \\t>]*)>)*$`,
  "u",
);

/** The groups of a text, in order; it is split only as far as it is read. */
export class Groups {
  readonly #text: string;
  readonly #runs: Iterator<RegExpExecArray>;
  readonly #found: Group[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#runs = text.matchAll(run);
  }

  /** Returns a group by its index; undefined after the last one. */
  at(index: number): Group | undefined {
    while (this.#found.length <= index) {
      const { done, value } = this.#runs.next();
      if (done === true) return undefined;
      this.#found.push(this.#groupOf(value[0], value.index));
    }
    return this.#found[index];
  }

  #groupOf(written: string, start: number): Group {
    const previous = this.#found.at(-1);
    const between = this.#text.slice(previous?.end ?? 0, start);
    return {
      characters: foldToAscii(written),
      start,
      end: start + written.length,
      gap: previous === undefined ? "none" : gapOf(between),
      startsLine: between.includes("\n"),
      hasLowerCase: /[a-zａ-ｚ]/.test(written),
    };
  }
}

function foldToAscii(written: string): string {
  if (/^[0-9A-Z]*$/.test(written)) return written;
  const visible = written.replace(invisible, "");
  // A small L among capitals and digits is a one or a capital I: both fonts and text recognition confuse them.
  const isNumber = visible.includes("l") && /\d/.test(visible) && !/[a-km-z]/.test(visible);
  const capitals = isNumber ? visible.replaceAll("l", "I") : visible;
  if (/^[0-9A-Za-z]*$/.test(capitals)) return capitals.toUpperCase();
  return [...capitals.normalize("NFKC").toUpperCase()]
    .map((letter) => foreignLookalikes.get(letter) ?? letter)
    .join("");
}

function gapOf(between: string): Gap {
  if (between === " ") return "narrow";
  if (between.length > maxGap || /\n\s*\n/.test(between) || !separators.test(between)) return "none";
  const visible = between.replace(invisible, "");
  return visible.length <= 1 && !/[\n\r\t]/.test(visible) ? "narrow" : "wide";
}

/** Some neighbouring groups, read as one number. */
export interface GroupReading {
  /** Their characters, without separators. */
  readonly characters: string;
  /** UTF-16 index after the last one. */
  readonly end: number;
  /** Index of the first group after it. */
  readonly next: number;
  /** How far it is from groups of four, as IBANs are printed, or from one single group: 0 for either. */
  readonly irregularity: number;
  /** How many gaps inside it are wider than most others, or narrower. */
  readonly unevenGaps: number;
  /** How most of its groups follow each other; `none` for a single group. */
  readonly usualGap: Gap;
}

/** The longest text that can be a damaged IBAN. */
const maxLength = 35;

/**
 * Lists what can be read from a group on: the group alone, with the next one, with the next two, and so on.
 *
 * `prefix` characters of the first group are left out. Stops where a group is a word rather than part of a number, and
 * where a reading would be less regular than `maxIrregularity`.
 */
export function readingsFrom(
  groups: Groups,
  at: number,
  prefix: number,
  maxIrregularity: number,
): readonly GroupReading[] {
  const readings: GroupReading[] = [];
  const first = groups.at(at)!;
  let characters = "";
  let wideGaps = 0;
  let unevenGroups = 0;
  let secondLength = 0;
  for (let next = at; ; next++) {
    const group = groups.at(next);
    if (group === undefined) break;
    if (next > at && (group.gap === "none" || isWord(group, first, next - at))) break;
    const added = next === at ? group.characters.slice(prefix) : group.characters;
    const gaps = next - at;
    if (gaps > 0 && group.gap === "wide") wideGaps++;
    if (gaps === 1) secondLength = added.length;
    if (characters.length + added.length > maxLength) break;
    characters += added;
    const irregularity =
      gaps === 1 || (gaps === 2 && isCutAfterFour(characters, added, secondLength))
        ? Number(!(unevenGroups === 0 && added.length <= 4))
        : unevenGroups + Number(gaps > 0 && added.length > 4);
    if (irregularity > maxIrregularity) break;
    const usualGap = gaps === 0 ? "none" : wideGaps * 2 > gaps ? "wide" : "narrow";
    const unevenGaps = Math.min(wideGaps, gaps - wideGaps);
    readings.push({ characters, end: group.end, next: next + 1, irregularity, usualGap, unevenGaps });
    if (added.length !== 4) unevenGroups++;
    // The country code and the check digits are sometimes written apart: "DE 89 3704 …".
    if (gaps === 1 && characters.length === 4) unevenGroups = 0;
  }
  return readings;
}

/** Whether three groups are a country code with check digits, a bank code and an account number. */
function isCutAfterFour(characters: string, last: string, secondLength: number): boolean {
  return secondLength !== 4 && characters.length - last.length - secondLength === 4;
}

/** Whether a group after the first is a word: text continues where the number has ended. */
function isWord({ characters, hasLowerCase, startsLine }: Group, first: Group, place: number): boolean {
  if (/\d/.test(characters)) return false;
  // Only the bank code, in the second place, is letters alone after a line break.
  if (startsLine && place > 1 && characters.length > 3) return true;
  return characters === "IBAN" || characters === "BIC" || (hasLowerCase && !first.hasLowerCase);
}

/** How far before a number its label is looked for, in UTF-16 units. */
export const labelReach = 64;

/** The word IBAN with a space in it, and the character before it. */
const ibanWordLength = 6;

/** The word IBAN, whose first letter text recognition reads as a one or a small L. */
const ibanWord = /(?<![\p{L}\d])[I1l] ?BAN(?![\p{L}\d])/giu;

/**
 * Text allowed between the word IBAN and the number: a few words of the same sentence ("IBAN-Nr.", "IBAN du
 * bénéficiaire :", "IBAN (International Bank Account Number)"), and a new line after them.
 */
const afterIbanWord = /^(?:[^\p{L}\p{N}\n.!?]{0,12}\p{L}{1,16}(?:\.(?!\s+\p{L}))?){0,6}[^\p{L}\p{N}]{0,24}$/u;

/** Words that name another kind of number, directly before it. */
const otherLabel = new RegExp(
  "(?<!\\p{L})(?:order|bestell|auftrag|rechnung|invoice|customer|client|kunde|ust|uid|vat|tva|mwst|iva|btw|tax|steuer|" +
    "tel|fon|phone|fax|mobil|handy|tracking|sendung|paket|shipment|seri|vertrag|contract|contrat|artikel|article|item|" +
    "sku|karte|card|carte|kredit|credit|isbn|passport|ausweis|siret|siren|commande|facture|pedido|factura|ordine|" +
    "fattura|gläubiger|mandat|policy|police|ticket|case|booking|buchung|ref|lei|isin|eori|zeichen|akte|zamówieni|" +
    "faktur|nip|regon)" +
    "\\p{L}*(?:[\\s./-]{0,3}(?:n(?:r|o|um|umm?er|úmero|umero|uméro|°|º)?|id(?:ent)?\\p{L}*|code|#))?[^\\p{L}\\p{N},;]{0,6}$",
  "iu",
);

const bicLabel =
  /(?<![\p{L}\d])(?:B[I1l]C|SW[I1l]FT)(?![\p{L}\d])(?:[\s/-]{0,3}(?:BIC|SWIFT|code|adresse|address|nr|no))*[^\p{L}\p{N}]{0,12}$/iu;

/** The labels in one text that announce a number, and its kind. */
export class Labels {
  readonly #text: string;
  /** Whether the text mentions IBANs at all. */
  readonly mentionsIban: boolean;

  constructor(text: string) {
    this.#text = text;
    this.mentionsIban = text.search(ibanWord) >= 0;
  }

  /** Whether the number that begins at an index is announced as an IBAN. */
  announcesIban(start: number): boolean {
    const before = this.#text.slice(Math.max(0, start - labelReach - ibanWordLength), start);
    const word = [...before.matchAll(ibanWord)].at(-1);
    if (word === undefined) return false;
    return afterIbanWord.test(before.slice(word.index + word[0].length)) && !this.announcesOther(start);
  }

  /** Whether the number that begins at an index is announced as something that is not an IBAN. */
  announcesOther(start: number): boolean {
    return otherLabel.test(this.#text.slice(Math.max(0, start - labelReach), start));
  }

  /** Whether the code that begins at an index is announced as a BIC. */
  announcesBic(start: number): boolean {
    return bicLabel.test(this.#text.slice(Math.max(0, start - labelReach), start));
  }

  /** Whether an index lies inside a word, a web address or an e-mail address. */
  isInside(start: number): boolean {
    if (start === 0 || /\s/.test(this.#text[start - 1]!)) return false;
    if (/[\p{L}\p{N}]/u.test(this.#text[start - 1]!)) return true;
    const token = /\S*$/.exec(this.#text.slice(Math.max(0, start - labelReach), start))![0];
    return /:\/\/|www\.|@/i.test(token);
  }
}
