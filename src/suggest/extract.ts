import { isBic } from "../banking/bic.ts";
import { subfieldCode } from "../banking/iban/normalise.ts";
import { CharClass, characterKinds, type IbanCountry, ibanCountryByCode } from "../banking/iban/registry.ts";
import { bytesOf, countryOfRightIban, fitsStructure } from "./characters.ts";
import { type Corrections, correct, noCorrections } from "./correct.ts";
import type { BankFilters } from "./filters.ts";
import { type Group, type GroupReading, Groups, Labels, labelReach, readingsFrom } from "./groups.ts";

/** An IBAN that is in a text, right or not. */
export interface FoundIban {
  /** UTF-16 index of its first character. */
  readonly start: number;
  /** UTF-16 index after its last character. */
  readonly end: number;
  /** As it is written there, in upper case and without separators. */
  readonly iban: string;
  /** Probable corrections: an empty list for a valid IBAN, undefined if there was no time left to search. */
  readonly corrections: Corrections | undefined;
}

/** Runs an attempt at a correction, or returns undefined if none may be made any more. */
export type LookForCorrections = (find: () => Corrections) => Corrections | undefined;

/** Finds the IBANs of one text. */
class IbanFinder {
  readonly #labels: Labels;
  readonly #groups: Groups;
  readonly #filters: BankFilters;
  readonly #look: LookForCorrections;

  constructor(groups: Groups, labels: Labels, filters: BankFilters, look: LookForCorrections) {
    this.#groups = groups;
    this.#labels = labels;
    this.#filters = filters;
    this.#look = look;
  }

