import type { Place } from "./groups.ts";
import { otherLabel } from "./labels.ts";

/** An account number with the code of its bank, that is in a text; spelled without separators. */
export interface FoundAccount extends Place {
  /** A German account number and bank code, or a British account number and sort code. */
  readonly country: "DE" | "GB";
  readonly account: string;
  readonly bankCode: string;
  /** Where either of two numbers without names may be the bank code. */
  readonly inAnyOrder?: true;
}

/** Stands for a character without a width: as white space, so that names and signs may have it beside them. */
export const noWidth = "\ufeff";

/** Between two figures of a number. */
const inside = `${noWidth}* ?${noWidth}*`;

const numberName = "(?:[\\s.-]*(?:(?:nummer|number|num|num[eé]ro|nr|no)(?![\\p{L}\\d])|n°))?";
const accountName = `(?:kto|kt(?=[\\s.-]*nr)|(?:bank|giro|spar|spenden|gehalts|geschäfts)?kont(?:o|en)|accounts?|acct?|a/c|compte)${numberName}`;
const bankName = `(?:b\\.?l\\.?z|bank[\\s-]*leitzahl|(?:bank[\\s-]*)?sort[\\s-]*code|bank[\\s-]*code)${numberName}`;
/** What the name of a bank code has in it; most texts have none, and are not searched for names. */
const germanWord = /b\.?l\.?z|leitzahl/i;
const bankWord = new RegExp(`${germanWord.source}|(?:sort|bank)[\\s-]*code`, "i");
const andName = "[\\s.:]*(?:[/,;|(&+\\t]|und|and|et)\\s*";
/** The name of a number, or of both, as in `Kto/BLZ`. */
const label = new RegExp(
  `(?<!\\p{L})(?:(?<bankLast>${accountName}${andName}${bankName})|(?<accountLast>${bankName}${andName}${accountName})|` +
    `(?<account>${accountName})|(?<bank>${bankName}))(?!\\p{L})`,
  "giu",
);
/**
 * Between the name of a number and the number: which one it is (`Konto 2:`), a remark in brackets, a verb, signs. No part
 * of `1234/56789-0` is a number, nor is an amount after a number: `532013000 100,00`, `532013000 100 EUR`.
 */
const numberAfter = new RegExp(
  "^(?:[\\s.]*\\d\\d?[:)](?=\\s*\\d))?(?:\\s*\\((?=[^()]*\\p{L})[^()]{1,40}\\))?(?:\\s+(?:ist|lautet|is|est)(?!\\p{L}))?[\\s.:)#=-]{0,8}" +
    `(\\d(?:[.-]?\\d|${inside}(?<!\\d)(?!\\d[\\d.]*(?:,\\d\\d(?!\\d)| ?(?:EUR|Euro|€)))\\d){0,18})(?!\\d|\\/\\d{1,5}(?!\\d))`,
  "u",
);
/** The numbers behind both names, in a line. */
const numbersAfter = /^[\s.:)#=-]{0,8}(\d(?:[^\p{L}\n]*\d)?)/u;
/** A further account number after one that is named, as in `Konten 532013000 und 648489890`; no amount or postcode. */
const furtherNumber = new RegExp(
  `^\\s*(?:[,;/&+]|und|and|et)\\s*(\\d(?:${inside}\\d){5,9})(?![.,]?\\d)`,
  "i",
);
/** Before the name of a bank code: neither the rest of a number nor a year. */
const numberBefore = new RegExp(
  `(?<![\\p{L}\\d.,+-]|[\\d)][ /])(?!20\\d\\d(?! ?\\d))(\\d(?:${inside}\\d){3,9})[\\s(,;/:-]{0,4}$`,
  "u",
);
/** Account and bank code of an MT940 file. Source: DFÜ-Abkommen, annex 3, fields 25 and 86. */
const mt940 = /(?::25:|\?30)([1-8]\d{7})(?:\/|\?31)(\d{1,10})(?!\d)/g;

/** How far apart the two numbers of an account may be, in UTF-16 units. */
const maxDistance = 60;

/** Two names with their numbers, and what is between them; in UTF-16 units. */
export const maxAccountLength = 4 * maxDistance;

/** Shorter account numbers without a bank code of their own are those of a ledger. */
const minSharing = 6;

interface NamedNumber extends Place {
  readonly isBank: boolean;
  /** Where only German bank codes are called and written like it. */
  readonly isGerman?: boolean;
  readonly digits: string;
}

const isBlz = (digits: string) => /^[1-8]\d{7}$/.test(digits);
const isSortCode = (digits: string) => /^\d{6}$/.test(digits);
const withoutSigns = (written: string) => written.replace(/\D/g, "");

