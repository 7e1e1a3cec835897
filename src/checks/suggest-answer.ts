import { isFormalIban, normaliseIban, readLeniently } from "../banking/iban/normalise.ts";
import { ibanCountryByCode } from "../banking/iban/registry.ts";
import { RequestError } from "../contract/errors.ts";
import { maxExtracted, maxUnreadable } from "../contract/limits.ts";
import { message, textOf } from "../contract/message.ts";
import type { Language } from "../contract/messages.ts";
import { ibanOutcomes } from "../contract/status.ts";
import { bytesOf } from "../suggest/characters.ts";
import { type Corrections, correct } from "../suggest/correct.ts";
import { extract } from "../suggest/extract/extract.ts";
import type { FoundIban } from "../suggest/extract/find-ibans.ts";
import { fillIn, unreadable } from "../suggest/fill-in.ts";
import type { BankFilters } from "../suggest/filters.ts";
import { checkIban } from "./iban-check.ts";
import { bankOf, CorrectionBudget, suggestionsOf } from "./suggestions.ts";

const unreadableMark = String.fromCharCode(unreadable);

/**
 * Returns what an IBAN with unreadable characters (`?`), or a wrong one without, can be.
 *
 * Lists at most `max` ways of filling in the unreadable characters. Throws invalid_iban where more are unreadable than
 * have a useful answer, or the country is.
 */
export function suggestAnswer(filters: BankFilters, text: string, max: number, language: Language): object {
  const { iban } = readLeniently(text);
  const marks = [...iban].filter((character) => character === unreadableMark).length;
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
  const positions = [...iban.matchAll(/\?/g)].map(({ index }) => index);
  const suggestions = fillIns.map((filled) => ({
    iban: filled.iban,
    kind: "unreadable",
    positions,
    ...bankOf(filters.directory, filled.bank),
  }));
  return answerOf(counts, suggestions, language);
}

const nothing: Corrections = { counts: { iso: 0, national: 0, all: 0 }, candidates: [] };

function correctedAnswer(filters: BankFilters, iban: string, max: number, language: Language): object {
  const isValid = isFormalIban(iban) && checkIban(filters.directory, normaliseIban(iban)).outcome === "valid";
  const corrections = isValid ? nothing : correct(bytesOf(iban), filters);
  const { suggestions } = suggestionsOf(filters, corrections);
  if (isValid) {
    const data = { counts: corrections.counts, suggestions };
    return { status: 1, message: textOf(message("nothing_to_correct"), language), data };
  }
  return answerOf(corrections.counts, suggestions?.slice(0, max) ?? [], language);
}

function answerOf(counts: Corrections["counts"], suggestions: readonly object[], language: Language): object {
  const found = counts.all > 0;
  return {
    status: found ? 1 : 0,
    message: textOf(message(found ? "suggestions_found" : "no_suggestion_found"), language),
    data: { counts, suggestions },
  };
}

/** The answer to a text, and how many checks it counts as. */
export interface ExtractAnswer {
  readonly answer: object;
  /** The IBANs found. */
  readonly count: number;
}

/** Returns the IBANs and BICs of a text, each with its place and what is known of it. */
export function extractAnswer(filters: BankFilters, text: string, language: Language): ExtractAnswer {
  const budget = new CorrectionBudget(filters);
  const found = extract(text, filters, {
    maxFound: maxExtracted,
    look: (find) => budget.look(find),
  });
  const ibans = found.ibans.map((iban) => ibanEntry(filters, text, iban, budget));
  const bics = found.bics.map(({ start, end, bic }) => ({ text: text.slice(start, end), start, end, bic }));
  const isEmpty = ibans.length === 0 && bics.length === 0;
  const answer = {
    status: isEmpty ? 0 : 1,
    message: textOf(message(isEmpty ? "nothing_extracted" : "numbers_extracted"), language),
    data: {
      ibans,
      bics,
      read_to: found.readTo,
      suggestions_omitted: budget.omitted,
    },
  };
  return { answer, count: ibans.length };
}

function ibanEntry(
  filters: BankFilters,
  text: string,
  { start, end, iban, corrections }: FoundIban,
  budget: CorrectionBudget,
): object {
  const check = isFormalIban(iban) ? checkIban(filters.directory, iban) : undefined;
  const { status, reason } = ibanOutcomes[check?.outcome ?? "not_an_iban"];
  return {
    text: text.slice(start, end),
    start,
    end,
    iban,
    valid: status === 1,
    status,
    reason,
    bank: check?.bank?.name ?? "",
    bic: check?.bank?.bic ?? null,
    ...budget.spend(corrections === undefined ? undefined : suggestionsOf(filters, corrections)),
  };
}
