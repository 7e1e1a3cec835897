import { loadBankData } from "../../src/banks/editions/load.ts";

/** Reads the shipped bank data, of which there is one edition, and builds the directory. */
export async function loadShippedDirectory(dataFolder: string): Promise<SharedArrayBuffer> {
  return (await loadBankData(dataFolder, "")).directory;
}
