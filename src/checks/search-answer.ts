import { ibanCountryByCode } from "../banking/iban/registry.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import type { BankQuery, bankSearch } from "../banks/search/bank-search.ts";
import { type Language, regionName } from "../contract/language.ts";
import { type Message, message, textOf } from "../contract/message.ts";

export function foundMessage(count: number): Message {
  return message(count === 0 ? "no_bank_found" : count === 1 ? "bank_found" : "banks_found");
}

/** What is searched for, and how many of the results a page passes over. */
export interface SearchQuestion extends BankQuery {
  readonly offset?: number;
}

/**
 * Searches banks and returns the answer object, its fields in the specified order.
 *
 * Status 1 where something was found, 0 if nothing; `results.count` is the number of items, `results.total` how
 * many matched before `max` cut them. Beyond the specified fields an item has `short_name` (null if not known) and
 * `main`, false for a further location; `country` and `bank_code` where countries or a BIC are requested. Source: interface specification, section "Search success response".
 */
export function searchAnswer(
  directory: BankDirectory,
  search: ReturnType<typeof bankSearch>,
  { offset = 0, ...query }: SearchQuestion,
  language: Language,
): object {
  const { total, records } = search({ ...query, max: query.max + offset });
  const isWide = query.countries !== undefined || query.bic !== undefined;
  const items = records.slice(offset).map((index) => {
    const { zip, location, name, country, bankCode, bic, shortName, main } = directory.record(index);
    const item = { zip, location, bank: name, blz: bankCode, bic, short_name: shortName || null, main };
    return isWide ? { ...item, country, bank_code: bankCode } : item;
  });
  return {
    status: total > 0 ? 1 : 0,
    message: textOf(foundMessage(total), language),
    results: { count: items.length, items, total },
  };
}

/** Returns a country's name, in English as the IBAN registry writes it if it has the country. */
export function countryName(code: string, language: Language): string {
  const registered = language === "en" ? ibanCountryByCode(code) : undefined;
  return registered?.name ?? regionName(language, code);
}
