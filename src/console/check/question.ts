import {
  inFours,
  inPlainCharacters,
  invisible,
  readLeniently,
  SHORTEST_IBAN,
} from "../../banking/iban/normalise.ts";
import { namedNumbers } from "../../banking/reader/accounts.ts";
import { ibanFormOf, isIban, withCountry } from "../../banking/reader/iban-forms.ts";
import { kindOfText } from "../../banking/reader/kind-of-text.ts";
import { readText } from "../../banking/reader/read-text.ts";
import { type AskedNumber, askedNumbers } from "../../rows/read-number.ts";
import { filled, checkTexts as words } from "../words.ts";

/** What the input may have checked, and what is said of it meanwhile. */
export interface Question {
  /** In the order of the text; with an offer they are asked about when its button is pressed, otherwise unbidden. */
  readonly numbers?: readonly AskedNumber[];
  readonly offer?: string;
  /** Whether it may still be typed on, so that the check waits longer. */
  readonly isDoubtful?: boolean;
  readonly hint?: string;
  /** How the number was read. */
  readonly cleaned?: string;
  /** The only IBAN, with the BIC that the text has beside it. */
  readonly found?: { readonly iban: string; readonly bic: string | undefined; readonly isAlone: boolean };
  /** Whether a BIC, or a bank code, may be filled in beside it. */
  readonly takesBic?: boolean;
  readonly takesBlz?: boolean;
}

interface Beside {
  readonly bic: string;
  readonly blz: string;
  /** Whether more of the BIC may follow. */
  readonly isBicTyped: boolean;
}

/** A part or spelling of the input that is not part of the number, or `country` where the number lacked it. */
type Removed = keyof typeof words.removed;

/** Longer than any IBAN with every separator. */
const maxNumberLength = 60;
/** What may become an IBAN, or is too long for an account. */
const unfinishedForm = /^(?:\d+|[A-Z]{2}[0-9A-Z?]{0,58})$/;

const bicForm = /^[A-Z0-9]{8}([A-Z0-9]{3})?$/;
const britishBic = /^[A-Z]{4}GB[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/**
 * Returns the question that a clerk has typed or pasted: an IBAN in any spelling, an account number with or without a bank
 * code in any order, or text with one or more of them. The reader of all places finds the numbers; with the BIC that is
 * typed beside the text, British accounts become IBANs. Pure; takes microseconds.
 */
export function questionOf(given: string, { bic: bicTyped, blz, isBicTyped }: Beside): Question {
  const bic = bicTyped.replace(/\s/g, "").toUpperCase();
  const read = readText(given);
  const bics = britishBic.test(bic) ? [...read.bics, { bic }] : read.bics;
  const numbers = askedNumbers({ ...read, bics }).map(({ number }) => number);
  const isAsked = (bban: string) => numbers.some((number) => "iban" in number && number.iban.endsWith(bban));
  const hints = read.accounts
    .filter(({ country, bankCode, account }) => country === "GB" && !isAsked(bankCode + account))
    .map(({ bankCode, account }) => filled(words.needsUkBank, { code: bankCode, account }));
  const british = hints.length > 0 && { hint: hints.join(" "), takesBic: true };
  const [number, ...others] = numbers;
  if (number === undefined) return british || ofUnfinished(given, { bic, blz, isBicTyped });
  if (others.length > 0) {
    const offer = filled(words.checkAll, { count: numbers.length });
    return { numbers, offer, takesBic: isBicTyped, ...british };
  }
  if (!("iban" in number)) return { numbers, isDoubtful: true, ...british };
  return { ...ofIban(given, number.iban, number.bic, { bic, blz, isBicTyped }), ...british };
}

function ofIban(
  given: string,
  read: string,
  found: string | undefined,
  { bic, isBicTyped }: Beside,
): Question {
  const isWhole = read.length === ibanFormOf(read)?.length;
  const iban = isWhole ? read : withCountry(read);
  const removed = isWhole || iban === undefined ? removedFrom(given, read) : (["country"] as const);
  if (iban === undefined) return ofPartialIban(read, removed);
  const isBic = bicForm.test(bic);
  const isLeftOut = bic !== "" && !isBic;
  return {
    numbers: [isBic ? { iban, bic } : { iban }],
    // Three characters more may follow.
    isDoubtful: !isIban(iban) || isLeftOut || (bic.length === 8 && isBicTyped),
    cleaned: cleanedNote(iban, removed),
    found: { iban, bic: found, isAlone: !removed.some((name) => name === "text") },
    takesBic: true,
    ...(isLeftOut && { hint: words.bicLength }),
  };
}

/** Begins like an IBAN and has another length than its country's, or an unknown country's letters; or too many digits for an account. */
function ofPartialIban(iban: string, removed: readonly Removed[]): Question {
  const isLong = iban.length >= SHORTEST_IBAN && !/^\d/.test(iban);
  return {
    hint: lengthHint(iban),
    cleaned: cleanedNote(iban, removed),
    takesBic: true,
    ...(isLong && { numbers: [{ iban }], offer: words.checkAnyway }),
  };
}

/** What is still typed, or is part of a number: nothing in it is one yet. */
function ofUnfinished(given: string, beside: Beside): Question {
  const { blz } = beside;
  const text = inPlainCharacters(given).replace(invisible, "");
  if (text.trim() === "") {
    const hint = blz === "" ? words.empty : filled(words.needsAccount, { blz });
    return { hint, takesBic: true, takesBlz: blz !== "" };
  }
  const [named, ...others] = namedNumbers(text);
  if (named !== undefined && others.length === 0 && text.length <= maxNumberLength) {
    const { digits, isBank } = named;
    const have = digits.length;
    const hint = have === 8 ? words.needsAccount : words.shorter;
    if (isBank) return { hint: filled(hint, { blz: digits, have, length: 8 }) };
    if (have <= 10) return ofAccount(digits, blz);
  }
  const { iban } = readLeniently(text);
  if (isProse(text) || !unfinishedForm.test(iban)) return { hint: words.noneFound, takesBic: true };
  if (/^\D/.test(iban)) return ofPartialIban(iban, removedFrom(given, iban));
  return iban.length <= 10 ? ofAccount(iban, blz) : ofIban(iban, iban, undefined, beside);
}

function ofAccount(kontonummer: string, blz: string): Question {
  const bankleitzahl = blz.replace(/\D/g, "");
  if (bankleitzahl.length !== 8) return { hint: words.needsBlz, takesBlz: true };
  return { numbers: [{ kontonummer, bankleitzahl }], isDoubtful: true, takesBlz: true };
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
function cleanedNote(iban: string, removed: readonly Removed[]): string {
  const notes = removed.map((name) => words.removed[name]);
  return notes.length === 0 ? "" : `${inFours(iban)} (${notes.join(", ")})`;
}

/** Returns how many characters are missing or too many, or what else it is. */
function lengthHint(iban: string): string {
  const have = iban.length;
  const kind = kindOfText(iban);
  if (kind !== undefined && kind in words.kinds) return words.kinds[kind as keyof typeof words.kinds];
  if (/^\d/.test(iban)) return filled(words.manyDigits, { have });
  const country = iban.slice(0, 2);
  const length = ibanFormOf(iban)?.length;
  const longer = country === "DE" ? words.longerGerman : words.longer;
  if (length !== undefined) return filled(have < length ? words.shorter : longer, { have, length, country });
  return have < 2 ? words.empty : filled(words.noCountry, { country });
}
