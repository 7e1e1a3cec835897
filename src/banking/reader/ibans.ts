import { type Group, type Groups, type Place, type Reading, wholeReading, wrongReadings } from "./groups.ts";
import { hasIbanForm, ibanFormOf, isIban, maxSlips, slipsIn, withCountry } from "./iban-forms.ts";
import type { Labels } from "./labels.ts";

/** An IBAN that is in a text, right or not. */
export interface FoundIban extends Place {
  /** As it is written there, in upper case and without separators; `?` for a character that is unreadable. */
  readonly iban: string;
}

/** Makes the function that returns the IBAN which begins with a group of a text. */
export function ibanFinder(text: string, groups: Groups, labels: Labels) {
  function ibanAt(index: number): FoundIban | undefined {
    const first = groups.at(index)!;
    const prefix = gluedLabel.exec(first.characters)?.[0].length ?? 0;
    const start = first.start + prefix;
    const begins = mayBegin(index, prefix);
    if (!begins && !beginsWithoutCountry.test(first.characters.slice(prefix))) return undefined;
    if (labels.isInside(first.start, groups.isCutOff(index))) return undefined;
    const isLabelled = prefix > 0 || labels.announcesIban(start);
    const asFound = (reading: Reading | undefined) =>
      reading && { start, end: reading.end, iban: reading.characters };
    if (!begins) {
      if (!isLabelled && !labels.announces("polish", start)) return undefined;
      // The digits of an IBAN whose country is missing, if they are one of just one country.
      const readings = wrongReadings(groups, index, prefix, 1);
      return asFound(readings.find(({ characters }) => withCountry(characters) !== undefined));
    }
    const marked = unreadableAt(start);
    if (marked !== undefined) return marked;
    const whole = wholeReading(groups, index, prefix);
    const cut = whole && cutAfterIban(whole);
    if (cut !== undefined) keepNext(cut.next - 1, cut.end);
    const isRight = cut !== undefined && isIban(cut.characters);
    return asFound(isRight ? (withSurplus(whole!) ?? cut) : wrong(index, prefix, isLabelled));
  }

  /** Whether a group looks like the beginning of an IBAN: a country code and a figure, or such with a slip among them. */
  function mayBegin(index: number, prefix: number): boolean {
    const first = groups.at(index)!;
    let characters = first.characters.slice(prefix);
    const isCountry = characters.length === 2 && ibanFormOf(characters) !== undefined;
    if (isCountry && mark.test(text[first.end] ?? "")) return true;
    // The first four are sometimes apart: "DE 89 …", or each character in a separate box.
    const size = /^[A-Z]{1,2}$/.test(characters) ? characters.length : 0;
    for (let next = index + 1; size > 0 && characters.length < 4; next++) {
      const group = groups.at(next);
      if (group === undefined || group.gap === "none" || (size === 1 && group.characters.length > 1)) break;
      // "Our IBAN is D8E9 …" does not begin with Iceland.
      if (first.hasLowerCase && !group.hasLowerCase && /[A-Z]/.test(group.characters)) break;
      characters += group.characters;
    }
    return beginsAlike.test(characters);
  }

  /** Returns an IBAN of its country's length in which `?`, `x`, `_` or the like is in the place of digits. */
  function unreadableAt(start: number): FoundIban | undefined {
    const written = text.slice(start, start + maxWritten);
    const [whole = ""] = withMarks.exec(written) ?? [];
    if (!/[?_x*•]/i.test(whole)) return undefined;
    const length = ibanFormOf(whole.toUpperCase())?.length;
    if (length === undefined) return undefined;
    let iban = "";
    let end = 0;
    for (; end < whole.length && iban.length < length; end++) {
      const character = whole[end]!.toUpperCase();
      if (/[\dA-Z]/.test(character)) iban += character;
      else if (mark.test(character)) iban += "?";
    }
    // An X stands for a digit where the country has no letter, several stand for anything.
    const isLetter = !/XX/.test(iban) && hasIbanForm(iban.replace(/\?/g, "0"));
    const zeros = iban.replace(/(?<=..)[?X]/g, "0");
    const marked = !isLetter && hasIbanForm(zeros) ? iban.replace(/(?<=..)X/g, "?") : iban;
    const isWhole = !/^[\p{L}\p{N}_?*•]/u.test(written.slice(end).replace(/^\?(?!\S)/, ""));
    const fits = hasIbanForm(marked.replace(/\?/g, "0")) || hasIbanForm(marked.replace(/\?/g, "A"));
    if (!marked.includes("?") || !isWhole || !fits || isIban(iban)) return undefined;
    return { start, end: start + end, iban: marked };
  }

  /** Cuts the group in which an IBAN ends where another one or a word begins there: nothing keeps them apart. */
  function keepNext(index: number, at: number): void {
    const rest = groups.at(index)!.end - at;
    if (rest <= 0 || rest > maxFused) return;
    if (beginsAtOnce.test(text.slice(at, at + maxWritten))) groups.cut(index, at);
  }

  /** A figure too many at the end of the text is part of the number: nothing is cut off to make it right. */
  function withSurplus(whole: Reading): Reading | undefined {
    const following = groups.at(whole.next);
    const isSurplus =
      following?.gap === "narrow" &&
      /^\d{1,3}$/.test(following.characters) &&
      text.slice(following.end).trim() === "";
    if (!isSurplus) return undefined;
    return { ...whole, characters: whole.characters + following.characters, end: following.end };
  }

  /** Returns the likeliest reading of a number that is wrong and yet plainly meant as an IBAN. */
  function wrong(index: number, prefix: number, isLabelled: boolean): Reading | undefined {
    const first = groups.at(index)!;
    const readings = wrongReadings(groups, index, prefix, isLabelled ? Number.POSITIVE_INFINITY : 1);
    let best: { reading: Reading; score: number } | undefined;
    for (const reading of readings) {
      if (!isPlainlyMeant(reading, isLabelled)) continue;
      const score = scoreOf(reading, groups.at(reading.next), endsWithFigure(reading));
      if (best === undefined || score >= best.score) best = { reading, score };
    }
    // "Account no 4174 2076" is not Norwegian.
    const isAbbreviation = first.characters === "NO" && first.hasLowerCase;
    const isOther =
      !isLabelled && best !== undefined && (isAbbreviation || labels.announces("other", first.start));
    return isOther ? undefined : best?.reading;
  }

  /** Whether a single figure follows a number as its groups do, and nothing follows the figure: `DE88 … 00 1,`. */
  function endsWithFigure({ next, usualGap }: Reading): boolean {
    const figure = groups.at(next);
    if (figure?.gap !== usualGap || figure.startsLine || !/^\d$/.test(figure.characters)) return false;
    return /^(?:[^\S\n]*(?:$|[\r\n;|)]|[.,](?!\d))|\s[\s/·-]|\t)/.test(
      text.slice(figure.end, figure.end + maxWritten),
    );
  }

  /** Whether a number that is not right is meant as an IBAN: a label says so, or its form does. */
  function isPlainlyMeant(reading: Reading, isLabelled: boolean): boolean {
    const { characters, irregularity, unevenGaps, usualGap } = reading;
    const length = ibanFormOf(characters)?.length;
    const off = length === undefined ? 0 : Math.abs(characters.length - length);
    if (off > (isLabelled || labels.mentionsIban ? 4 : 1)) return false;
    if (!isLabelled) {
      if (unevenGaps > 1) return false;
      const isPrinted = off === 0 && usualGap !== "none" && irregularity === 0;
      if (length === undefined && (usualGap === "none" || !hasCountrySlip(characters))) return false;
      const whole = characters.padEnd(length ?? 0, "0").slice(0, length);
      if (length !== undefined && !isPrinted && slipsIn(whole) > maxSlips) return false;
      if (off > 0 && !/^..\d\d/.test(characters)) return false;
      if (off > 0 && usualGap === "none" && !lacksOrHasOneMore(characters)) return false;
    }
    return !isCreditorNumber.test(characters) && /^(?:\D*\d){6}/.test(characters);
  }

  return ibanAt;
}

