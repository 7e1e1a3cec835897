import { isFormalIban } from "../banking/iban/normalise.ts";
import { ibanCountryByCode } from "../banking/iban/registry.ts";
import { readIban } from "../banking/reader/one-iban.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { RequestError } from "../contract/errors.ts";
import type { Language } from "../contract/language.ts";
import { maxSuggestionCandidates, maxSuggestions, maxUnreadable } from "../contract/limits.ts";
import { message, textOf } from "../contract/message.ts";
import { bytesOf } from "../suggest/characters.ts";
import { type Corrections, correct, correctAccount, noCorrections } from "../suggest/correct.ts";
import { fillIn, unreadable } from "../suggest/fill-in.ts";
import type { BankFilters } from "../suggest/filters.ts";
import type { Suggestions } from "./correction-budget.ts";
import { checkIban } from "./iban-check.ts";

/** Name and BIC of a bank as a suggestion has them; unknown ones are empty and null. */
function bankOf(
  directory: BankDirectory,
  index: number,
): { readonly bank: string; readonly bic: string | null } {
  if (index < 0) return { bank: "", bic: null };
  const { name, bic } = directory.record(index);
  return { bank: name, bic };
}

/** Returns the corrections of an IBAN as an answer has them. */
export function suggestionsOf({ directory }: BankFilters, { candidates }: Corrections): Suggestions {
  const listed = listable(candidates);
  return {
    suggestions: listed.map(({ iban, kind, positions, bank }) => ({
      iban: String.fromCharCode(...iban),
      kind,
      positions,
      ...bankOf(directory, bank),
    })),
    suggestion_count: candidates.length,
  };
}

/** Returns what a wrong IBAN, given in normal form and perhaps with unreadable characters, was probably meant to be. */
export function suggestIbans(filters: BankFilters, iban: string): Suggestions {
  if (iban.includes(unreadableMark)) return filledIn(filters, iban);
  return suggestionsOf(filters, correct(bytesOf(iban), filters));
}

/** Returns what a wrong account number with its bank code was probably meant to be. */
export function suggestAccounts(filters: BankFilters, kontonummer: string, blz: string): Suggestions {
  const candidates = correctAccount(kontonummer, blz, filters);
  return {
    suggestions: listable(candidates).map(({ kontonummer, blz, kind, field, positions, bank }) => ({
      kontonummer,
      bankleitzahl: blz,
      kind,
      field,
      positions,
      ...bankOf(filters.directory, bank),
    })),
    suggestion_count: candidates.length,
  };
}

function listable<T>(candidates: readonly T[]): readonly T[] {
  return candidates.length > maxSuggestionCandidates ? [] : candidates.slice(0, maxSuggestions);
}

const unreadableMark = String.fromCharCode(unreadable);

/**
 * Returns what an IBAN with unreadable characters (`?`), or a wrong one without, can be.
 *
 * Lists at most `max` ways of filling in the unreadable characters. Throws invalid_iban if more are unreadable than
 * have a useful answer, or the country is.
 */
export function suggestAnswer(filters: BankFilters, text: string, max: number, language: Language): object {
  const { iban } = readIban(text);
  const marks = marksIn(iban);
  if (marks === 0) return correctedAnswer(filters, iban, max, language);
  if (marks > maxUnreadable) {
    throw new RequestError("invalid_iban", {
      message: message("too_many_unreadable", { max: maxUnreadable }),
    });
  }
  if (ibanCountryByCode(iban.slice(0, 2)) === undefined) {
    throw new RequestError("invalid_iban", { message: message("country_unreadable") });
  }
  const { counts, fillIns } = fillIn(bytesOf(iban), filters, max);
  return answerOf(iban, counts, fillInsOf(filters, iban, fillIns), language);
}

const marksIn = (iban: string) => iban.split(unreadableMark).length - 1;

function fillInsOf(
  { directory }: BankFilters,
  iban: string,
  fillIns: ReturnType<typeof fillIn>["fillIns"],
): readonly object[] {
  const positions = [...iban.matchAll(/\?/g)].map(({ index }) => index);
  return fillIns.map((filled) => ({
    iban: filled.iban,
    kind: "unreadable",
    positions,
    ...bankOf(directory, filled.bank),
  }));
}

function correctedAnswer(filters: BankFilters, iban: string, max: number, language: Language): object {
  if (
    isFormalIban(iban) &&
    checkIban(filters.directory, iban, undefined, filters.policy).outcome === "valid"
  ) {
    const data = { counts: noCorrections.counts, suggestions: [], iban, suggestion_count: 0 };
    return { status: 1, message: textOf(message("nothing_to_correct"), language), data };
  }
  const corrections = correct(bytesOf(iban), filters);
  const { suggestions } = suggestionsOf(filters, corrections);
  return answerOf(iban, corrections.counts, suggestions?.slice(0, max) ?? [], language);
}

function answerOf(
  iban: string,
  counts: Corrections["counts"],
  suggestions: readonly object[],
  language: Language,
): object {
  const found = counts.all > 0;
  return {
    status: found ? 1 : 0,
    message: textOf(message(found ? "suggestions_found" : "no_suggestion_found"), language),
    data: { counts, suggestions, iban, suggestion_count: counts.all },
  };
}

/** Returns what an IBAN with unreadable characters can be, if that is one of a few. */
function filledIn(filters: BankFilters, iban: string): Suggestions {
  const isKnown = ibanCountryByCode(iban.slice(0, 2)) !== undefined;
  if (!isKnown || marksIn(iban) > maxUnreadable) return { suggestions: [], suggestion_count: 0 };
  const { counts, fillIns } = fillIn(bytesOf(iban), filters, maxSuggestions);
  const isListed = counts.all <= maxSuggestionCandidates;
  return { suggestions: isListed ? fillInsOf(filters, iban, fillIns) : [], suggestion_count: counts.all };
}
