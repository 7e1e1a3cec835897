import { fileURLToPath } from "node:url";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { loadBankData } from "../../src/banks/editions/load.ts";
import { IbanMix } from "./iban-mix.ts";

const loaded = new Map<string, Promise<SharedArrayBuffer>>();
const shipped = fileURLToPath(new URL("../../data", import.meta.url));

/** Returns the directory of the shipped bank data, of which there is one edition; read once in a process. */
export function loadShippedDirectory(dataFolder = shipped): Promise<SharedArrayBuffer> {
  const directory = loaded.get(dataFolder) ?? loadBankData(dataFolder, "").then((data) => data.directory);
  loaded.set(dataFolder, directory);
  return directory;
}

/** Returns a mix of IBANs over the shipped bank data, the same in every run. */
export async function shippedMix(): Promise<IbanMix> {
  return new IbanMix(new BankDirectory(await loadShippedDirectory()));
}
