import { fullBic, headOfficeBic } from "../banking/bic.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import type { BankRecord } from "../banks/directory/record.ts";
import { type BicFacts, factsOfBic } from "../banks/lookup/bics.ts";
import type { Language } from "../contract/language.ts";
import { maxListedBanks } from "../contract/limits.ts";
import { type Message, message, textOf } from "../contract/message.ts";
import { formerMessage } from "./bic-check.ts";
import { type LookupBase, reachOf } from "./reach.ts";
import { countryName } from "./search-answer.ts";

/**
 * Returns the facts about a BIC: its parts, the banks and bank codes that use it, and its entries in the registers.
 *
 * A BIC of eight characters is that of the head office. Status 0 if no bank has it and no register names it, with the
 * present one in the message where it is a former one; what is not known is null. Source of the parts: ISO 9362.
 */
export function bicAnswer(base: LookupBase, bic: string, today: string, language: Language): object {
  const { directory, register } = base;
  const full = fullBic(bic);
  const indexes = directory.withBic(full);
  const facts = factsOfBic(register, full);
  const others = indexes.length > 0 ? [] : directory.otherUsers(full);
  const further = others.flatMap(({ bank, former }) => (former === undefined ? [bank] : []));
  const banks = indexes.length > 0 ? banksOf(directory, indexes) : further;
  const office = headOfficeBic(full);
  const isKnown = banks.length > 0 || facts !== undefined;
  const countryCode = full.slice(4, 6);
  const listed = facts?.sepa;
  const { sepa, sepaSource } = banks[0] ?? { sepa: listed ?? null, sepaSource: listed ? "directory" : null };
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
      head_office: headOfficeOf(
        office,
        banksOf(directory, directory.withBic(office)),
        factsOfBic(register, office),
      ),
      banks: banks.slice(0, maxListedBanks).map((bank) => ({
        country: bank.country,
        bank_code: bank.bankCode,
        bank: bank.name,
        zip: bank.zip,
        location: bank.location,
        edition: directory.editionOf(bank.country),
      })),
      bank_count: banks.length,
      sepa_methods: sepa,
      sepa_source: sepaSource,
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
