import type { DirectoryParts } from "../../src/banks/directory/directory-layout.ts";
import { loadBankData } from "../../src/banks/editions/load.ts";
import { dataFolder } from "../banks/shipped.ts";
import { IbanMix } from "./iban-mix.ts";

let loaded: ReturnType<typeof loadBankData> | undefined;

/** Returns the shipped bank data, of which there is one edition; read once in a process. */
export function loadShippedData(): ReturnType<typeof loadBankData> {
  loaded ??= loadBankData(dataFolder, "");
  return loaded;
}

/** Returns the directory of the shipped bank data. */
export async function loadShippedDirectory(): Promise<DirectoryParts> {
  return (await loadShippedData()).directory.parts;
}

/** Returns a mix of IBANs over the shipped bank data, the same in every run. */
export async function shippedMix(): Promise<IbanMix> {
  return new IbanMix((await loadShippedData()).directory);
}
