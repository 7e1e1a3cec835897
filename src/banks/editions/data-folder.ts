import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Settings } from "../../settings-table.ts";
import { overridesFile } from "../files/overrides-csv.ts";
import { type DataEdition, manifestFile, readManifest } from "./manifest.ts";

/**
 * Lists the editions to use of a data folder; of one that has local entries only, the shipped ones.
 *
 * @throws {DataFileError} as `readManifest`.
 */
export async function readEditions(folder: string): Promise<DataEdition[]> {
  const hasOwn = existsSync(join(folder, manifestFile)) || !existsSync(join(folder, overridesFile));
  return hasOwn ? readManifest(folder) : shippedEditions();
}

/** Lists the shipped editions. */
export async function shippedEditions(): Promise<DataEdition[]> {
  return (await readManifest(shippedData)).map((edition) => ({ ...edition, folder: shippedData }));
}

/** Folder of the bank data that comes with the product. */
export const shippedData = dirname(fileURLToPath(import.meta.resolve("#data/blz.csv")));

/** The settings that say where the bank data is; `dataDir` is empty if none is set. */
type DataFolderSettings = Pick<Settings, "dataDir" | "stateDir">;

/** Returns the folder that bank data is imported to. */
export function importFolder({ dataDir, stateDir }: DataFolderSettings): string {
  return dataDir || join(stateDir, "data");
}

/** Returns the folder of the bank data in use: the one set, or else the one imported to, or else the shipped one. */
export function dataFolderOf(settings: DataFolderSettings): string {
  const imported = importFolder(settings);
  const isUsed = [manifestFile, overridesFile].some((file) => existsSync(join(imported, file)));
  return settings.dataDir !== "" || isUsed ? imported : shippedData;
}
