import { inFours, invisible, separators, subfieldCode } from "../../banking/iban/normalise.ts";
import { ibanCheckDigits } from "../../banking/mod97.ts";
import { type CheckWords, filled } from "../words.ts";

/** A part or spelling of the input that is not part of the number, or `country` where the number lacked it. */
type Removed = keyof CheckWords["removed"];

/** The kind of number, or text, that the input is taken for. */
export type Recognised =
  | { readonly kind: "empty" }
  /** An IBAN of its country's length; `removed` says what was removed besides spaces. */
  | {
      readonly kind: "iban";
      readonly iban: string;
      readonly bic: string | undefined;
      readonly removed: readonly Removed[];
    }
  /** Begins like an IBAN and has another length than its country's, or an unknown country's letters; or too many digits for an account. */
  | {
      readonly kind: "partial";
      readonly iban: string;
      readonly length: number | undefined;
      readonly removed: readonly Removed[];
    }
  /** `inAnyOrder` where either of two numbers without names may be the bank code. */
  | {
      readonly kind: "account";
      readonly kontonummer: string;
      readonly blz: string | undefined;
      readonly inAnyOrder?: true;
    }
  /** A bank code, complete or not, that is named as one and has no account number yet. */
  | { readonly kind: "blz"; readonly blz: string }
  /** Running text, in which the service is to look for numbers. */
  | { readonly kind: "text"; readonly text: string };

/** Length of a country's IBANs by country code. */
type IbanLengths = Readonly<Record<string, number>>;

