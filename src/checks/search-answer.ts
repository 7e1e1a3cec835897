import type { BankDirectory } from "../banks/directory/directory.ts";
import type { BankQuery, BankSearch } from "../banks/search/bank-search.ts";
import { message, textOf } from "../contract/message.ts";
import type { Language } from "../contract/messages.ts";

const found = { status: 1, told: message("banks_found") } as const;
const nothingFound = { status: 0, told: message("no_bank_found") } as const;

/**
 * Searches banks and gives the answer object, its fields in the specified order.
 *
 * Status 1 where something was found, 0 where nothing; `results.count` is the number of items, `results.total` how
 * many matched before `max` cut them. Beyond the specified fields an item has `short_name` (null where not known) and
 * `main`, false for a further location; `country` and `bank_code` where countries or a BIC are asked for. Source: interface specification, section "Search success response".
 */
export function searchAnswer(
  directory: BankDirectory,
  search: BankSearch,
  query: BankQuery,
  language: Language,
): object {
  const { total, records } = search.find(query);
  const { status, told } = total > 0 ? found : nothingFound;
  const isWide = query.countries !== undefined || query.bic !== undefined;
  const items = records.map((index) => itemOf(directory, index, isWide));
  return { status, message: textOf(told, language), results: { count: items.length, items, total } };
}

function itemOf(directory: BankDirectory, index: number, isWide: boolean): object {
  const { zip, location, name, country, bankCode, bic, shortName, main } = directory.record(index);
  const item = { zip, location, bank: name, blz: bankCode, bic, short_name: shortName || null, main };
  return isWide ? { ...item, country, bank_code: bankCode } : item;
}
