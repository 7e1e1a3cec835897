import { invisible } from "../iban/normalise.ts";
import { ibanFormOf, mayFollow } from "./iban-forms.ts";
import { wordCharacter } from "./labels.ts";

const besideWord = new RegExp(`${wordCharacter.source}|[°'’]`, "u");

/** Where something is in a text. */
export interface Place {
  /** UTF-16 index of the first character. */
  readonly start: number;
  /** UTF-16 index after the last character. */
  readonly end: number;
}

/** A run of letters and digits in a text, and what separates it from the run before. */
export interface Group extends Place {
  /** The characters in upper case, those of other scripts that look the same folded to ASCII. */
  readonly characters: string;
  /** How it follows the previous group; `none` where something is between that no number contains. */
  readonly gap: Gap;
  readonly startsLine: boolean;
  readonly hasLowerCase: boolean;
  /** Whether it is letters, and a character that no number has is beside them: `I` of `IČO`, `N` of `N°`. */
  readonly isPartOfWord: boolean;
}

/** `narrow` is one space or one separator, `wide` more than that: columns, indentation, a new line. */
type Gap = "none" | "narrow" | "wide";

/** The longest gap inside a number, in UTF-16 units: a line break with the indentation and quote marks after it. */
const maxGap = 40;

/** Capital letters of other scripts, and the Latin ones that they look like. */
const foreignLetters = "АВЕКМНОРСТХІЅЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧ";
const foreignLookalikes = new Map(
  [...`${foreignLetters}€`].map((letter, at) => [letter, "ABEKMHOPCTXISJABEZHIKMNOPTYXE"[at]!]),
);

const character = `(?:[0-9A-Za-z${foreignLetters}]|(?<=[A-Za-z])€(?=\\d\\d))`;

/** The beginning of a group, which a euro sign may be where text recognition reads the E of a country code as it: `D€89`. */
const groupStart = new RegExp(character, "g");
/** Characters with nothing visible between them. */
const wholeGroup = new RegExp(`${character}(?:${invisible.source}*${character})*`, "y");
const word = /[A-Za-z]{2,}[a-z]/y;

/** White space, the separators that people put between the groups of a number, and quote marks at a line's beginning. */
const separators = new RegExp(
  `^(?:[\\s${invisible.source.slice(1, -1)}./_\\u00b7-]|(?<=\\n[ \\t>]*)>)*$`,
  "u",
);

export type Groups = ReturnType<typeof groupsOf>;

/** The groups of a text in plain characters, in order; it is split only as far as it is read. */
export function groupsOf(text: string) {
  const starts: number[] = [];
  const ends: number[] = [];
  const groups: (Group | undefined)[] = [];

  /** Whether the text has as many groups. */
  function has(index: number): boolean {
    while (starts.length <= index) {
      groupStart.lastIndex = ends.at(-1) ?? 0;
      if (!groupStart.test(text)) return false;
      wholeGroup.lastIndex = groupStart.lastIndex - 1;
      starts.push(wholeGroup.lastIndex);
      wholeGroup.test(text);
      ends.push(wholeGroup.lastIndex);
    }
    return true;
  }

  function at(index: number): Group | undefined {
    if (!has(index)) return undefined;
    groups[index] ??= groupFrom(starts[index]!, ends[index]!, ends[index - 1]);
    return groups[index];
  }

  function groupFrom(start: number, end: number, previousEnd: number | undefined): Group {
    const written = text.slice(start, end);
    const before = text.slice(Math.max(0, start - maxGap), start);
    const between = previousEnd === undefined ? "" : text.slice(previousEnd, start);
    const isFollowing = previousEnd !== undefined && !amount.test(text.slice(start, start + maxGap));
    const characters = foldToAscii(written, before);
    const beside = `${text[start - 1] ?? ""}${text[end] ?? ""}`;
    return {
      characters,
      start,
      end,
      gap: isFollowing ? gapOf(between) : "none",
      startsLine: between.includes("\n"),
      hasLowerCase: /[a-z]/.test(written),
      isPartOfWord: !/\d/.test(characters) && besideWord.test(beside),
    };
  }

  /** Returns the index of the first group, from one on, that begins at an index of the text or after it. */
  function indexFrom(index: number, start: number): number {
    let found = index;
    while (has(found) && starts[found]! < start) found++;
    return found;
  }

  /** Whether a group is a word with which no number begins: longer than a country code, without digits, in small letters. */
  function isWord(index: number): boolean {
    word.lastIndex = starts[index]!;
    return word.test(text) && word.lastIndex === ends[index];
  }

  function cut(index: number, end: number): void {
    starts.splice(index + 1, 0, end);
    ends.splice(index, 0, end);
    groups.length = index;
  }

  const isCutOff = (index: number) => index > 0 && starts[index] === ends[index - 1];

  return { at, has, indexFrom, isWord, cut, isCutOff };
}

/** An amount with spaces between its thousands, `1 234,50 zł`: no number continues into it. */
const amount = /^\d{1,3}(?:[ .]\d{3})+,\d\d(?![\d.,])/;

/** The beginning of a number in small letters, whose small L is one of them. */
const inSmallLetters = /[a-km-z]\d[\dl\s./_-]*$/;

