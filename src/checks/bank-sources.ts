import { ibanCountryByCode } from "../banking/iban/registry.ts";
import { assumedSepaEdition } from "../banking/sepa.ts";
import type { BankRecord, DirectoryEdition, FactSource } from "../banks/directory/record.ts";
import type { BankSources } from "../contract/api-types.ts";

export const noSources: BankSources = { name: null, bic: null, schemes: null };

/**
 * Returns which list states name, BIC and SEPA schemes of a bank, and of what date.
 *
 * An imported list has the name of its dataset; shipped ones are described in `data/SOURCES.md`. `assumed` stands for
 * schemes that no list states: outside Germany those of the majority of the country's banks.
 */
export function sourcesOf(
  country: string,
  bank: BankRecord | undefined,
  { scl }: DirectoryEdition,
): BankSources {
  return {
    name: bank?.origin?.name ?? null,
    bic: (bank?.bic ?? null) === null ? null : (bank?.origin?.bic ?? null),
    schemes: schemesOf(country, bank, scl ?? null),
  };
}

function schemesOf(country: string, bank: BankRecord | undefined, scl: string | null): FactSource | null {
  if (ibanCountryByCode(country)?.sepa !== true) return null;
  if (bank?.sepaSource === "local") return { list: "local", edition: null };
  if (bank !== undefined && bank.sepaSource !== "assumed") return { list: "scl", edition: scl };
  return { list: "assumed", edition: country === "DE" ? null : assumedSepaEdition };
}
