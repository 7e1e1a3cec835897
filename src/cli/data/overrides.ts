import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import { readOverrides } from "../../banks/editions/data-folder.ts";
import { loadBankData } from "../../banks/editions/load.ts";
import { isExpired, keyOf, type Override, overrideFault } from "../../banks/files/overrides-csv.ts";
import { changeOverrides } from "../../banks/import/store.ts";
import { CommandFailure, exitCodes } from "../exit-codes.ts";
import { columns } from "../program.ts";
import type { DataContext } from "./import.ts";

/** Stores facts about a bank that are used in place of those in the lists; facts set before stay. */
export async function setOverride(
  context: DataContext,
  country: string,
  code: string,
  options: Partial<Record<"name" | "bic" | "schemes" | "validUntil", string>> & { add?: boolean },
): Promise<void> {
  const { name, bic, schemes, validUntil, add = false } = options;
  const key = bankKey(country, code);
  const plain = (text: string | undefined) => text?.replace(/\s/g, "");
  const facts = {
    name: name?.trim(),
    bic: plain(bic)?.toUpperCase(),
    schemes: plain(schemes)?.toLowerCase(),
  };
  const stated = Object.entries({ ...facts, validUntil }).filter(([, text]) => text !== undefined);
  const empty = stated.find(([, text]) => text === "");
  if (empty !== undefined) throw new CommandFailure(`--${empty[0]} needs a text that is not empty.`);
  let stored: Override | undefined;
  const { directory } = await loadBankData(context.folder, context.today);
  const isKnown = directory.findByCode(key.country, key.bankCode) >= 0;
  await changeOverrides(context.importFolder, (entries) => {
    const before = entries.find((entry) => keyOf(entry) === keyOf(key));
    const unstated = { ...key, name: "", bic: "", schemes: "", validUntil: "" };
    const entry: Override = { ...unstated, ...before, ...Object.fromEntries(stated) };
    const fault = overrideFault(entry);
    if (fault !== undefined) throw new CommandFailure(`${keyOf(key)}: ${fault}.`);
    if (!isKnown && before === undefined && !add)
      throw new CommandFailure(`No list has ${keyOf(key)}; --add with a --name makes it a bank.`);
    if (!isKnown && entry.name === "")
      throw new CommandFailure(`No list has ${keyOf(key)}: a bank that is added needs a --name.`);
    stored = entry;
    return [...entries.filter((one) => one !== before), entry];
  });
  process.stdout.write(factsText([stored!], context.today));
  const use = isExpired(stored!, context.today)
    ? "Not used: its last day is past"
    : "A running service uses it within seconds";
  process.stdout.write(`Stored in ${context.importFolder}. ${use}.\n`);
}

/** Removes the facts about a bank that were set, so that the lists state them again. */
export async function unsetOverride(
  { importFolder }: DataContext,
  country: string,
  code: string,
): Promise<void> {
  const key = bankKey(country, code);
  await changeOverrides(importFolder, (entries) => {
    const left = entries.filter((entry) => keyOf(entry) !== keyOf(key));
    if (left.length < entries.length) return left;
    throw new CommandFailure(`${keyOf(key)} has no local entry.`, exitCodes.notValid.code);
  });
  process.stdout.write(`${keyOf(key)} no longer has a local entry.\n`);
}

export async function listOverrides({ importFolder, today }: DataContext): Promise<void> {
  const entries = await readOverrides(importFolder);
  process.stdout.write(entries.length === 0 ? "No local entries.\n" : factsText(entries, today));
}

function factsText(entries: readonly Override[], today: string): string {
  const rows = entries.map((entry) => {
    const { name, bic, schemes, validUntil } = entry;
    return [keyOf(entry), name, bic, schemes, validUntil, isExpired(entry, today) ? "expired" : "in use"];
  });
  return columns(["BANK CODE", "NAME", "BIC", "SCHEMES", "UNTIL", "STATE"], rows);
}

/** Reads country and bank code as people write them; leading zeros may be left out, which no German one has. */
function bankKey(country: string, code: string): Pick<Override, "country" | "bankCode"> {
  const registered = ibanCountryByCode(country.toUpperCase());
  if (registered === undefined)
    throw new CommandFailure(`${country} is not a country with bank codes in the IBAN registry.`);
  const bankCode = code.replace(/\s/g, "").toUpperCase();
  if (registered.code === "DE" && !/^\d{8}$/.test(bankCode))
    throw new CommandFailure(`A German bank code has 8 digits, unlike ${code}.`);
  const digits = /^\d+$/.test(bankCode) ? registered.bank.length : 0;
  return { country: registered.code, bankCode: bankCode.padStart(digits, "0") };
}
