import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import { BankDirectory } from "../../banks/directory/directory.ts";
import { loadBankData } from "../../banks/editions/load.ts";
import { BankSearch } from "../../banks/search/bank-search.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandFailure, columns } from "../program.ts";
import type { DataPlace } from "./command.ts";

/** How a search is narrowed. */
export interface SearchOptions {
  /** Codes of the countries separated by commas, or `*` for all. */
  readonly country: string;
  readonly location?: string;
  readonly max: number;
}

/** Searches banks by name, and town, in the edition in use. */
export async function search(
  { folder, today }: DataPlace,
  name: string,
  { country, location, max }: SearchOptions,
): Promise<void> {
  const directory = new BankDirectory((await loadBankData(folder, today)).directory);
  const query = {
    name,
    max,
    countries: countriesOf(country),
    ...(location === undefined ? {} : { location }),
  };
  const { total, records } = new BankSearch(directory).find(query);
  if (total === 0)
    throw new CommandFailure(`No bank was found for ${JSON.stringify(name)}.`, exitCodes.notValid.code);
  const rows = [...records].map((index) => {
    const bank = directory.record(index);
    const { bankCode, bic, zip, location: town, method } = bank;
    return [bank.country, bankCode, bic ?? "", bank.name, zip, town, method ?? ""];
  });
  process.stdout.write(columns(["COUNTRY", "CODE", "BIC", "NAME", "ZIP", "TOWN", "METHOD"], rows));
  if (total > rows.length) process.stdout.write(`${rows.length} of ${total}\n`);
}

function countriesOf(given: string): readonly string[] | "*" {
  const codes = given.toUpperCase().replace(/\s/g, "");
  if (codes === "*") return codes;
  const countries = codes.split(",");
  const unknown = countries.find((code) => ibanCountryByCode(code) === undefined);
  if (unknown === undefined) return countries;
  throw new CommandFailure(
    `${JSON.stringify(unknown)} is not a country of the IBAN registry; --country takes ISO codes separated by commas, as in AT,CH, or *.`,
    exitCodes.unusable.code,
  );
}
