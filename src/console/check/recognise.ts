import { inFours, inPlainCharacters, invisible, readLeniently } from "../../banking/iban/normalise.ts";
import { type FoundAccount, namedNumbers } from "../../banking/reader/accounts.ts";
import { ibanFormOf, withCountry } from "../../banking/reader/iban-forms.ts";
import { kindOfText } from "../../banking/reader/kind-of-text.ts";
import { readText, type TextNumbers } from "../../banking/reader/read-text.ts";
import { type AskedNumber, askedNumbers } from "../../rows/read-number.ts";
import { filled, checkTexts as words } from "../words.ts";

/** A part or spelling of the input that is not part of the number, or `country` where the number lacked it. */
type Removed = keyof typeof words.removed;

/** The kind of number, or text, that the input is taken for, and what else is in it. */
export type Recognised = RecognisedKind & {
  /** British sort codes and account numbers that need the bank's BIC to become IBANs. */
  readonly british?: readonly FoundAccount[];
};

/** A number with `?` for what is unreadable; `removed` says what was removed besides spaces. */
interface ReadIban {
  readonly iban: string;
  readonly removed: readonly Removed[];
}

type RecognisedKind =
  | { readonly kind: "empty" }
  /** An IBAN of its country's length. */
  | ({ readonly kind: "iban"; readonly bic: string | undefined } & ReadIban)
  /** Begins like an IBAN and has another length than its country's, or an unknown country's letters; or too many digits for an account. */
  | ({ readonly kind: "partial"; readonly length: number | undefined } & ReadIban)
  /** `inAnyOrder` where either of two numbers without names may be the bank code. */
  | {
      readonly kind: "account";
      readonly kontonummer: string;
      readonly blz: string | undefined;
      readonly inAnyOrder?: true;
    }
  /** A bank code, complete or not, that is named as one and has no account number yet. */
  | { readonly kind: "blz"; readonly blz: string }
  /** Text with several numbers, in its order. */
  | { readonly kind: "numbers"; readonly numbers: readonly AskedNumber[] }
  /** Text without a number. */
  | { readonly kind: "text" };

/** Longer than any IBAN with every separator. */
const maxNumberLength = 60;

const britishBic = /^[A-Z]{4}GB[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/**
 * Says what a clerk has typed or pasted: an IBAN in any spelling, an account number with or without a bank code in any
 * order, or text with one or more of them. The reader of all places finds the numbers; with the BIC that is typed beside
 * the text, British accounts become IBANs. Pure; takes microseconds.
 */
export function recognise(given: string, bic = ""): Recognised {
  if (given.trim() === "") return { kind: "empty" };
  const read = readText(given);
  const typed = bic.replace(/\s/g, "").toUpperCase();
  const bics = britishBic.test(typed) ? [...read.bics, { bic: typed }] : read.bics;
  const numbers = askedNumbers({ ...read, bics }).map(({ number }) => number);
  const isAsked = ({ bankCode, account }: FoundAccount) =>
    numbers.some((number) => "iban" in number && number.iban.endsWith(bankCode + account));
  const british = read.accounts.filter((account) => account.country === "GB" && !isAsked(account));
  const found = foundIn(given, read, numbers);
  return british.length === 0 ? found : { ...found, british };
}

function foundIn(
  given: string,
  { ibans: [iban], accounts }: TextNumbers,
  numbers: readonly AskedNumber[],
): RecognisedKind {
  const [number, ...others] = numbers;
  if (others.length > 0) return { kind: "numbers", numbers };
  if (iban !== undefined) return ibanOf(given, iban.iban, number);
  if (number !== undefined && "iban" in number)
    return { kind: "iban", iban: number.iban, bic: number.bic, removed: ["text"] };
  const [account] = accounts;
  if (account === undefined) return unfinished(given);
  if (account.country === "GB") return { kind: "text" };
  const { account: kontonummer, bankCode: blz, inAnyOrder } = account;
  return { kind: "account", kontonummer, blz, ...(inAnyOrder && { inAnyOrder }) };
}

function ibanOf(given: string, iban: string, number: AskedNumber | undefined): Recognised {
  const removed = removedFrom(given, iban);
  const bic = number !== undefined && "iban" in number ? number.bic : undefined;
  const length = ibanFormOf(iban)?.length;
  if (iban.length === length) return { kind: "iban", iban, bic, removed };
  const whole = withCountry(iban);
  if (whole !== undefined) return { kind: "iban", iban: whole, bic, removed: ["country"] };
  return { kind: "partial", iban, length, removed };
}

/** What is still typed, or is part of a number: nothing in it is one yet. */
function unfinished(given: string): Recognised {
  const text = inPlainCharacters(given).replace(invisible, "");
  const [named, ...others] = namedNumbers(text);
  if (named !== undefined && others.length === 0 && text.length <= maxNumberLength) {
    const { digits, isBank } = named;
    if (isBank) return { kind: "blz", blz: digits };
    if (digits.length <= 10) return { kind: "account", kontonummer: digits, blz: undefined };
  }
  const { iban } = readLeniently(text);
  if (isProse(text)) return { kind: "text" };
  if (/^\d+$/.test(iban)) {
    if (iban.length <= 10) return { kind: "account", kontonummer: iban, blz: undefined };
    return ibanOf(iban, iban, undefined);
  }
  if (!/^[A-Z]{2}[0-9A-Z?]*$/.test(iban) || iban.length > maxNumberLength) return { kind: "text" };
  return { kind: "partial", iban, length: ibanFormOf(iban)?.length, removed: removedFrom(given, iban) };
}

/** Words of letters alone are not part of a number: `please pay to DE89 …`. */
function isProse(text: string): boolean {
  return (
    (text.match(/\p{L}{3,}/gu) ?? []).some((word) => !/^[A-Z]+$/.test(word)) &&
    /\s\p{L}{3,}\s/u.test(` ${text} `)
  );
}

/** What surrounds a number in the input, or is spelled otherwise in it, besides spaces. */
function removedFrom(given: string, iban: string): readonly Removed[] {
  const { iban: whole, decorations } = readLeniently(given);
  return whole === iban ? decorations : ["text"];
}

/** Returns the number with what was removed besides spaces; empty if nothing was. */
export function cleanedNote({ iban, removed }: ReadIban): string {
  const notes = removed.map((name) => words.removed[name]);
  return notes.length === 0 ? "" : `${inFours(iban)} (${notes.join(", ")})`;
}

/** Returns how many characters are missing or too many, or what else it is. */
export function lengthHint({ iban, length }: Extract<Recognised, { readonly kind: "partial" }>): string {
  const have = iban.length;
  const kind = kindOfText(iban);
  if (kind !== undefined && kind in words.kinds) return words.kinds[kind as keyof typeof words.kinds];
  if (/^\d/.test(iban)) return filled(words.manyDigits, { have });
  const country = iban.slice(0, 2);
  const longer = country === "DE" ? words.longerGerman : words.longer;
  if (length !== undefined) return filled(have < length ? words.shorter : longer, { have, length, country });
  return have < 2 ? words.empty : filled(words.noCountry, { country });
}
