import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { unlessAbsent } from "../../process/files.ts";
import { DataFileError } from "../files/csv.ts";
import { countryLists, type DatasetName, isDatasetName, retiredDatasets } from "../files/datasets.ts";
import {
  entriesOn,
  type LocalEntries,
  type Override,
  overridesFile,
  readOverridesCsv,
} from "../files/overrides-csv.ts";

/** Name of the manifest in a data folder. */
export const manifestFile = "manifest.json";

/** Whether every data folder holds an edition of a dataset. */
export function isRequired(dataset: DatasetName): boolean {
  return dataset === "blz" || dataset === "banks";
}

/** One edition of one dataset in a data folder. */
export interface DataEdition {
  readonly dataset: DatasetName;
  /** The file in the data folder, in the dataset's normal form. */
  readonly file: string;
  /** First day of validity, `2026-09-07`, or the month that a source names instead, `2025-09`. */
  readonly validFrom: string;
  /** Last day of validity, where the source names it. */
  readonly validUntil?: string;
  /** Digest of the file in hexadecimal; absent for shipped files, which an operator may edit. */
  readonly sha256?: string;
  /** Name of the file it was imported from. */
  readonly source?: string;
  /** When it was imported, ISO 8601. */
  readonly importedAt?: string;
  /** Whether an operator forced its import although it differs suspiciously from the previous edition. */
  readonly forced?: true;
  /** The folder that holds the file, if not that of the manifest; never written. */
  readonly folder?: string;
  /** Whether an operator has withdrawn it: it is no longer used, and the previous one may follow it. */
  readonly withdrawn?: true;
}

/**
 * Lists the editions to use of a data folder; of one that has local entries only, the shipped ones.
 *
 * @throws {DataFileError} as `readManifest`.
 */
export async function readEditions(folder: string): Promise<DataEdition[]> {
  const hasOwn = existsSync(join(folder, manifestFile)) || !existsSync(join(folder, overridesFile));
  if (hasOwn) return readManifest(folder);
  return (await readManifest(shippedData)).map((edition) => ({ ...edition, folder: shippedData }));
}

/**
 * Lists the editions in a data folder, as its `manifest.json` says.
 *
 * @throws {DataFileError} for a damaged manifest; the system's error if it cannot be read.
 */
export async function readManifest(folder: string): Promise<DataEdition[]> {
  const content = await readDataFile(join(folder, manifestFile)).catch((error: NodeJS.ErrnoException) => {
    // The code stays: an import into a new folder begins with no manifest.
    if (error.code === "ENOENT" || error.code === "ENOTDIR") {
      error.message = `${folder} holds no bank data: its ${manifestFile} is missing.`;
    }
    throw error;
  });
  return parseManifest(content.toString());
}

/** Returns the text of a manifest. */
export function manifestText(editions: readonly DataEdition[]): string {
  return `${JSON.stringify({ version: 1, editions }, null, 2)}\n`;
}

/**
 * Returns the edition of a dataset to use on a day: the latest that has begun, or else the first to come.
 *
 * @param day like `2026-09-07`.
 */
export function editionOn(
  editions: readonly DataEdition[],
  dataset: DatasetName,
  day: string,
): DataEdition | undefined {
  return begunEdition(editions, dataset, day) ?? editionsOf(editions, dataset)[0];
}

/** Finds the latest edition of a dataset that has begun on a day; undefined if none has. */
export function begunEdition(
  editions: readonly DataEdition[],
  dataset: DatasetName,
  day: string,
): DataEdition | undefined {
  return editionsOf(editions, dataset).findLast(({ validFrom }) => validFrom <= day);
}

/** Returns the editions of a dataset by their first day, without those that were withdrawn. */
export function editionsOf(editions: readonly DataEdition[], dataset: DatasetName): DataEdition[] {
  return editions
    .filter((edition) => edition.dataset === dataset && edition.withdrawn !== true)
    .sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1));
}

/**
 * Returns the first day after `day` on which an edition begins that follows another one, or the first list of a
 * country; undefined if none does.
 */
function nextChangeAfter(editions: readonly DataEdition[], day: string): string | undefined {
  const followers = editions.filter(
    ({ dataset, validFrom, withdrawn }) =>
      withdrawn !== true &&
      (countryLists.some(({ name }) => name === dataset) ||
        editionsOf(editions, dataset)[0]!.validFrom < validFrom),
  );
  return followers
    .map(({ validFrom }) => validFrom)
    .filter((first) => first > day)
    .sort()[0];
}

/** Returns the first day of the edition that follows another one after a day; null if there is none yet. */
export function nextEditionOf(
  { dataset, validFrom }: DataEdition,
  editions: readonly DataEdition[],
  day: string,
): string | null {
  const next = editionsOf(editions, dataset).find(
    (other) => other.validFrom > validFrom && other.validFrom > day,
  );
  return next?.validFrom ?? null;
}

/** Days of the editions of a folder, relative to the one in use. */
export interface EditionDates {
  /** First days of the editions that an operator has withdrawn. */
  readonly withdrawn?: readonly string[];
  /** First day on which another edition of the folder is used, if there is one. */
  readonly nextChange?: string;
}