  /** Returns the IBAN that begins with a group, and the index of the first group after it. */
  at(index: number): { readonly found: FoundIban; readonly next: number } | undefined {
    const first = this.#groups.at(index)!;
    const prefix = gluedLabel.exec(first.characters)?.[0].length ?? 0;
    const start = first.start + prefix;
    if (!this.#mayBegin(index, prefix) || this.#labels.isInside(first.start)) return undefined;
    const isLabelled = prefix > 0 || this.#labels.announcesIban(start);
    const isPossible = isLabelled || countryOf(first.characters) !== undefined;
    const readings = readingsFrom(this.#groups, index, prefix, isPossible ? Number.POSITIVE_INFINITY : 1);
    const right = this.#right(readings, isLabelled);
    if (right !== undefined) {
      const { characters, end, next } = right;
      return { found: { start, end, iban: characters, corrections: noCorrections }, next };
    }
    const damaged = this.#damaged(readings, start, isLabelled);
    if (damaged === undefined) return undefined;
    const { reading, corrections } = damaged;
    return { found: { start, end: reading.end, iban: reading.characters, corrections }, next: reading.next };
  }

  /** Whether a group looks like the beginning of an IBAN: a country code and a figure, or such with a slip among them. */
  #mayBegin(index: number, prefix: number): boolean {
    let characters = this.#groups.at(index)!.characters.slice(prefix);
    // The first four are sometimes apart: "DE 89 …", or each character in a separate box.
    const size = /^[A-Z]{1,2}$/.test(characters) ? characters.length : 0;
    for (let next = index + 1; size > 0 && characters.length < 4; next++) {
      const group = this.#groups.at(next);
      if (group === undefined || group.gap === "none" || (size === 1 && group.characters.length > 1)) break;
      // "Our IBAN is D8E9 …" does not begin with Iceland.
      if (this.#groups.at(index)!.hasLowerCase && !group.hasLowerCase && /[A-Z]/.test(group.characters))
        break;
      characters += group.characters;
    }
    return beginsAlike.test(characters);
  }

  /** Returns the reading that is an IBAN as it is. */
  #right(readings: readonly GroupReading[], isLabelled: boolean): GroupReading | undefined {
    for (const reading of readings) {
      const country = countryOf(reading.characters);
      if (country === undefined || reading.characters.length < country.ibanLength) continue;
      const cut = cutAfterIban(reading, country);
      if (cut === undefined || !this.#isRight(cut.characters)) return undefined;
      const isKnown = this.#hasKnownBank(cut.characters);
      const isWhole = cut === reading && reading.irregularity <= 1 && readings[0]!.characters.length >= 4;
      return isLabelled || isKnown || isWhole ? cut : undefined;
    }
    return undefined;
  }

  #isRight(characters: string): boolean {
    const iban = bytesOf(characters);
    const country = countryOfRightIban(iban);
    return country !== undefined && this.#filters.accepts(country, iban);
  }

  #hasKnownBank(characters: string): boolean {
    const country = countryOf(characters);
    const iban = bytesOf(characters);
    if (country === undefined || !fitsStructure(iban, country)) return false;
    return (this.#filters.findBank(country, iban) ?? -1) >= 0;
  }

  /** Returns the likeliest reading of a number that is wrong and yet plainly meant as an IBAN. */
  #damaged(
    readings: readonly GroupReading[],
    start: number,
    isLabelled: boolean,
  ): { readonly reading: GroupReading; readonly corrections: Corrections | undefined } | undefined {
    if (!isLabelled && this.#labels.announcesOther(start)) return undefined;
    let best: { reading: GroupReading; corrections: Corrections | undefined; score: number } | undefined;
    for (const reading of readings) {
      if (!this.#isWorthCorrecting(reading, isLabelled)) continue;
      const corrections = this.#look(() => correct(bytesOf(reading.characters), this.#filters));
      if (!isLabelled && !this.#isPlainlyMeant(reading, corrections)) continue;
      const score = scoreOf(reading, corrections, this.#groups.at(reading.next));
      if (best === undefined || score > best.score) best = { reading, corrections, score };
    }
    return best;
  }

  #isWorthCorrecting({ characters, irregularity }: GroupReading, isLabelled: boolean): boolean {
    const { length } = characters;
    if (length < shortestDamaged || (!isLabelled && irregularity > 1)) return false;
    const country = countryOf(characters);
    const off = country === undefined ? 0 : Math.abs(length - country.ibanLength);
    if (off > (isLabelled ? 3 : 1)) return false;
    return !isCreditorIdentifier.test(characters) && digitsOf(characters) >= 6;
  }

  /** Whether a number without a label is meant as an IBAN: its form says so and its bank, or its correction's, exists. */
  #isPlainlyMeant(reading: GroupReading, corrections: Corrections | undefined): boolean {
    const { characters, irregularity } = reading;
    const country = countryOf(characters);
    const first = corrections?.candidates[0];
    const isPrinted = irregularity <= 1 && reading.unevenGaps <= 1;
    const { mentionsIban } = this.#labels;
    if (first !== undefined && isPrinted && (first.bank >= 0 || mentionsIban)) {
      return country !== undefined || mentionsIban || isInFours(reading);
    }
    if (country === undefined || irregularity > 0 || !fitsStructure(bytesOf(characters), country))
      return false;
    return reading.usualGap !== "none" || mentionsIban || this.#hasKnownBank(characters);
  }
}

/** "IBAN" written without a space before the number, as a label or as what people take for its first four letters. */
const gluedLabel = /^[I1]BAN(?=$|[A-Z\d]{2})/;

/** The first characters of an IBAN, of which a slip or look-alikes may have damaged some. */
const beginsAlike = /^(?=.{0,3}\d)(?:[A-Z]{2}|[A-Z]\d|\d[A-Z])/;

/** Creditor identifiers of SEPA and creditor references of ISO 11649 begin as IBANs do. */
const isCreditorIdentifier = /^(?:[A-Z]{2}\d{2}ZZZ|RF\d{2})/;

/** The shortest text that can be a damaged IBAN. */
const shortestDamaged = 14;

function countryOf(characters: string): IbanCountry | undefined {
  return ibanCountryByCode(characters.slice(0, 2));
}

function digitsOf(characters: string): number {
  return characters.replace(/\D/g, "").length;
}

function isInFours({ characters, irregularity }: GroupReading): boolean {
  return irregularity <= 1 && characters.length > 14;
}

/**
 * Returns a reading without what is written after the IBAN's end without a space; undefined if the IBAN cannot end
 * there, since digits follow digits or letters follow letters.
 */
function cutAfterIban(reading: GroupReading, country: IbanCountry): GroupReading | undefined {
  const { characters, end } = reading;
  const surplus = characters.length - country.ibanLength;
  if (surplus === 0) return reading;
  const [last, following] = [
    characters.charCodeAt(country.ibanLength - 1),
    characters.charCodeAt(country.ibanLength),
  ];
  if (characterKinds[last] === characterKinds[following] || characterKinds[following] !== CharClass.a)
    return undefined;
  return { ...reading, characters: characters.slice(0, country.ibanLength), end: end - surplus };
}

/** Compares readings of one number, of which some take too much and others leave something out. */
function scoreOf(
  reading: GroupReading,
  corrections: Corrections | undefined,
  following: Group | undefined,
): number {
  const first = corrections?.candidates[0];
  const { length } = reading.characters;
  const expected = first?.country.ibanLength ?? countryOf(reading.characters)?.ibanLength;
  return (
    (first === undefined ? 0 : 4) +
    (length === expected ? 2 : 0) +
    (following?.gap === reading.usualGap ? 0 : 3) -
    2 * reading.irregularity -
    reading.unevenGaps
  );
}

/** A BIC that is in a text. */
interface FoundBic {
  /** UTF-16 index of its first character. */
  readonly start: number;
  /** UTF-16 index after its last character. */
  readonly end: number;
  /** In upper case and without spaces. */
  readonly bic: string;
}

/** Lengths of the groups in which BICs are written. */
const layouts: readonly (readonly number[])[] = [
  [11],
  [8, 3],
  [4, 2, 2, 3],
  [4, 2, 5],
  [4, 4, 3],
  [8],
  [4, 2, 2],
  [4, 4],
];

/**
 * Returns the BIC that begins with a group, and the index of the first group after it.
 *
 * Many ordinary words have the form of a BIC ("RECHNUNG" would be one of Niue), so a BIC is only what a label announces
 * or what `isKnown` knows by its first eight characters.
 */
function bicAt(
  labels: Labels,
  groups: Groups,
  at: number,
  isKnown: (institution: string) => boolean,
): { readonly found: FoundBic; readonly next: number } | undefined {
  const first = groups.at(at)!;
  if (!/^[A-Z]{4}/.test(first.characters)) return undefined;
  for (const layout of layouts) {
    const isLaidOut = layout.every((length, index) => {
      const group = groups.at(at + index);
      return group?.characters.length === length && (index === 0 || group.gap === "narrow");
    });
    if (!isLaidOut) continue;
    const parts = layout.map((_, index) => groups.at(at + index)!);
    const bic = parts.map(({ characters }) => characters).join("");
    if (!isBic(bic)) continue;
    const isWord = parts.some(({ hasLowerCase }) => hasLowerCase);
    const isAnnounced = labels.announcesBic(first.start);
    if (labels.isInside(first.start)) return undefined;
    if (isKnown(bic.slice(0, 8)) ? isWord && !isAnnounced : isWord || !isAnnounced) continue;
    return { found: { start: first.start, end: parts.at(-1)!.end, bic }, next: at + layout.length };
  }
  return undefined;
}

/** Numbers found in a text. */
interface Extracted {
  readonly ibans: readonly FoundIban[];
  readonly bics: readonly FoundBic[];
  /** UTF-16 index up to which the text was read: its end, unless as many were found as allowed or time ran out. */
  readonly readTo: number;
}

/** Limits of a search. */
export interface ExtractLimits {
  /** Maximum number of IBANs, and of BICs, in the result. */
  readonly maxFound: number;
  /** Runs each attempt at a correction, some 20 µs, or returns undefined if no time is left for it. */
  readonly look: LookForCorrections;
  /** Maximum time for the whole text, corrections included, in milliseconds. */
  readonly budgetMs: number;
}

/** How many groups are read between two looks at the clock, some 0.1 ms. */
const groupsPerSlice = 32;

/** No slice counts for more than this, in milliseconds; a longer measurement includes time without the processor. */
const maxSliceMs = 2;

/**
 * Finds the IBANs and BICs of a text in which anything else may be, in their order.
 *
 * A right IBAN is found wherever it is between words. A wrong one is found where it is plainly meant as an IBAN: the
 * word announces it, or it has the form of one and its bank, or that of its correction, exists. Stops where as many
 * IBANs or BICs as allowed are found, and where the time is over.
 */
export function extract(written: string, filters: BankFilters, limits: ExtractLimits): Extracted {
  // As many blanks, so that every index stays that of the text.
  const text = written.replace(subfieldCode, "   ");
  const groups = new Groups(text);
  const labels = new Labels(text);
  const finder = new IbanFinder(groups, labels, filters, limits.look);
  const isKnown = (institution: string) => filters.isKnownInstitution(institution);
  const ibans: FoundIban[] = [];
  const bics: FoundBic[] = [];
  let at = 0;
  let msLeft = limits.budgetMs;
  let begun = performance.now();
  while (groups.at(at) !== undefined && ibans.length < limits.maxFound && bics.length < limits.maxFound) {
    const iban = finder.at(at);
    const bic = iban === undefined ? bicAt(labels, groups, at, isKnown) : undefined;
    if (iban !== undefined) ibans.push(iban.found);
    if (bic !== undefined) bics.push(bic.found);
    const previous = at;
    at = iban?.next ?? bic?.next ?? at + 1;
    if (Math.floor(at / groupsPerSlice) > Math.floor(previous / groupsPerSlice)) {
      const now = performance.now();
      msLeft -= Math.min(now - begun, maxSliceMs);
      begun = now;
      if (msLeft <= 0) break;
    }
  }
  const lastEnd = Math.max(ibans.at(-1)?.end ?? 0, bics.at(-1)?.end ?? 0);
  return { ibans, bics, readTo: endOfReading(groups, at, lastEnd) ?? text.length };
}

/** Fewer than are read in a slice, so that each part of a text is shorter than what was left of it. */
const maxLabelGroups = 16;

/** Returns where the rest of a text begins: with the words before the next group, which may say what it is. */
function endOfReading(groups: Groups, next: number, lastEnd: number): number | undefined {
  const following = groups.at(next);
  if (following === undefined) return undefined;
  let start = following.start;
  for (let index = next - 1; index >= next - maxLabelGroups; index--) {
    const group = groups.at(index);
    if (group === undefined || group.start < Math.max(lastEnd, following.start - labelReach)) break;
    start = group.start;
  }
  return start;
}
