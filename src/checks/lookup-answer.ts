import type { FromSchema } from "json-schema-to-ts";
import { fullBic, headOfficeBic } from "../banking/bic.ts";
import { ibanCountryByCode } from "../banking/iban/registry.ts";
import { asciiBytes } from "../banking/mod97.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import type { BankRecord } from "../banks/directory/record.ts";
import type { BicFacts, BicIndex, BicRegister, Scheme } from "../banks/lookup/bics.ts";
import type { BankQuery, BankSearch } from "../banks/search/bank-search.ts";
import { type Language, regionName } from "../contract/language.ts";
import { maxListedBanks } from "../contract/limits.ts";
import { type Message, message, textOf } from "../contract/message.ts";
import type { sepaReach } from "../contract/schema/check-data-schemas.ts";
import { noSources, sourcesOf } from "./bank-sources.ts";
import { countryNotRegistered, countryOf } from "./country-checks.ts";
import { formerMessage } from "./iban-check.ts";

/**
 * Returns the reach of a bank by scheme; `bic` is null if it is not known, `today` is a day in Berlin.
 *
 * The registers list participants: a branch that they do not list has the reach of its head office, as with SEPA flags
 * of a clearing directory. A bank is reachable on the days from `since` to before `until`. Null without a BIC, and if no
 * register of the scheme is loaded.
 */
export function reachOf(
  register: BicRegister,
  bic: string | null,
  today: string,
): FromSchema<typeof sepaReach> {
  const facts = bic === null ? [] : [register.find(bic), register.find(headOfficeBic(bic))];
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

function foundMessage(count: number): Message {
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
  search: BankSearch,
  { offset = 0, ...query }: SearchQuestion,
  language: Language,
): object {
  const { total, records } = search.find({ ...query, max: query.max + offset });
  const isWide = query.countries !== undefined || query.bic !== undefined;
  const items = records.slice(offset).map((index) => itemOf(directory, index, isWide));
  return {
    status: total > 0 ? 1 : 0,
    message: textOf(foundMessage(total), language),
    results: { count: items.length, items, total },
  };
}

function itemOf(directory: BankDirectory, index: number, isWide: boolean): object {
  const { zip, location, name, country, bankCode, bic, shortName, main } = directory.record(index);
  const item = { zip, location, bank: name, blz: bankCode, bic, short_name: shortName || null, main };
  return isWide ? { ...item, country, bank_code: bankCode } : item;
}

/** Returns a country's name, in English as the IBAN registry writes it if it has the country. */
function countryName(code: string, language: Language): string {
  const registered = language === "en" ? ibanCountryByCode(code) : undefined;
  return registered?.name ?? regionName(language, code);
}

/** Data that look-ups read. */
interface LookupBase {
  readonly directory: BankDirectory;
  readonly bics: BicIndex;
  readonly register: BicRegister;
}

/**
 * Returns the facts about a BIC: its parts, the banks and bank codes that use it, and its entries in the registers.
 *
 * A BIC of eight characters is that of the head office. Status 0 if no bank has it and no register names it, with the
 * present one in the message where it is a former one; what is not known is null. Source of the parts: ISO 9362.
 */
export function bicAnswer(base: LookupBase, bic: string, today: string, language: Language): object {
  const { directory, bics, register } = base;
  const full = fullBic(bic);
  const indexes = bics.find(full);
  const facts = register.find(full);
  const others = indexes.length > 0 ? [] : directory.otherUsers(full);
  const ofOthers = others.filter(({ former }) => former === undefined).map(({ bank }) => bank);
  const banks = indexes.length > 0 ? banksOf(directory, indexes) : ofOthers;
  const office = headOfficeBic(full);
  const isKnown = banks.length > 0 || facts !== undefined;
  const countryCode = full.slice(4, 6);
  return {
    status: isKnown ? 1 : 0,
    message: textOf(isKnown ? message("bic_found") : unknownBicMessage(others), language),
    data: {
      bic: full,
      institution: full.slice(0, 4),
      country: countryCode,
      country_name: countryName(countryCode, language),
      location_code: full.slice(6, 8),
      branch: full.slice(8),
      is_head_office: full.endsWith("XXX"),
      name: facts?.name ?? commonestName(banks),
      location: facts?.location ?? shared(banks, "location"),
      head_office: headOfficeOf(office, banksOf(directory, bics.find(office)), register.find(office)),
      banks: banks.slice(0, maxListedBanks).map((bank) => ({
        country: bank.country,
        bank_code: bank.bankCode,
        bank: bank.name,
        zip: bank.zip,
        location: bank.location,
        edition: directory.editionOf(bank.country),
      })),
      bank_count: banks.length,
      sepa_methods: banks[0]?.sepa ?? null,
      sepa_source: banks[0]?.sepaSource ?? null,
      sepa_reach: reachOf(register, full, today),
      edition: directory.edition.german,
    },
  };
}

function unknownBicMessage(users: ReturnType<BankDirectory["otherUsers"]>): Message {
  const { bank, former } = users.find((user) => user.bank.bic !== null) ?? users[0] ?? {};
  return former === undefined ? message("bic_unknown") : formerMessage(bank!.bic, former);
}

/** A head office has the name and town that a register states, or on which the lists of all its bank codes agree. */
function headOfficeOf(bic: string, banks: readonly BankRecord[], facts: BicFacts | undefined): object | null {
  if (banks.length === 0 && facts === undefined) return null;
  return {
    bic,
    name: facts?.name ?? shared(banks, "name"),
    location: facts?.location ?? shared(banks, "location"),
  };
}

/** Returns the name that most of the bank codes have. */
function commonestName(banks: readonly BankRecord[]): string | null {
  const counts = new Map<string, number>();
  for (const { name } of banks) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [commonest] = [...counts].sort(([, one], [, other]) => other - one);
  return commonest?.[0] ?? null;
}

/** Returns the text that all banks have in common; null if they differ or it is not known. */
function shared(banks: readonly BankRecord[], field: "name" | "location"): string | null {
  const [first, ...others] = new Set(banks.map((bank) => bank[field]));
  return others.length === 0 && first ? first : null;
}

/** Returns one record for each bank code, of a German one the main record, which precedes its further locations. */
function banksOf(directory: BankDirectory, indexes: Uint32Array): readonly BankRecord[] {
  const byCode = new Map<string, BankRecord>();
  for (const index of indexes) {
    const bank = directory.record(index);
    const code = `${bank.country} ${bank.bankCode}`;
    if (!byCode.has(code)) byCode.set(code, bank);
  }
  return [...byCode.values()];
}

/**
 * Returns the bank of a country's bank code. Leading zeros may be left out where the code is digits only.
 *
 * @throws {RequestError} invalid_request for a country that is not in the IBAN registry or has no bank codes.
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
  if (registered.bank === null) throw countryNotRegistered();
  const code = /^\d+$/.test(bankCode)
    ? bankCode.padStart(registered.bank.length, "0")
    : bankCode.toUpperCase();
  const index = directory.findByBankCode(registered.index, asciiBytes(code), 0, code.length);
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
      bics: index < 0 ? [] : directory.bics(index),
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
      sources:
        bank === undefined
          ? noSources
          : sourcesOf(registered.code, bank, directory.origin(index), directory.edition),
    },
  };
}