function foldToAscii(written: string, before: string): string {
  if (/^[0-9A-Z]*$/.test(written)) return written;
  const visible = written.replace(invisible, "");
  // A small L among capitals and digits is a one or a capital I: both fonts and text recognition confuse them.
  const isNumber = /\d/.test(visible) && !/[a-km-z]/.test(visible) && !inSmallLetters.test(before);
  const capitals = isNumber ? visible.replaceAll("l", "I") : visible;
  if (/^[0-9A-Za-z]*$/.test(capitals)) return capitals.toUpperCase();
  return Array.from(capitals.toUpperCase(), (letter) => foreignLookalikes.get(letter) ?? letter).join("");
}

function gapOf(between: string): Gap {
  if (between === " ") return "narrow";
  if (between.length > maxGap || /\n\s*\n/.test(between) || !separators.test(between)) return "none";
  const visible = between.replace(invisible, "");
  return visible.length <= 1 && !/[\n\r\t]/.test(visible) ? "narrow" : "wide";
}

/** Some neighbouring groups, read as one number, and how it is printed. */
export interface Reading {
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
  /** Whether it runs on into what looks like the next IBAN. */
  readonly isFused: boolean;
}

/** Lengths of a number that is wrong and yet meant as an IBAN. */
const minWrong = 14;
const maxWrong = 35;

/**
 * Returns the reading that has the length of the IBANs of the country that it begins with, or more; undefined where a word
 * ends the number before that.
 */
export function wholeReading(groups: Groups, at: number, prefix: number): Reading | undefined {
  for (const reading of readingsFrom(groups, at, prefix)) {
    const { characters } = reading;
    const length = characters.length < 2 ? maxWrong : ibanFormOf(characters)?.length;
    if (length === undefined) return undefined;
    if (characters.length >= length) return reading;
  }
  return undefined;
}

/** Lists the readings that may be a wrong IBAN, up to the first that is less regular than `maxIrregularity`. */
export function wrongReadings(
  groups: Groups,
  at: number,
  prefix: number,
  maxIrregularity: number,
): readonly Reading[] {
  const readings: Reading[] = [];
  for (const reading of readingsFrom(groups, at, prefix)) {
    const { length } = reading.characters;
    if (reading.isFused || length > maxWrong || reading.irregularity > maxIrregularity) break;
    if (length >= minWrong) readings.push(reading);
  }
  return readings;
}

/**
 * Yields what can be read from a group on: the group alone, with the next one, with the next two, and so on, up to a word.
 * `prefix` characters of the first group are left out.
 */
function* readingsFrom(groups: Groups, at: number, prefix: number): Generator<Reading, undefined> {
  const first = groups.at(at)!;
  let characters = "";
  let wideGaps = 0;
  let unevenGroups = 0;
  let secondLength = 0;
  let isFused = false;
  for (let next = at; ; next++) {
    const group = groups.at(next);
    const gaps = next - at;
    if (group === undefined) return;
    if (gaps > 0 && (group.gap === "none" || isWord(group, first, gaps, characters))) return;
    const isWide = gaps > 0 && group.gap === "wide";
    isFused ||= isWide && wideGaps === 0 && beginsIban(group.characters);
    const added = gaps === 0 ? group.characters.slice(prefix) : group.characters;
    if (isWide) wideGaps++;
    if (gaps === 1) secondLength = added.length;
    characters += added;
    const irregularity =
      gaps === 1 || (gaps === 2 && isCutAfterFour(characters, added, secondLength))
        ? Number(!(unevenGroups === 0 && added.length <= 4))
        : unevenGroups + Number(gaps > 0 && added.length > 4);
    const usualGap = gaps === 0 ? "none" : wideGaps * 2 > gaps ? "wide" : "narrow";
    const unevenGaps = Math.min(wideGaps, gaps - wideGaps);
    yield { characters, end: group.end, next: next + 1, irregularity, unevenGaps, usualGap, isFused };
    if (added.length !== 4) unevenGroups++;
    // The country code and the check digits are sometimes written apart: "DE 89 3704 …".
    if (gaps === 1 && characters.length === 4) unevenGroups = 0;
  }
}

const beginsIban = (characters: string) => /^..\d\d/.test(characters) && ibanFormOf(characters) !== undefined;

/** Whether three groups are a country code with check digits, a bank code and an account number. */
function isCutAfterFour(characters: string, last: string, secondLength: number): boolean {
  return secondLength !== 4 && characters.length - last.length - secondLength === 4;
}

/** Whether a group after the first is a word: text continues where the number has ended. */
function isWord(group: Group, first: Group, place: number, before: string): boolean {
  const { characters, hasLowerCase, startsLine } = group;
  if (/\d/.test(characters)) return false;
  if (group.isPartOfWord || (!mayFollow(before, characters) && /[^OQDILZSGB]/.test(characters))) return true;
  // Only the bank code, in the second place, is letters alone after a line break.
  if (startsLine && place > 1 && characters.length > 3) return true;
  return characters === "IBAN" || characters === "BIC" || (hasLowerCase && !first.hasLowerCase);
}
