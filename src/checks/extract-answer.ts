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
  const placed = ({ start, end }: FoundIban | FoundAccount) => ({ text: text.slice(start, end), start, end });
  const ibans = found.ibans.map((iban) => ({ ...placed(iban), ...ibanFacts(filters, iban, budget) }));
  const bics = found.bics.map((bic) => ({ text: text.slice(bic.start, bic.end), ...bic }));
  const accounts = found.accounts.map((account) => ({
    ...placed(account),
    ...accountFacts(filters, account),
  }));
  const numbers = countedText({ ibans, bics, accounts }, language);
  const said = numbers === "" ? message("nothing_extracted") : message("numbers_extracted", { numbers });
  const answer: object = {
    status: numbers === "" ? 0 : 1,
    message: textOf(said, language),
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

type Found = Readonly<Record<keyof typeof foundNouns, readonly object[]>>;

/** Says how many of each were found, as in `1 IBAN and 2 BICs`; empty if there are none. */
function countedText(found: Found, language: Language): string {
  const parts = (["ibans", "bics", "accounts"] as const).flatMap((kind) => {
    const [one, many] = foundNouns[kind][language];
    const { length } = found[kind];
    return length === 0 ? [] : [`${length} ${length === 1 ? one : many}`];
  });
  return new Intl.ListFormat(language).format(parts);
}

/** Where either number may be the bank code, it is the one that the directory has. */
function accountFacts({ directory }: BankFilters, found: FoundAccount) {
  const { country, account, bankCode, inAnyOrder } = found;
  const isBank = (code: string) => directory.findByCode("DE", code) >= 0;
  const isSwapped = inAnyOrder === true && !isBank(bankCode) && isBank(account);
  const numbers = isSwapped ? { bank_code: account, account: bankCode } : { bank_code: bankCode, account };
  return { country, ...numbers };
}

function ibanFacts(filters: BankFilters, { iban }: FoundIban, budget: CorrectionBudget) {
  const { directory, policy } = filters;
  const { outcome, bank } = checkIban(directory, iban, undefined, policy);
  const { status, reason } = ibanOutcomes[outcome];
  return {
    iban,
    valid: status === 1,
    status,
    reason,
    bank: bank?.name ?? "",
    bic: bank?.bic ?? null,
    ...(status === 1 ? { suggestions: [], suggestion_count: 0 } : budget.suggest(iban)),
  };
}
