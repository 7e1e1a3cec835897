import { ibanCountryByCode } from "../banking/iban/registry.ts";
import { readIban } from "../banking/reader/one-iban.ts";
import { unknownBank } from "../banks/directory/record.ts";
import { RequestError } from "../contract/errors.ts";
import type { Language } from "../contract/language.ts";
import { maxSuggestionCandidates, maxSuggestions, maxUnreadable } from "../contract/limits.ts";
import { message, textOf } from "../contract/message.ts";
import { type AtBank, type Corrections, correct, correctAccount, noCorrections } from "../suggest/correct.ts";
import { fillIn, unreadableMark } from "../suggest/fill-in.ts";
import type { BankFilters } from "../suggest/filters.ts";
import { checkIban } from "./iban-check.ts";

/** Probable corrections of a wrong number, in the form of an answer. */
export interface Suggestions {
  /** None where too many candidates remain; null if no time was left to look for any. */
  readonly suggestions: readonly object[] | null;
  readonly suggestion_count: number | null;
}

/** Returns what a wrong IBAN, given in normal form and perhaps with unreadable characters, was probably meant to be. */
export function suggestIbans(filters: BankFilters, iban: string): Suggestions {
  const { counts, found } = correctionsOf(filters, iban, maxSuggestions);
  return suggestionsOf(filters, found, counts.all);
}

/** Undoes a slip, or lists at most `max` ways of filling in unreadable characters. */
function correctionsOf(filters: BankFilters, iban: string, max: number): Corrections {
  return marksIn(iban) === 0 ? correct(iban, filters) : fillIn(iban, filters, max);
}

export function suggestAccounts(filters: BankFilters, kontonummer: string, blz: string): Suggestions {
  return suggestionsOf(filters, correctAccount(kontonummer, blz, filters));
}

type Found = readonly AtBank<object>[];

/** `count` is how many there are where some are left out. */
function suggestionsOf(filters: BankFilters, found: Found, count = found.length): Suggestions {
  return { suggestions: withBanks(filters, listable(found, count)), suggestion_count: count };
}

function listable(found: Found, count = found.length): Found {
  return count > maxSuggestionCandidates ? [] : found.slice(0, maxSuggestions);
}

/** Returns corrections with name and BIC of the bank; unknown ones are empty and null. */
function withBanks({ directory }: BankFilters, found: Found): readonly object[] {
  return found.map(({ bank: index, ...correction }) => {
    const { name: bank, bic } = index < 0 ? unknownBank : directory.record(index);
    return { ...correction, bank, bic };
  });
}

const marksIn = (iban: string) => iban.split(unreadableMark).length - 1;

/**
 * Returns what an IBAN with unreadable characters (`?`), or a wrong one without, can be.
 *
 * Lists at most `max` ways of filling in the unreadable characters. Throws invalid_iban if more are unreadable than
 * have a useful answer, or the country is.
 */
export function suggestAnswer(filters: BankFilters, text: string, max: number, language: Language): object {
  const { iban } = readIban(text);
  const marks = marksIn(iban);
  if (marks > maxUnreadable) {
    throw new RequestError("invalid_iban", {
      message: message("too_many_unreadable", { max: maxUnreadable }),
    });
  }
  if (marks > 0 && ibanCountryByCode(iban.slice(0, 2)) === undefined) {
    throw new RequestError("invalid_iban", { message: message("country_unreadable") });
  }
  const { directory, policy } = filters;
  const isRight = checkIban(directory, iban, undefined, policy).outcome === "valid";
  const { counts, found } = isRight ? noCorrections : correctionsOf(filters, iban, max);
  const listed = marks === 0 ? listable(found) : found;
  const isFound = counts.all > 0;
  const said = isFound ? "suggestions_found" : "no_suggestion_found";
  return {
    status: isRight || isFound ? 1 : 0,
    message: textOf(message(isRight ? "nothing_to_correct" : said), language),
    data: {
      counts,
      suggestions: withBanks(filters, listed.slice(0, max)),
      iban,
      suggestion_count: counts.all,
    },
  };
}