/**
 * Yields the numbers of a text that their names announce as account numbers and bank codes, in order.
 *
 * @example [...namedNumbers("Konto 532013000")][0]?.digits // → "532013000"
 */
export function* namedNumbers(text: string): Generator<NamedNumber, undefined> {
  for (const { 0: name, index: start, groups } of text.matchAll(label)) {
    const nameEnd = start + name.length;
    const after = text.slice(nameEnd, nameEnd + maxDistance);
    const isBank = (groups?.["bank"] ?? groups?.["bankLast"]) !== undefined;
    const isGerman = germanWord.test(name) && !/^[^\d\n]*(?:sort|\d\d-\d\d-\d\d)/i.test(after);
    if ((groups?.["bankLast"] ?? groups?.["accountLast"]) !== undefined) {
      const [whole = "", written = ""] = numbersAfter.exec(after) ?? [];
      const [one = "", other = ""] = written.split(signsBetween).flatMap(numbersIn);
      if (other !== "") {
        const end = nameEnd + whole.length;
        yield { isBank: !isBank, isGerman, digits: one, start, end };
        yield { isBank, isGerman, digits: other, start, end };
        continue;
      }
    }
    const [whole = "", written = ""] = numberAfter.exec(after) ?? [];
    if (written === "") continue;
    const end = nameEnd + whole.length;
    const [digits = "", rest = ""] = isBank ? bankAndRest(written) : [withoutSigns(written)];
    yield { isBank, isGerman, digits, start, end };
    // "BLZ 370 400 44 12": the account follows without a name.
    if (rest !== "") yield { isBank: false, digits: rest, start, end };
    if (!isBank) yield* furtherNumbers(text, end);
  }
}

function* furtherNumbers(text: string, from: number): Generator<NamedNumber, undefined> {
  for (let end = from; ; ) {
    const [whole = "", written = ""] = furtherNumber.exec(text.slice(end, end + maxDistance)) ?? [];
    const digits = withoutSigns(written);
    if (digits === "" || isBlz(digits)) return;
    end += whole.length;
    yield { isBank: false, digits, start: end - written.length, end };
  }
}

/**
 * Returns the number of a text without its separators; two numbers where its groups can be cut so that they fit as such.
 * None without figures.
 */
function numbersOf(
  written: string,
  fit: (first: string, second: string, groups: number) => boolean,
): string[] {
  const groups = written.match(/\d+/g) ?? [];
  for (let cut = 1; cut < groups.length; cut++) {
    const [first, second] = [groups.slice(0, cut).join(""), groups.slice(cut).join("")];
    if (fit(first, second, groups.length)) return [first, second];
  }
  return groups.length === 0 ? [] : [groups.join("")];
}

/** Cuts a bank code from an account number that follows it. */
const bankAndRest = (written: string) =>
  numbersOf(written, (bank, rest) => isBlz(bank) || (isSortCode(bank) && rest.length === 8));

/** Cuts two numbers apart of which either is a bank code. */
const numbersIn = (part: string) =>
  numbersOf(part, (first, second, groups) => {
    const joined = first + second;
    const areApart = groups === 2 || joined.length > 10;
    return areApart && !isCardNumber(joined) && (isBlz(first) || isBlz(second));
  });

/** Returns the accounts that a text has, in order: those that it names, and those of an MT940 file. */
export function namedAccounts(text: string): readonly FoundAccount[] {
  const ofFile = Array.from(
    text.matchAll(mt940),
    ({ 0: whole, index: start, 1: bankCode = "", 2: account = "" }): FoundAccount => ({
      start,
      end: start + whole.length,
      country: "DE",
      account,
      bankCode,
    }),
  );
  if (!bankWord.test(text)) return ofFile;
  return [...ofFile, ...accountsByName(text)].sort((one, other) => one.start - other.start);
}

/**
 * Number and bank code are named in any order, near each other. An account without a bank code of its own has that of the
 * account before it; if none has been named there, that of the account behind it.
 */
