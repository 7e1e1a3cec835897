import { headOfficeBic } from "../banking/bic.ts";
import type { BankRecord } from "../banks/directory/record.ts";
import type { Edition } from "../banks/editions/edition-file.ts";
import { type BicRegister, factsOfBic, type Scheme } from "../banks/lookup/bics.ts";
import type { SepaReach } from "../contract/api-types.ts";
import type { Language } from "../contract/language.ts";
import { textOf } from "../contract/message.ts";
import { noSources, sourcesOf } from "./bank-findings.ts";
import { countryOf } from "./country-checks.ts";
import { countryName, foundMessage } from "./search-answer.ts";

export type LookupBase = Pick<Edition, "directory" | "register">;

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

/**
 * Returns the reach of a bank by scheme; `bic` is null if it is not known, `today` is a day in Berlin.
 *
 * The registers list participants: a branch that they do not list has the reach of its head office, as with SEPA flags
 * of a clearing directory. A bank is reachable on the days from `since` to before `until`. Null without a BIC, and if no
 * register of the scheme is loaded.
 */
export function reachOf(register: BicRegister, bic: string | null, today: string): SepaReach {
  const facts = bic === null ? [] : [bic, headOfficeBic(bic)].map((one) => factsOfBic(register, one));
  const of = (scheme: Scheme) => {
    const edition = register.editions[scheme];
    if (edition === undefined || bic === null) return null;
    const term = facts.find((known) => known?.schemes[scheme] !== undefined)?.schemes[scheme];
    const { since, until } = term ?? { since: null, until: null };
    const isMember =
      term !== undefined && (since === null || since <= today) && (until === null || today < until);
    return { reachable: isMember ? 1 : 0, since, until, edition } as const;
  };
  return { sct_inst: of("sct_inst"), vop: of("vop") };
}
