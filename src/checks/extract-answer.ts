import type { FoundAccount } from "../banking/reader/accounts.ts";
import type { FoundIban } from "../banking/reader/ibans.ts";
import { readText } from "../banking/reader/read-text.ts";
import type { Language } from "../contract/language.ts";
import { extractBudgetMs, maxExtracted, readingBudgetMs } from "../contract/limits.ts";
import { message, textOf } from "../contract/message.ts";
import { foundNouns } from "../contract/messages/answers.ts";
import { ibanOutcomes } from "../contract/status.ts";
import type { BankFilters } from "../suggest/filters.ts";
import { type CorrectionBudget, correctionBudget, warmUp } from "./correction-budget.ts";
import { checkIban } from "./iban-check.ts";

/** No slice counts for more than this, in milliseconds; a longer measurement includes time without the processor. */
const maxSliceMs = 2;

/** As `maxSliceMs`, for what follows the last slice: accounts are looked for in the whole text. */
const maxEndMs = 8;

/**
 * Returns the IBANs, BICs and accounts of a text, each with its position and the facts about it, as an answer; and the number
 * of the IBANs, which count as checks.
 */
export function extractAnswer(filters: BankFilters, text: string, language: Language) {
  warmUp(filters);
  const budget = correctionBudget(filters, extractBudgetMs);
  const found = readText(text, {
    maxFound: maxExtracted,
    isKnownBic: (bic) => filters.directory.withBic(bic).length > 0,
    isOver: () => budget.spend(maxSliceMs) < extractBudgetMs - readingBudgetMs,
  });
  budget.spend(maxEndMs);
  const ibans = found.ibans.map((iban) => ibanEntry(filters, text, iban, budget));
  const bics = found.bics.map((bic) => ({ text: text.slice(bic.start, bic.end), ...bic }));
  const accounts = found.accounts.map((account) => accountEntry(filters, text, account));
  const counts = { ibans: ibans.length, bics: bics.length, accounts: accounts.length };
  const isEmpty = Object.values(counts).every((count) => count === 0);
  const answer: object = {
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
  const isBank = (code: string) => directory.findByCode("DE", code) >= 0;
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
  const { outcome, bank } = checkIban(directory, iban, undefined, policy);
  const { status, reason } = ibanOutcomes[outcome];
  return {
    text: text.slice(start, end),
    start,
    end,
    iban,
    valid: status === 1,
    status,
    reason,
    bank: bank?.name ?? "",
    bic: bank?.bic ?? null,
    ...(status === 1 ? { suggestions: [], suggestion_count: 0 } : budget.suggest(iban)),
  };
}
