import { fileURLToPath } from "node:url";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { loadBankData } from "../../src/banks/editions/load.ts";
import { IbanMix } from "./iban-mix.ts";

type LoadedData = Awaited<ReturnType<typeof loadBankData>>;
const loaded = new Map<string, Promise<LoadedData>>();
const shipped = fileURLToPath(new URL("../../data", import.meta.url));

/** Returns the shipped bank data, of which there is one edition; read once in a process. */
export function loadShippedData(dataFolder = shipped): Promise<LoadedData> {
  const data = loaded.get(dataFolder) ?? loadBankData(dataFolder, "");
  loaded.set(dataFolder, data);
  return data;
}

/** Returns the directory of the shipped bank data. */
export async function loadShippedDirectory(dataFolder = shipped): Promise<SharedArrayBuffer> {
  return (await loadShippedData(dataFolder)).directory;
}

/** Returns a mix of IBANs over the shipped bank data, the same in every run. */
export async function shippedMix(): Promise<IbanMix> {
  return new IbanMix(new BankDirectory(await loadShippedDirectory()));
}