/** Returns the dates of a folder's editions relative to those in use on a day. */
export function datesOf(editions: readonly DataEdition[], day: string): EditionDates {
  const nextChange = nextChangeAfter(editions, day);
  const withdrawn = editions.filter((edition) => edition.withdrawn).map(({ validFrom }) => validFrom);
  return {
    ...(withdrawn.length === 0 ? {} : { withdrawn }),
    ...(nextChange === undefined ? {} : { nextChange }),
  };
}

/** Returns a text that is the same for the same editions with the same content, and the same local entries. */
export function keyOf(used: readonly (readonly [DataEdition, string])[], local: readonly Override[]): string {
  const editions = used.map(([{ dataset, validFrom, validUntil, forced }, digest]) =>
    [dataset, validFrom, validUntil, forced, digest].join(" "),
  );
  return [...editions.sort(), ...local.map((entry) => JSON.stringify(entry))].join("\n");
}

/** Reads a file of bank data whole. Rejects if it is a pipe or a device, which may never end. */
export async function readDataFile(path: string | URL): Promise<Buffer> {
  if (!(await stat(path)).isFile()) throw new DataFileError(basename(`${path}`), 1, "it is not a file");
  return readFile(path);
}

/**
 * Reads the file of an edition.
 *
 * @throws {DataFileError} if the file that was imported is missing or is another one; the system's error if it
 *   cannot be read.
 */
export async function readEditionFile(folder: string, edition: DataEdition): Promise<Buffer> {
  const content = await readDataFile(join(edition.folder ?? folder, edition.file)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT" || edition.sha256 === undefined) throw error;
      throw new DataFileError(edition.file, 1, "it is missing");
    },
  );
  if (edition.sha256 !== undefined && sha256(content) !== edition.sha256) {
    throw new DataFileError(edition.file, 1, "it is not the file that was imported: its digest has changed");
  }
  return content;
}

/**
 * Reads the local entries of a data folder, those that have expired too; none where there is no such file.
 *
 * @throws {DataFileError} for a damaged file; the system's error if it cannot be read.
 */
export async function readOverrides(folder: string): Promise<Override[]> {
  const content = await unlessAbsent(readDataFile(join(folder, overridesFile)));
  return content === undefined ? [] : readOverridesCsv(overridesFile, content);
}

/** Reads the local entries of a data folder that are valid on a day. */
export async function localEntries(folder: string, day: string): Promise<LocalEntries> {
  return entriesOn(await readOverrides(folder), day);
}

/** Returns the SHA-256 digest of a file's content in hexadecimal. */
export function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function parseManifest(content: string): DataEdition[] {
  const { version, editions } = Object(parseJson(content)) as Record<string, unknown>;
  if (version !== 1 || !Array.isArray(editions)) {
    throw new DataFileError(manifestFile, 1, "it is not a manifest of version 1");
  }
  const isUsed = (edition: unknown) => !retiredDatasets.includes(Object(edition).dataset);
  const wrong = editions.findIndex((edition) => isUsed(edition) && !isEdition(edition));
  if (wrong >= 0) throw new DataFileError(manifestFile, 1, `its edition number ${wrong + 1} is malformed`);
  const used: DataEdition[] = editions.filter(isUsed);
  const seen = new Set<string>();
  for (const { dataset, validFrom } of used) {
    if (seen.has(`${dataset} ${validFrom}`)) {
      throw new DataFileError(manifestFile, 1, `it lists the edition ${validFrom} of ${dataset} twice`);
    }
    seen.add(`${dataset} ${validFrom}`);
  }
  return used;
}

function isEdition(value: unknown): boolean {
  const { dataset, file, validFrom, validUntil, sha256, source, importedAt, forced, withdrawn } = Object(
    value,
  ) as Record<string, unknown>;
  return (
    isDatasetName(dataset) &&
    // A name without a path: a manifest refers only to files in its folder.
    matches(file, /^[\w-][\w.-]{0,200}$/) &&
    matches(validFrom, /^\d{4}-\d{2}(-\d{2})?$/) &&
    (validUntil === undefined || matches(validUntil, /^\d{4}-\d{2}-\d{2}$/)) &&
    (sha256 === undefined || matches(sha256, /^[0-9a-f]{64}$/)) &&
    (source === undefined || typeof source === "string") &&
    (importedAt === undefined || typeof importedAt === "string") &&
    (forced === undefined || forced === true) &&
    (withdrawn === undefined || withdrawn === true)
  );
}

function matches(value: unknown, form: RegExp): boolean {
  return typeof value === "string" && form.test(value);
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new DataFileError(manifestFile, 1, "not JSON");
  }
}

/** Folder of the bank data that comes with the product. */
export const shippedData = dirname(fileURLToPath(import.meta.resolve("#data/blz.csv")));

/** The settings that say where the bank data is. */
export interface DataFolderSettings {
  /** Empty if none is set. */
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
  const isUsed = [manifestFile, overridesFile].some((file) => existsSync(join(imported, file)));
  return settings.dataDir !== "" || isUsed ? imported : shippedData;
}
