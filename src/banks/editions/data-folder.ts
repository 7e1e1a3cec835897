import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { unlessAbsent } from "../../process/files.ts";
import type { Settings } from "../../settings-table.ts";
import { DataFileError, readDataFile } from "../files/data-file.ts";
import { type Override, overridesFile, readOverridesCsv } from "../files/overrides-csv.ts";
import { type DataEdition, manifestFile, readManifest } from "./manifest.ts";

/** Folder of the bank data that comes with the product. */
export const shippedData = dirname(fileURLToPath(import.meta.resolve("#data/blz.csv")));

/** The settings that say where the bank data is; `dataDir` is empty if none is set. */
type DataFolderSettings = Pick<Settings, "dataDir" | "stateDir">;

export function importFolder({ dataDir, stateDir }: DataFolderSettings): string {
  return dataDir || join(stateDir, "data");
}

/** Returns the folder of the bank data in use: the one set, or else the one imported to, or else the shipped one. */
export function dataFolderOf(settings: DataFolderSettings): string {
  const imported = importFolder(settings);
  const isUsed = [manifestFile, overridesFile].some((file) => existsSync(join(imported, file)));
  return settings.dataDir !== "" || isUsed ? imported : shippedData;
}

/** Lists the editions to use of a data folder; of one that has local entries only, the shipped ones. */
export async function readEditions(folder: string): Promise<DataEdition[]> {
  const hasOwn = existsSync(join(folder, manifestFile)) || !existsSync(join(folder, overridesFile));
  return hasOwn ? readManifest(folder) : shippedEditions();
}

export async function shippedEditions(): Promise<DataEdition[]> {
  return (await readManifest(shippedData)).map((edition) => ({ ...edition, folder: shippedData }));
}

/** Reads the file of an edition. Throws a DataFileError if the one that was imported is missing or has changed. */
export async function readEditionFile(
  folder: string,
  { file, sha256: digest, folder: own = folder }: DataEdition,
): Promise<Buffer> {
  if (digest === undefined) return readDataFile(join(own, file));
  const content = await unlessAbsent(readDataFile(join(own, file)));
  if (content === undefined) throw new DataFileError(file, 1, "it is missing");
  if (sha256(content) === digest) return content;
  throw new DataFileError(file, 1, "it is not the file that was imported: its digest has changed");
}

/** Reads the local entries of a data folder, those that have expired too; none where there is no such file. */
export async function readOverrides(folder: string): Promise<Override[]> {
  const content = await unlessAbsent(readDataFile(join(folder, overridesFile)));
  return content === undefined ? [] : readOverridesCsv(overridesFile, content);
}

export function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
