import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { withFileLock } from "../../process/file-lock.ts";
import { makeFolder, replaceFile, unlessAbsent } from "../../process/files.ts";
import { readOverrides, sha256, shippedData } from "../editions/data-folder.ts";
import {
  type DataEdition,
  editionsOf,
  isRequired,
  manifestFile,
  manifestText,
  readManifest,
} from "../editions/manifest.ts";
import { readDataFile } from "../files/data-file.ts";
import type { DatasetName } from "../files/datasets.ts";
import { keyOf, type Override, overridesFile, overridesText } from "../files/overrides-csv.ts";
import type { PreparedImport } from "./import-file.ts";

/** Changes of several processes come one after the other, and readers see the old files or the new ones. */
function locked<Result>(folder: string, change: () => Promise<Result>): Promise<Result> {
  return withFileLock(join(folder, "manifest.lock"), change);
}

/**
 * Puts an edition into a data folder, in the place of the one of the same dataset and day, if there is one.
 *
 * A folder without any editions begins with the shipped ones. First the file is there, whole and on the disk, then the
 * manifest lists it in one step: a crash at any moment leaves the old editions or the new ones.
 */
export async function storeEdition(
  folder: string,
  { edition: fresh, content }: Pick<PreparedImport, "edition" | "content">,
  now: Date,
): Promise<DataEdition> {
  makeFolder(folder);
  return locked(folder, async () => {
    const digest = sha256(content);
    const edition: DataEdition = {
      ...fresh,
      file: `${fresh.dataset}-${fresh.validFrom}-${digest.slice(0, 12)}.csv`,
      sha256: digest,
      importedAt: now.toISOString(),
    };
    const editions = await listedEditions(folder, now);
    const others = editions.filter(
      ({ dataset, validFrom }) => dataset !== edition.dataset || validFrom !== edition.validFrom,
    );
    await replaceFile(join(folder, edition.file), content);
    await listEditions(folder, [...others, edition]);
    return edition;
  });
}

/**
 * Removes, and returns, withdrawn and old editions: of each dataset `keep` stay that have begun, the latest of which is in
 * use, and all to come.
 */
export async function pruneEditions(folder: string, keep: number, today: string): Promise<DataEdition[]> {
  let removed: DataEdition[] = [];
  await changeEditions(folder, (editions) => {
    removed = editions.filter((edition) => {
      const begun = editionsOf(editions, edition.dataset).filter(({ validFrom }) => validFrom <= today);
      return edition.withdrawn || begun.slice(0, -keep).includes(edition);
    });
    return removed.length === 0 ? undefined : editions.filter((edition) => !removed.includes(edition));
  });
  return removed;
}

/**
 * Withdraws an edition, so that the previous one is used again, or reverts a withdrawal. Returns whether there was such an
 * edition to change; a required dataset keeps one that is not withdrawn.
 */
export async function withdrawEdition(
  folder: string,
  dataset: DatasetName,
  validFrom: string,
  isWithdrawn: boolean,
): Promise<boolean> {
  return changeEditions(folder, (editions) => {
    const meant = editions.find((one) => one.dataset === dataset && one.validFrom === validFrom);
    if (meant === undefined || (!isWithdrawn && meant.withdrawn !== true)) return undefined;
    const { withdrawn: _, ...kept } = meant;
    const changed: DataEdition = isWithdrawn ? { ...kept, withdrawn: true } : kept;
    const all = editions.map((edition) => (edition === meant ? changed : edition));
    return isRequired(dataset) && editionsOf(all, dataset).length === 0 ? undefined : all;
  });
}

/** Changes the manifest of a folder that has one; returns whether `change` did, which returns undefined if not. */
async function changeEditions(
  folder: string,
  change: (editions: readonly DataEdition[]) => readonly DataEdition[] | undefined,
): Promise<boolean> {
  if (!existsSync(join(folder, manifestFile))) return false;
  return locked(folder, async () => {
    const changed = change(await readManifest(folder));
    if (changed !== undefined) await listEditions(folder, changed);
    return changed !== undefined;
  });
}

/** Lists editions whose files are there, and removes files that an import has replaced or a crash has left behind. */
async function listEditions(folder: string, editions: readonly DataEdition[]): Promise<void> {
  await replaceFile(join(folder, manifestFile), manifestText(editions));
  const listed = new Set(editions.map(({ file }) => file));
  // Other files of the folder stay, as those that another command is writing where it is STATE_DIR too.
  const ours =
    /^[a-z0-9-]+-\d{4}-\d{2}(-\d{2})?-[0-9a-f]{12}\.csv$|(\.csv|^manifest\.json)\.[0-9a-f-]{36}\.new$/;
  const left = (await readdir(folder)).filter((name) => ours.test(name) && !listed.has(name));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}

/** Returns the editions of a folder, each with its digest; one without any begins with those shipped that are required. */
async function listedEditions(folder: string, now: Date): Promise<DataEdition[]> {
  const own = await unlessAbsent(readManifest(folder));
  // Optional datasets come from the shipped data until the folder has its own.
  const editions = own ?? (await readManifest(shippedData)).filter(({ dataset }) => isRequired(dataset));
  return Promise.all(
    editions.map(async (edition) => {
      if (edition.sha256 !== undefined) return edition;
      const content = await readDataFile(join(own === undefined ? shippedData : folder, edition.file));
      if (own === undefined) await replaceFile(join(folder, edition.file), content);
      return { ...edition, sha256: sha256(content), source: edition.file, importedAt: now.toISOString() };
    }),
  );
}

/** Changes the local entries of a data folder, which is made if it does not exist; without entries it has no file. */
export async function changeOverrides(
  folder: string,
  change: (entries: readonly Override[]) => readonly Override[],
): Promise<void> {
  makeFolder(folder);
  await locked(folder, async () => {
    const entries = change(await readOverrides(folder));
    const path = join(folder, overridesFile);
    if (entries.length === 0) return rm(path, { force: true });
    const sorted = entries.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    await replaceFile(path, overridesText(sorted));
  });
}
