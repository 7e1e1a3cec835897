import { isFormalIban } from "../banking/iban/normalise.ts";
import { ibanCountryByCode } from "../banking/iban/registry.ts";
import type { FoundAccount } from "../banking/reader/accounts.ts";
import type { FoundIban } from "../banking/reader/ibans.ts";
import { readIban } from "../banking/reader/one-iban.ts";
import { readText } from "../banking/reader/read-text.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { RequestError } from "../contract/errors.ts";
import type { Language } from "../contract/language.ts";
import {
  extractBudgetMs,
  maxExtracted,
  maxSuggestionCandidates,
  maxSuggestions,
  maxUnreadable,
  readingBudgetMs,
} from "../contract/limits.ts";
import { message, textOf } from "../contract/message.ts";
import { foundNouns } from "../contract/messages/answers.ts";
import { ibanOutcomes } from "../contract/status.ts";
import { bytesOf } from "../suggest/characters.ts";
import {
  type AccountCorrection,
  type Corrections,
  correct,
  correctAccount,
  noCorrections,
} from "../suggest/correct.ts";
import { fillIn, unreadable } from "../suggest/fill-in.ts";
import type { BankFilters } from "../suggest/filters.ts";
import { CorrectionBudget, type Suggestions, TimeBudget, warmUp } from "./correction-budget.ts";
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
function suggestionsOf({ directory }: BankFilters, { candidates }: Corrections): Suggestions {
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
    suggestions: listable(candidates).map(
      ({ kontonummer, blz, kind, field, positions, bank }: AccountCorrection) => ({
        kontonummer,
        bankleitzahl: blz,
        kind,
        field,
        positions,
        ...bankOf(filters.directory, bank),
      }),
    ),
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

/** The answer to a text, and how many checks it counts as. */
export interface ExtractAnswer {
  readonly answer: object;
  /** The IBANs found. */
  readonly count: number;
}

/** No slice counts for more than this, in milliseconds; a longer measurement includes time without the processor. */
const maxSliceMs = 2;

/** As `maxSliceMs`, for what follows the last slice: accounts are looked for in the whole text. */
const maxEndMs = 8;

/** Returns the IBANs, BICs and accounts of a text, each with its position and the facts about it. */
export function extractAnswer(filters: BankFilters, text: string, language: Language): ExtractAnswer {
  warmUp(filters);
  const time = new TimeBudget(extractBudgetMs);
  const found = readText(text, {
    maxFound: maxExtracted,
    isKnownInstitution: (institution) => filters.isKnownInstitution(institution),
    isOver: () => time.end(maxSliceMs) < extractBudgetMs - readingBudgetMs,
  });
  time.end(maxEndMs);
  const budget = new CorrectionBudget(filters, time);
  const ibans = found.ibans.map((iban) => ibanEntry(filters, text, iban, budget));
  const bics = found.bics.map(({ kind: _, ...bic }) => ({ text: text.slice(bic.start, bic.end), ...bic }));
  const accounts = found.accounts.map((account) => accountEntry(filters, text, account));
  const counts = { ibans: ibans.length, bics: bics.length, accounts: accounts.length };
  const isEmpty = Object.values(counts).every((count) => count === 0);
  const answer = {
    status: isEmpty ? 0 : 1,
    message: textOf(
      isEmpty
        ? message("nothing_extracted")
        : message("numbers_extracted", { numbers: countedText(counts, language) }),
      language,
    ),
    data: {
      ibans,
      bics,
      accounts,
      read_to: found.readTo,
      suggestions_omitted: budget.omitted,
    },
  };
  return { answer, count: ibans.length };
}

/** Says how many of each were found, as in `1 IBAN and 2 BICs`. */
function countedText(counts: Readonly<Record<keyof typeof foundNouns, number>>, language: Language): string {
  const parts = (["ibans", "bics", "accounts"] as const).flatMap((kind) => {
    const [one, many] = foundNouns[kind][language];
    const count = counts[kind];
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return new Intl.ListFormat(language).format(parts);
}

/** Where either number may be the bank code, it is the one that the directory has. */
function accountEntry({ directory }: BankFilters, text: string, found: FoundAccount): object {
  const { start, end, country, account, bankCode, inAnyOrder } = found;
  const isBank = (code: string) => directory.findByBlz(Number(code)) >= 0;
  const isSwapped = inAnyOrder === true && !isBank(bankCode) && isBank(account);
  const numbers = isSwapped ? { bank_code: account, account: bankCode } : { bank_code: bankCode, account };
  return { text: text.slice(start, end), start, end, country, ...numbers };
}

function ibanEntry(
  filters: BankFilters,
  text: string,
  { start, end, iban }: FoundIban,
  budget: CorrectionBudget,
): object {
  const { directory, policy } = filters;
  const check = isFormalIban(iban) ? checkIban(directory, iban, undefined, policy) : undefined;
  const { status, reason } = ibanOutcomes[check?.outcome ?? "not_an_iban"];
  const suggestions =
    status === 1 ? suggestionsOf(filters, noCorrections) : budget.look(() => suggestIbans(filters, iban));
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
    ...budget.spend(suggestions),
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
