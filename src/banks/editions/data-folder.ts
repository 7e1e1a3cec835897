import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestFile } from "./manifest.ts";

/** Folder of the bank data that comes with the product. */
export const shippedData = dirname(fileURLToPath(import.meta.resolve("#data/blz.csv")));

/** The settings that say where the bank data is. */
export interface DataFolderSettings {
  /** Empty where none is set. */
  readonly dataDir: string;
  readonly stateDir: string;
}

/** Returns the folder that bank data is imported to. */
export function importFolder({ dataDir, stateDir }: DataFolderSettings): string {
  return dataDir || join(stateDir, "data");
}

/** Returns the folder of the bank data in use: the one set, or else the one imported to, or else the shipped one. */
export function dataFolderOf(settings: DataFolderSettings): string {
  const imported = importFolder(settings);
  return settings.dataDir !== "" || existsSync(join(imported, manifestFile)) ? imported : shippedData;
}
