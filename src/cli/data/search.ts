import { BankDirectory } from "../../banks/directory/directory.ts";
import { loadBankData } from "../../banks/editions/load.ts";
import { BankSearch } from "../../banks/search/bank-search.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandFailure, columns } from "../program.ts";
import type { DataPlace } from "./command.ts";

/** How a search is narrowed. */
export interface SearchOptions {
  readonly location?: string;
  readonly max: number;
}

/** Searches German banks by name, and town, in the edition in use. */
export async function search(
  { folder, today }: DataPlace,
  name: string,
  { location, max }: SearchOptions,
): Promise<void> {
  const directory = new BankDirectory((await loadBankData(folder, today)).directory);
  const query = { name, max, ...(location === undefined ? {} : { location }) };
  const { total, records } = new BankSearch(directory).find(query);
  if (total === 0)
    throw new CommandFailure(`No bank was found for ${JSON.stringify(name)}.`, exitCodes.notValid.code);
  const rows = [...records].map((index) => {
    const bank = directory.record(index);
    return [bank.bankCode, bank.bic ?? "", bank.name, bank.zip, bank.location, bank.method ?? ""];
  });
  process.stdout.write(columns(["BLZ", "BIC", "NAME", "ZIP", "TOWN", "METHOD"], rows));
  if (total > rows.length) process.stdout.write(`${rows.length} of ${total}\n`);
}
