import { join } from "node:path";
import { DataFileError, readDataFile } from "../files/data-file.ts";
import { countriesOf, type DatasetName, isDatasetName, retiredDatasets } from "../files/datasets.ts";

export const manifestFile = "manifest.json";

/** Whether every data folder holds an edition of a dataset. */
export function isRequired(dataset: DatasetName): boolean {
  return dataset === "blz" || dataset === "banks";
}

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
  readonly importedAt?: string;
  /** Whether an operator forced its import although it differs suspiciously from the previous edition. */
  readonly forced?: true;
  /** The folder that holds the file, if not that of the manifest; never written. */
  readonly folder?: string;
  /** Whether an operator has withdrawn it: it is no longer used, and the previous one may follow it. */
  readonly withdrawn?: true;
}

/** Returns the editions of a dataset by their first day, without those that were withdrawn. */
export function editionsOf(editions: readonly DataEdition[], dataset: DatasetName): DataEdition[] {
  return editions
    .filter((edition) => edition.dataset === dataset && edition.withdrawn !== true)
    .sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1));
}

/**
 * Finds the edition of a dataset to use on a day: the latest that has begun, or else the first to come; and the first day
 * of the next one, null if there is none yet. Only the list of a country is not used before it has begun, since `banks` has
 * the banks of all countries.
 */
export function editionInUse(editions: readonly DataEdition[], dataset: DatasetName, day: string) {
  const all = editionsOf(editions, dataset);
  const first = countriesOf(dataset).length > 0 ? -1 : 0;
  const index = Math.max(
    first,
    all.findLastIndex(({ validFrom }) => validFrom <= day),
  );
  return { edition: all[index], next: all[index + 1]?.validFrom ?? null };
}

/** Lists the editions in a data folder. Throws a DataFileError for a damaged manifest. */
export async function readManifest(folder: string): Promise<DataEdition[]> {
  const content = await readDataFile(join(folder, manifestFile)).catch((error: NodeJS.ErrnoException) => {
    // The code stays: an import into a new folder begins with no manifest.
    if (error.code === "ENOENT" || error.code === "ENOTDIR") {
      error.message = `${folder} holds no bank data: its ${manifestFile} is missing.`;
    }
    throw error;
  });
  const fault = (reason: string) => new DataFileError(manifestFile, 1, reason);
  let parsed: unknown;
  try {
    parsed = JSON.parse(content.toString());
  } catch {
    throw fault("not JSON");
  }
  const { version, editions } = Object(parsed) as Record<string, unknown>;
  if (version !== 1 || !Array.isArray(editions)) throw fault("it is not a manifest of version 1");
  const isUsed = (edition: unknown) => !retiredDatasets.includes(Object(edition).dataset);
  const wrong = editions.findIndex((edition) => isUsed(edition) && !isEdition(Object(edition)));
  if (wrong >= 0) throw fault(`its edition number ${wrong + 1} is malformed`);
  const used: DataEdition[] = editions.filter(isUsed);
  const names = used.map(({ dataset, validFrom }) => `${validFrom} of ${dataset}`);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw fault(`it lists the edition ${twice} twice`);
  return used;
}

export function manifestText(editions: readonly DataEdition[]): string {
  return `${JSON.stringify({ version: 1, editions }, null, 2)}\n`;
}

function isEdition(value: Readonly<Record<string, unknown>>): boolean {
  const { dataset, file, validFrom, validUntil, sha256, source, importedAt, forced, withdrawn } = value;
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