/** "IBAN" written without a space before the number, as a label or as what people take for its first four letters. */
const gluedLabel = /^[I1]BAN(?=$|[A-Z\d]{2})/;

/** The first characters of an IBAN, of which a slip or look-alikes may have damaged some. */
const beginsAlike = /^(?=.{0,3}\d)(?:[A-Z]{2}|[A-Z]\d|\d[A-Z])/;

/** A number that looks like an IBAN, its label perhaps before it; or a word. */
const beginsAtOnce = /^(?:(?:IBAN[\s:]*)?[A-Z]{2} ?\d{2}(?: ?[A-Z\d]){11}|\p{L}{3,}(?!\d))/iu;

/** The check digits, printed apart or with all that follows. */
const beginsWithoutCountry = /^\d\d(?:$|\d{12})/;

/** Creditor identifiers of SEPA and creditor references of ISO 11649 begin as IBANs do. */
const isCreditorNumber = /^(?:[A-Z]{2}\d{2}ZZZ|RF\d{2})/;

const maxWritten = 68;

/** Characters of a run of IBANs at most: each of them costs reading the rest of the run. */
const maxFused = 1_024;

const mark = /[?_*•]/;

/** The beginning of a text with marks for unreadable characters, as far as it may be one number. */
const withMarks = /^[A-Z]{2}(?:[ ./-]?[A-Z\d?_*•])+/i;

