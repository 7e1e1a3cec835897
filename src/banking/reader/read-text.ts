import { inPlainCharacters, invisible, subfieldCode } from "../iban/normalise.ts";
import { type FoundAccount, maxAccountLength, namedAccounts, noWidth, wholeAccount } from "./accounts.ts";
import { bicAt, type FoundBic, isBeside, type PossibleBic } from "./bics.ts";
import { type Groups, groupsOf, type Place } from "./groups.ts";
import { type FoundIban, ibanFinder } from "./ibans.ts";
import { labelReach, labelsIn } from "./labels.ts";

/** The numbers in a text, in order. */
export interface TextNumbers {
  readonly ibans: readonly FoundIban[];
  readonly bics: readonly FoundBic[];
  readonly accounts: readonly FoundAccount[];
  /** UTF-16 index up to which the text was read: its end, unless there are more numbers than allowed or `isOver` said so. */
  readonly readTo: number;
}

export interface ReadOptions {
  /** Maximum number of numbers of each kind; unlimited unless given. */
  readonly maxFound?: number;
  /** Whether a BIC, or one that begins with these eight characters, exists; none is known unless given. */
  readonly isKnownBic?: (bic: string) => boolean;
  /** Whether the reader has to stop; asked every few groups. */
  readonly isOver?: () => boolean;
}

/**
 * A blank of HTML, which text copied from a page's source has between the groups of a number, and a line break or tab as
 * JSON and logs write it, whose letter no space keeps from the number after it: `\nDE89…`.
 */
const writtenBlank = /&(?:nbsp|thinsp|#160|#8201|#8239|#xa0|#x2009|#x202f);|\\[nrt]/gi;

/** Returns a text in plain characters with what such a blank stands for, and characters without a width before it. */
function withBlanks(text: string): string {
  return inPlainCharacters(text)
    .replace(subfieldCode, "   ")
    .replace(writtenBlank, (blank) => (blank[0] === "&" ? " " : "\n").padStart(blank.length, "\u2060"));
}

/** How many groups are read between two looks at the clock, some 0.1 ms. */
const groupsPerSlice = 32;

/**
 * Finds the IBANs, BICs and accounts of a text in which anything else may be, in their order. Every place that reads
 * text uses it, so that all of them find the same.
 *
 * A right IBAN is found wherever it is between words. A wrong one is found where it is plainly meant as an IBAN: the
 * word announces it, or it has the form of its country's IBANs, or is printed in groups of four with a slip in them.
 * Offsets are those of the text given.
 *
 * @example readText("Pay to DE75 5121 0800 1245 1261 98").ibans[0]?.iban // → "DE75512108001245126198"
 */
export function readText(written: string, options: ReadOptions = {}): TextNumbers {
  const { maxFound = Number.POSITIVE_INFINITY, isKnownBic = () => false, isOver = () => false } = options;
  const text = withBlanks(written);
  const groups = groupsOf(text);
  const labels = labelsIn(text);
  const ibanAt = ibanFinder(text, groups, labels);
  const ibans: FoundIban[] = [];
  const bics: PossibleBic[] = [];
  let at = 0;
  while (groups.has(at) && ibans.length < maxFound && bics.length < maxFound) {
    const isWord = groups.isWord(at);
    const iban = isWord ? undefined : ibanAt(at);
    const mayBeBic = iban === undefined && (!isWord || labels.mentionsBic);
    const bic = mayBeBic ? bicAt(labels, groups, at, isKnownBic) : undefined;
    if (iban !== undefined) ibans.push(iban);
    if (bic !== undefined) bics.push(bic);
    const previous = at;
    const end = iban?.end ?? (bic?.isSure ? bic.end : 0);
    at = groups.indexFrom(at + 1, end);
    if (Math.floor(at / groupsPerSlice) > Math.floor(previous / groupsPerSlice) && isOver()) break;
  }
  const lastEnd = Math.max(ibans.at(-1)?.end ?? 0, bics.at(-1)?.end ?? 0);
  const readEnd = endOfReading(groups, at, lastEnd) ?? text.length;
  const { accounts, readTo } = readAccounts(text.replace(invisible, noWidth), readEnd, ibans, maxFound);
  const isRead = ({ end }: Place) => end <= readTo;
  const sureBics = bics.filter((bic) => isRead(bic) && (bic.isSure || isBeside(text, bic, ibans)));
  return {
    ibans: ibans.filter(isRead),
    bics: sureBics.map(({ isSure: _, ...bic }) => bic),
    accounts,
    readTo,
  };
}

/**
 * Returns the accounts before `readEnd` that are not part of an IBAN, and where the rest of the text begins: at `readEnd`,
 * at an account that `readEnd` would cut, or behind the last one where there are more than `maxFound`.
 */
function readAccounts(
  text: string,
  readEnd: number,
  ibans: readonly FoundIban[],
  maxFound: number,
): Pick<TextNumbers, "accounts" | "readTo"> {
  const whole = readEnd === text.length ? wholeAccount(text) : undefined;
  if (whole !== undefined) return { accounts: [whole], readTo: readEnd };
  const accounts: FoundAccount[] = [];
  for (const account of namedAccounts(text.slice(0, readEnd + maxAccountLength))) {
    const { start, end } = account;
    if (start >= readEnd) break;
    if (ibans.some((iban) => iban.start < end && iban.end > start)) continue;
    // An account that is cut here belongs to the rest.
    if (end > readEnd && start > 0) return { accounts, readTo: start };
    if (accounts.length === maxFound) return { accounts, readTo: accounts.at(-1)!.end };
    accounts.push(account);
  }
  return { accounts, readTo: readEnd };
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
