import { ibanCountries } from "../banking/iban/registry.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import {
  correctionBudgetMs,
  maxSuggestionBytes,
  maxSuggestionCandidates,
  maxSuggestions,
} from "../contract/limits.ts";
import { bytesOf } from "../suggest/characters.ts";
import { type AccountCorrection, type Corrections, correct, correctAccount } from "../suggest/correct.ts";
import type { BankFilters } from "../suggest/filters.ts";

/** The filters that code has been made quick with. */
const warmedUp = new WeakSet<BankFilters>();

/**
 * Runs the search for corrections until its code is compiled, once for each directory, some 30 ms.
 *
 * Code that has not run yet is tens of times slower, and would spend the budget of the first batch on a few numbers.
 */
function warmUp(filters: BankFilters): void {
  if (warmedUp.has(filters)) return;
  warmedUp.add(filters);
  for (const { example } of ibanCountries) correct(bytesOf(example), filters);
  for (const { example } of ibanCountries) correct(bytesOf(example.slice(0, -1)), filters);
}

/** Name and BIC of a bank as a suggestion has them; unknown ones are empty and null. */
export function bankOf(
  directory: BankDirectory,
  index: number,
): { readonly bank: string; readonly bic: string | null } {
  if (index < 0) return { bank: "", bic: null };
  const { name, bic } = directory.record(index);
  return { bank: name, bic };
}

/** What a wrong number was probably meant to be, as an answer has it. */
export interface Suggestions {
  /** None where too many candidates remain; null where no time was left to look for any. */
  readonly suggestions: readonly object[] | null;
  readonly suggestion_count: number | null;
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

/** Returns what a wrong IBAN, given in normal form, was probably meant to be. */
export function suggestIbans(filters: BankFilters, iban: string): Suggestions {
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

/** No attempt takes longer than this, in milliseconds; one that seems to has lost the processor for a while. */
const maxCorrectionMs = 0.5;

/** The time and the room that the corrections of one request may take, so that it holds up no worker. */
export class CorrectionBudget {
  #msLeft = correctionBudgetMs;
  #bytesLeft = maxSuggestionBytes;
  #omitted = 0;

  /** What is done once for a directory is not on the first request's account. */
  constructor(filters: BankFilters) {
    warmUp(filters);
  }

  /** How many numbers have no suggestions for want of time or room. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Looks for corrections while time is left; undefined once it is spent. */
  look<T>(find: () => T): T | undefined {
    if (this.#msLeft <= 0) return undefined;
    const begun = performance.now();
    const found = find();
    this.#msLeft -= Math.min(performance.now() - begun, maxCorrectionMs);
    return found;
  }

  /** Returns suggestions, or null in place of those that are not there or for which there is no room. */
  spend(suggestions: Suggestions | undefined): Suggestions {
    this.#bytesLeft -= Buffer.byteLength(JSON.stringify(suggestions ?? null));
    if (suggestions !== undefined && this.#bytesLeft >= 0) return suggestions;
    this.#omitted++;
    return { suggestions: null, suggestion_count: null };
  }
}