function accountsByName(text: string): readonly FoundAccount[] {
  const numbers = [...namedNumbers(text)];
  const accounts: FoundAccount[] = [];
  let readEnd = 0;
  let bank: NamedNumber | undefined;
  let alone: NamedNumber[] = [];
  for (let at = 0; at < numbers.length; at++) {
    const [one, next] = [numbers[at]!, numbers[at + 1]];
    if (one.start - readEnd > maxDistance) [bank, alone] = [undefined, []];
    const before = accountBefore(text, one);
    const isNext = isPair(one, next);
    // "532013000 (BLZ 37040044), Konto 648479930 BLZ 50010517": what follows belongs to another bank code.
    const isTaken =
      isNext &&
      isPair(next, numbers[at + 2]) &&
      before !== undefined &&
      before.start >= readEnd &&
      /[;\n]|\)(?:\t|\s*\S)/.test(text.slice(one.end, next.start));
    const other = isNext && !isTaken ? next : before;
    const found = other === undefined ? undefined : accountOfPair(one, other);
    if (one.isBank) bank = one;
    else if (found !== undefined) bank = next;
    else if (one.digits.length >= minSharing) alone.push(one);
    if (bank !== undefined) {
      for (const account of alone.splice(0)) {
        const sharing = accountOfPair(account, bank);
        const { start, end } = account;
        if (sharing !== undefined) accounts.push({ ...sharing, start, end });
      }
    }
    if (found !== undefined) accounts.push(found);
    if (found !== undefined && other === next) at++;
    readEnd = numbers[at]!.end;
  }
  return accounts;
}

/** Whether two numbers that follow each other may be of one account. */
function isPair(one: NamedNumber, next: NamedNumber | undefined): next is NamedNumber {
  return next !== undefined && next.isBank !== one.isBank && next.start - one.end <= maxDistance;
}

function accountOfPair(one: NamedNumber, other: NamedNumber): FoundAccount | undefined {
  const [bank, account] = one.isBank ? [one, other] : [other, one];
  const country = countryOf(bank, account.digits);
  if (country === undefined) return undefined;
  const [start, end] = [Math.min(one.start, other.start), Math.max(one.end, other.end)];
  return { start, end, country, account: account.digits, bankCode: bank.digits };
}

/** The account number without a name that is directly before a bank code: "532013000 (BLZ 37040044)". */
function accountBefore(text: string, { isBank, start }: NamedNumber): NamedNumber | undefined {
  if (!isBank) return undefined;
  const before = text.slice(Math.max(0, start - maxDistance), start);
  const [whole = "", written = ""] = numberBefore.exec(before) ?? [];
  if (written === "" || otherLabel.test(before.slice(0, -whole.length))) return undefined;
  const digits = withoutSigns(written);
  return { isBank: false, digits, start: start - whole.length, end: start - whole.length + written.length };
}

function countryOf({ digits, isGerman }: NamedNumber, account: string): FoundAccount["country"] | undefined {
  if (isBlz(digits) && account.length <= 10) return "DE";
  const isBritish = isSortCode(digits) && isGerman !== true;
  return isBritish && account.length >= 6 && account.length <= 10 ? "GB" : undefined;
}

/** A day, whose digits are not those of a bank code: `12.03.2026 4711`. */
const date = /(?<!\d)\d\d\.\d\d\.\d{4}(?!\d)/;

/** Dots in the middle of a line, as the console writes them between two numbers. */
const signsBetween = /[/,;:|()\n\t\u00b7\u2022\u2219\u22c5]+/;

/**
 * Returns the account that a text is as a whole: two numbers without any name, one of which is a bank code or, with its
 * hyphens, a sort code.
 */
export function wholeAccount(text: string): FoundAccount | undefined {
  if (
    text.length > maxDistance ||
    date.test(text) ||
    !/^[\d\s/,;:|+.()\u00b7\u2022\u2219\u22c5-]+$/.test(text)
  )
    return undefined;
  const place = { start: 0, end: text.length };
  const parts = text.trim().split(/[\s,;/|:\u00b7]+/);
  const sortCode = parts.find((part) => /^\d\d-\d\d-\d\d$/.test(part));
  const british = parts.find((part) => /^\d{8}$/.test(part));
  if (parts.length === 2 && sortCode !== undefined && british !== undefined)
    return { ...place, country: "GB", account: british, bankCode: withoutSigns(sortCode) };
  const [first, second, ...more] = text.split(signsBetween).flatMap(numbersIn);
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  if (first.length > 10 || second.length > 10) return undefined;
  const [bankCode, account] = isBlz(second) ? [second, first] : [first, second];
  if (!isBlz(bankCode)) return undefined;
  return { ...place, country: "DE", account, bankCode, ...(isBlz(account) && { inAnyOrder: true }) };
}

/**
 * Whether digits are a card number by their length, their first digit and their check digit.
 *
 * Source: ISO/IEC 7812-1: 13 to 19 digits here, Luhn formula; 3 to 6 are the industries of banks and travel.
 *
 * @example isCardNumber("4111111111111111") // → true
 */
export function isCardNumber(digits: string): boolean {
  if (!/^[3-6]\d{12,18}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
