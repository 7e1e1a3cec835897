import { ibanCountries } from "../banking/iban/registry.ts";
import { correctionBudgetMs, maxSuggestionBytes } from "../contract/limits.ts";
import { correct } from "../suggest/correct.ts";
import type { BankFilters } from "../suggest/filters.ts";
import { type Suggestions, suggestIbans } from "./suggest-answer.ts";

/** The filters that code has been made quick with. */
const warmedUp = new WeakSet<BankFilters>();

/**
 * Runs the search for corrections until its code is compiled, once for each directory, some 30 ms.
 *
 * Code that has not run yet is tens of times slower, and would spend the budget of the first batch on a few numbers.
 */
export function warmUp(filters: BankFilters): void {
  if (warmedUp.has(filters)) return;
  warmedUp.add(filters);
  for (const { example } of ibanCountries) correct(example, filters);
  for (const { example } of ibanCountries) correct(example.slice(0, -1), filters);
}

/** No attempt takes longer than this, in milliseconds. */
const maxCorrectionMs = 0.5;

export type CorrectionBudget = ReturnType<typeof correctionBudget>;

/** The time and the room that the corrections of one request may take, so that it holds up no worker. */
export function correctionBudget(filters: BankFilters, ms = correctionBudgetMs) {
  let msLeft = ms;
  let begun = performance.now();
  let bytesLeft = maxSuggestionBytes;
  const budget = {
    /** Number of numbers without suggestions because time or space ran out. */
    omitted: 0,

    /**
     * Spends the time since the last step and returns what is left, in milliseconds. No step takes longer than `maxMs`: a
     * longer measurement includes time without the processor.
     */
    spend(maxMs: number): number {
      const now = performance.now();
      msLeft -= Math.min(now - begun, maxMs);
      begun = now;
      return msLeft;
    },

    /** Does what is done in any case, at the expense of the time for corrections. */
    charge<T>(work: () => T): T {
      begun = performance.now();
      const result = work();
      budget.spend(maxCorrectionMs);
      return result;
    },

    /** Returns the corrections of a wrong IBAN, null in place of those for which no time or room is left. */
    suggest(iban: string): Suggestions {
      const suggestions = msLeft <= 0 ? undefined : budget.charge(() => suggestIbans(filters, iban));
      bytesLeft -= Buffer.byteLength(JSON.stringify(suggestions ?? null));
      if (suggestions !== undefined && bytesLeft >= 0) return suggestions;
      budget.omitted++;
      return { suggestions: null, suggestion_count: null };
    },
  };
  return budget;
}
