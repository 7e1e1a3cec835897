import { isFormalIban } from "../banking/iban/normalise.ts";
import { maxExtracted } from "../contract/limits.ts";
import { message, textOf } from "../contract/message.ts";
import type { Language } from "../contract/messages.ts";
import { ibanOutcomes } from "../contract/status.ts";
import { extract } from "../suggest/extract/extract.ts";
import type { FoundIban } from "../suggest/extract/find-ibans.ts";
import type { BankFilters } from "../suggest/filters.ts";
import { checkIban } from "./iban-check.ts";
import { CorrectionBudget, suggestionsOf } from "./suggestions.ts";

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