const label = /^\s*(?:IBAN|I\.B\.A\.N\.)(?:[\s-]*(?:Nr|No|Nummer|number)\.?)?\s*[:=.]?\s*/i;
const bicForm = /\b[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b/g;
const numberName = "(?:[\\s.-]*(?:nummer|number|nr|no))?";
const accountName = `(?:kto|(?:bank|giro|spar)?konto|account|acct)${numberName}`;
const blzName = `(?:blz|bank[\\s-]*leitzahl|(?:bank[\\s-]*)?sort[\\s-]*code|bank[\\s-]*code)${numberName}`;
const accountLabel = new RegExp(`(?:${accountName}|${blzName})[\\s.:#=-]*`, "gi");
/** Dots in the middle of a line, as the page itself writes them between two numbers. */
const middleDots = /[\u00b7\u2022\u2219\u22c5]/g;
/** A remark beside the name of a number: `Kontonummer (10-stellig)`. */
const remark = /\((?=[^()]*\p{L})(?:[^()\d]|\d+(?=[\s-]*(?:stellig|stellen|ziffern|digits)))*\)/giu;
const namedBic =
  /(?:BIC|SWIFT)\b(?:[\s:./()-]|BIC\b|SWIFT\b|CODE\b)*\b([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)\b/i;
const ibanBefore = /(?:^|IBAN[^A-Z0-9]*(?:(?:NR|NO|NUMMER|NUMBER|CODE)[^A-Z0-9]*)?)\s*$/;
const noNumberBehind = /^\s*(?:$|[^A-Z0-9\s]|BIC|SWIFT|[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b)/;
/** Longer than any IBAN with every separator. */
const maxNumberLength = 60;

/**
 * Says what a clerk has typed or pasted: an IBAN in any spelling, an account number with or without a bank code in any
 * order, or text that may contain either. Pure; takes microseconds.
 */
export function recognise(given: string, lengths: IbanLengths): Recognised {
  const text = given
    .normalize("NFKC")
    .replace(invisible, "")
    .replace(middleDots, "|")
    .replace(subfieldCode, " ");
  if (text.trim() === "") return { kind: "empty" };
  const named = text.replace(remark, " ");
  const account = accountIn(named, lengths);
  if (account !== undefined) return account;
  const withoutLabel = text.replace(label, "");
  const compact = withoutLabel.replace(separators, "").replace(/\s/g, "").toUpperCase();
  if (/^[A-Z]{2}[0-9A-Z?]*$/.test(compact) && compact.length <= maxNumberLength && !isProse(withoutLabel)) {
    const removed = removedFrom(given, withoutLabel, text !== withoutLabel);
    const length = lengths[compact.slice(0, 2)];
    if (compact.length === length) return { kind: "iban", iban: compact, bic: undefined, removed };
    // Digits behind an IBAN may be part of it that is written wrong: nothing is cut off to make it right.
    const hasDigitsBehind = /^[A-Z]{2}\d{2}/.test(compact) && /^\d*$/.test(compact.slice(length));
    if (hasDigitsBehind || ibansIn(text, lengths).length === 0)
      return { kind: "partial", iban: compact, length, removed };
  }
  const found = ibansIn(text, lengths);
  if (found.length === 1)
    return { kind: "iban", iban: found[0]!, bic: bicIn(text, found[0]!), removed: ["text"] };
  return (found.length === 0 ? namedAccountIn(named) : undefined) ?? { kind: "text", text };
}

/** Words of letters alone are not part of a number: `please pay to DE89 …`. */
function isProse(text: string): boolean {
  return (
    (text.match(/\p{L}{3,}/gu) ?? []).some((word) => !/^[A-Z]+$/.test(word)) &&
    /\s\p{L}{3,}\s/u.test(` ${text} `)
  );
}

/** Digits alone, or two numbers of which one is a bank code, with or without their names. */
function accountIn(text: string, lengths: IbanLengths): Recognised | undefined {
  const plain = text.replace(accountLabel, "/");
  if (/[^\d\s/,;:|+.()-]/.test(plain) || !/\d/.test(plain)) return undefined;
  const isFirstNamed = new RegExp(`${blzName}\\D*$`, "i").test(text.slice(0, text.search(/\d/)));
  const [, code = "", account = ""] = /^\D*(\d(?: ?\d){7}) +(\d[\d ]*)$/.exec(plain.trim()) ?? [];
  if (isFirstNamed && code !== "") return accountOf(account.replaceAll(" ", ""), code.replaceAll(" ", ""));
  const parts = plain.split(/[/,;:|()\n\t]+/).flatMap((part) => numberIn(part));
  if (parts.length === 1 && isFirstNamed) return { kind: "blz", blz: parts[0]! };
  if (parts.length === 1)
    return parts[0]!.length <= 10 ? accountOf(parts[0]!, undefined) : longDigits(parts[0]!, lengths);
  if (parts.length !== 2) return undefined;
  const [first, second] = parts as [string, string];
  // What is named as a bank code is never taken for an account number.
  if (isFirstNamed && !isBlz(first)) return { kind: "blz", blz: first };
  if (isBlz(first) && (isFirstNamed || !isBlz(second))) return accountOf(second, first);
  if (!isBlz(second)) return undefined;
  const found = accountOf(first, second);
  return isBlz(first) && !/\p{L}/u.test(text) ? { ...found, inAnyOrder: true } : found;
}

/** Digits alone are a German IBAN without its letters where the check digits say so. */
function longDigits(digits: string, lengths: IbanLengths): Recognised {
  const iban = `DE${digits}`;
  return iban.length === lengths["DE"] && hasRightCheckDigits(iban)
    ? { kind: "iban", iban, bic: undefined, removed: ["country"] }
    : { kind: "partial", iban: digits, length: undefined, removed: [] };
}

/** An account number and a bank code that a text has behind their names, or in the fields of MT940. */
function namedAccountIn(text: string): Recognised | undefined {
  const [, code, account] = /(?::25:|\?30)([1-8]\d{7})(?:\/|\?31)(\d{1,10})/.exec(text) ?? [];
  if (account !== undefined) return accountOf(account, code);
  const numberBehind = (name: string) =>
    new RegExp(`\\b${name}[\\s.:#=-]*(\\d[\\d ]*)`, "i").exec(text)?.[1]?.replaceAll(" ", "") ?? "";
  const kontonummer = numberBehind(accountName);
  const blz = numberBehind(blzName);
  return /^\d{1,10}$/.test(kontonummer) && isBlz(blz) ? accountOf(kontonummer, blz) : undefined;
}

function accountOf(kontonummer: string, blz: string | undefined) {
  return { kind: "account", kontonummer, blz } as const;
}

const isBlz = (number: string) => /^[1-8]\d{7}$/.test(number);

/** The number of a part without its spaces; two where one beside the other is a bank code. */
function numberIn(part: string): string[] {
  const groups = part.match(/\d+/g) ?? [];
  const joined = groups.join("");
  if (joined === "") return [];
  for (let split = 1; split < groups.length; split++) {
    const [first, second] = [groups.slice(0, split).join(""), groups.slice(split).join("")];
    if (
      (joined.length > 10 || groups.length === 2) &&
      (isBlz(first) || isBlz(second)) &&
      Math.max(first.length, second.length) <= 10
    ) {
      return [first, second];
    }
  }
  return [joined];
}

/**
 * The IBANs of a text, each once: those of the right length and check digits; if there are none, one at the beginning
 * or behind the word IBAN whose check digits are wrong, if a BIC or no more of a number follows.
 */
function ibansIn(text: string, lengths: IbanLengths): string[] {
  const right = new Set<string>();
  const wrong = new Set<string>();
  const upper = text.toUpperCase();
  for (const { 0: begin, index } of upper.matchAll(/(?<![A-Z0-9])[A-Z]{2}\s?[0-9]{2}/g)) {
    const length = lengths[begin.slice(0, 2)];
    if (length === undefined) continue;
    const { iban, behind } = numberAt(upper, index, length);
    if (iban.length !== length || !/^(?:[^A-Z0-9]|$|BIC|SWIFT|EUR\b)/.test(behind)) continue;
    if (hasRightCheckDigits(iban)) right.add(iban);
    else if (
      ibanBefore.test(upper.slice(0, index)) &&
      noNumberBehind.test(behind) &&
      /^[A-Z0-9]+$/.test(iban)
    )
      wrong.add(iban);
  }
  return [...(right.size > 0 ? right : wrong)];
}

/** Returns `length` characters of a text without separators, and the text after them. */
function numberAt(text: string, begin: number, length: number): { iban: string; behind: string } {
  let iban = "";
  let at = begin;
  for (; iban.length < length && at < begin + maxNumberLength; at++)
    iban += text.charAt(at).replace(separators, "").trim();
  return { iban, behind: text.slice(at) };
}

function bicIn(text: string, iban: string): string | undefined {
  const isOfCountry = (bic: string) => bic.slice(4, 6).toUpperCase() === iban.slice(0, 2);
  const named = namedBic.exec(text)?.[1];
  // In another case it may be a word, as in "BIC unbekannt".
  if (named !== undefined && (named === named.toUpperCase() || isOfCountry(named)))
    return named.toUpperCase();
  return (text.match(bicForm) ?? []).find(isOfCountry);
}

function removedFrom(given: string, withoutLabel: string, hadLabel: boolean): Removed[] {
  const spaceless = given.replace(/\s/g, "");
  const is: Partial<Record<Removed, boolean>> = {
    label: hadLabel,
    separators: withoutLabel.search(separators) >= 0,
    width: spaceless.normalize("NFKC") !== spaceless.normalize("NFC"),
    invisible: given.search(invisible) >= 0,
  };
  return (Object.keys(is) as Removed[]).filter((name) => is[name]);
}

/** Whether a text has the check digits of its country and BBAN. */
export function hasRightCheckDigits(iban: string): boolean {
  return /^[A-Z0-9]+$/.test(iban) && ibanCheckDigits(iban.slice(0, 2), iban.slice(4)) === iban.slice(2, 4);
}

type Found<Kind> = Extract<Recognised, { readonly kind: Kind }>;

/** Returns the number with what was removed besides spaces; empty if nothing was. */
export function cleanedNote({ iban, removed }: Found<"iban" | "partial">, words: CheckWords): string {
  const notes = removed.map((name) => words.removed[name]);
  return notes.length === 0 ? "" : `${inFours(iban)} (${notes.join(", ")})`;
}

/** Returns how many characters are missing or too many. */
export function lengthHint({ iban, length }: Found<"partial">, words: CheckWords): string {
  const have = iban.length;
  if (/^\d/.test(iban)) return filled(words.manyDigits, { have });
  if (/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(iban)) return words.onlyBic;
  if (/^[A-Z]{2}\d{2}ZZZ/.test(iban)) return words.creditor;
  if (length !== undefined) return filled(have < length ? words.shorter : words.longer, { have, length });
  return have < 2 ? words.empty : filled(words.noCountry, { country: iban.slice(0, 2) });
}
