import { loadBankData } from "../../src/banks/editions/load.ts";

const loaded = new Map<string, Promise<SharedArrayBuffer>>();

/** Returns the directory of the shipped bank data, of which there is one edition; read once in a process. */
export function loadShippedDirectory(dataFolder: string): Promise<SharedArrayBuffer> {
  const directory = loaded.get(dataFolder) ?? loadBankData(dataFolder, "").then((data) => data.directory);
  loaded.set(dataFolder, directory);
  return directory;
}
