import type { BankRecord } from "../banks/directory/record.ts";
import type { Language } from "../contract/language.ts";
import { textOf } from "../contract/message.ts";
import { noSources, sourcesOf } from "./bank-sources.ts";
import { countryOf } from "./country-checks.ts";
import { type LookupBase, reachOf } from "./reach.ts";
import { countryName, foundMessage } from "./search-answer.ts";

/**
 * Returns the bank of a country's bank code. Leading zeros may be left out where the code is digits only.
 *
 * @throws {RequestError} invalid_request for a country that is not in the IBAN registry.
 */
export function bankAnswer(
  base: LookupBase,
  country: string,
  bankCode: string,
  today: string,
  language: Language,
): object {
  const { directory, register } = base;
  const registered = countryOf(country);
  const code = /^\d+$/.test(bankCode)
    ? bankCode.padStart(registered.bank.length, "0")
    : bankCode.toUpperCase();
  const index = directory.findByCode(registered.code, code);
  const bank: BankRecord | undefined = index < 0 ? undefined : directory.record(index);
  return {
    status: bank === undefined ? 0 : 1,
    message: textOf(foundMessage(bank === undefined ? 0 : 1), language),
    data: {
      country: registered.code,
      country_name: countryName(registered.code, language),
      bank_code: code,
      bank: bank?.name ?? "",
      short_name: bank?.shortName || null,
      bic: bank?.bic ?? null,
      bics: bank === undefined ? [] : directory.bics(bank),
      zip: bank?.zip ?? "",
      location: bank?.location ?? "",
      check_digit_method: bank?.method ?? null,
      iban_rule: bank?.rule ?? null,
      iban_rule_source: bank?.ruleSource ?? null,
      deletion_marked: bank?.deleteMark ?? null,
      successor: bank?.successor ?? null,
      sepa_methods: bank?.sepa ?? null,
      sepa_source: bank?.sepaSource ?? null,
      sepa_reach: reachOf(register, bank?.bic ?? null, today),
      edition: directory.editionOf(registered.code),
      sources: bank === undefined ? noSources : sourcesOf(registered.code, bank, directory.edition),
    },
  };
}
