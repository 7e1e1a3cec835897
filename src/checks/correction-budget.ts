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

/** The time that one request may take, so that it holds up no worker: that of its steps, one after the other. */
export class TimeBudget {
  #msLeft: number;
  #begun = performance.now();

  constructor(ms: number) {
    this.#msLeft = ms;
  }

  /** The next step begins now, and not where the last one ended. */
  begin(): void {
    this.#begun = performance.now();
  }

  /**
   * Ends a step and returns the time left, in milliseconds. No step takes longer than `maxMs`: a longer measurement
   * includes time without the processor.
   */
  end(maxMs: number): number {
    const now = performance.now();
    this.#msLeft -= Math.min(now - this.#begun, maxMs);
    this.#begun = now;
    return this.#msLeft;
  }

  /** The time left after the last step. */
  get msLeft(): number {
    return this.#msLeft;
  }
}

/** No attempt takes longer than this, in milliseconds. */
const maxCorrectionMs = 0.5;

/** The time and the room that the corrections of one request may take. */
export class CorrectionBudget {
  readonly #filters: BankFilters;
  readonly #time: TimeBudget;
  #bytesLeft = maxSuggestionBytes;
  #omitted = 0;

  /** Builds what each directory needs once, so that the first request does not pay for it. */
  constructor(filters: BankFilters, time = new TimeBudget(correctionBudgetMs)) {
    warmUp(filters);
    this.#filters = filters;
    this.#time = time;
  }

  /** Number of numbers without suggestions because time or space ran out. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Does what is done in any case, at the expense of the time for corrections. */
  charge<T>(work: () => T): T {
    this.#time.begin();
    const result = work();
    this.#time.end(maxCorrectionMs);
    return result;
  }

  /** Returns the corrections of a wrong IBAN as `suggestIbans` does, null in place of those for which no time or room is left. */
  suggest(iban: string): Suggestions {
    const suggestions =
      this.#time.msLeft <= 0 ? undefined : this.charge(() => suggestIbans(this.#filters, iban));
    this.#bytesLeft -= Buffer.byteLength(JSON.stringify(suggestions ?? null));
    if (suggestions !== undefined && this.#bytesLeft >= 0) return suggestions;
    this.#omitted++;
    return { suggestions: null, suggestion_count: null };
  }
}