/** Whether a number, too long to be many other things, has the form of an IBAN but for its last figure. */
function lacksOrHasOneMore(characters: string): boolean {
  return characters.length > 18 && (hasIbanForm(`${characters}0`) || hasIbanForm(characters.slice(0, -1)));
}

/** Whether the first two characters are a slip of a country whose IBANs have the form of the others. */
function hasCountrySlip(characters: string): boolean {
  const [first = "", second = ""] = characters;
  const letter = (character: string) => "OISBZG"["015826".indexOf(character)] ?? character;
  const digitAsLetter = (character: string) => [letter(character), ...(character === "0" ? ["D"] : [])];
  const alike = digitAsLetter(first).flatMap((one) => digitAsLetter(second).map((other) => one + other));
  const codes = [second + first, ...alike];
  return codes.some((code) => slipsIn(code + characters.slice(2)) <= maxSlips);
}

/**
 * Returns a reading without what is written after the IBAN's end without a space; undefined if the IBAN cannot end
 * there, since digits follow digits or letters follow letters.
 */
function cutAfterIban(reading: Reading): Reading | undefined {
  const { characters, end } = reading;
  const { length } = ibanFormOf(characters)!;
  const surplus = characters.length - length;
  if (surplus === 0) return reading;
  if (!/^\d[A-Z]/.test(characters.slice(length - 1))) return undefined;
  return { ...reading, characters: characters.slice(0, length), end: end - surplus };
}

/** Compares readings of one number, of which some take too much and others leave something out, as its last figure. */
function scoreOf(reading: Reading, following: Group | undefined, leavesFigure: boolean): number {
  const { characters, usualGap, irregularity, unevenGaps } = reading;
  // A number whose country is neither known nor a slip of one counts as two characters too long.
  const length = ibanFormOf(characters)?.length ?? characters.length - (hasCountrySlip(characters) ? 0 : 2);
  const off = Math.abs(characters.length - length);
  const fit = leavesFigure ? -2 : off === 0 ? 6 : -off;
  return fit + (following?.gap === usualGap ? 0 : 3) - 2 * irregularity - unevenGaps;
}
