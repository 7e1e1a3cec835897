import { randomUUID } from "node:crypto";
import { copyFile, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, withFileLock } from "../../process/file-watch.ts";
import {
  type DataEdition,
  editionsOf,
  isRequired,
  manifestFile,
  manifestText,
  readDataFile,
  readEditions,
  sha256,
  shippedData,
} from "../editions/manifest.ts";
import type { DatasetName } from "../files/datasets.ts";

/** An edition to be put into a data folder. */
export type NewEdition = Pick<DataEdition, "dataset" | "validFrom" | "validUntil" | "source" | "forced">;

/**
 * Puts an edition into a data folder, in the place of the one of the same dataset and day, if there is one.
 *
 * A folder without any editions begins with the shipped ones. First the file is there, whole and on the disk, then the
 * manifest then lists it in one step: a crash at any moment leaves the old editions or the new ones.
 */
export async function storeEdition(
  folder: string,
  fresh: NewEdition,
  content: Uint8Array,
  now: Date,
): Promise<DataEdition> {
  makeFolder(folder);
  return withFileLock(join(folder, "manifest.lock"), async () => {
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
    const listed = [...others, edition];
    await replaceFile(join(folder, manifestFile), manifestText(listed));
    await removeUnlisted(folder, listed);
    return edition;
  });
}

/**
 * Removes old editions: of each dataset `keep` stay that have begun, the latest of which is in use, and all to come.
 * Withdrawn ones are removed.
 *
 * Returns those that were removed; none from a folder without a manifest.
 */
export async function pruneEditions(folder: string, keep: number, today: string): Promise<DataEdition[]> {
  const held = await editionsFor(folder);
  if (held.folder !== folder) return [];
  return withFileLock(join(folder, "manifest.lock"), async () => {
    const { editions } = await editionsFor(folder);
    const removed = [...new Set(editions.map(({ dataset }) => dataset))].flatMap((dataset) => {
      const begun = editionsOf(editions, dataset).filter(({ validFrom }) => validFrom <= today);
      return begun.slice(0, -keep);
    });
    removed.push(...editions.filter(({ withdrawn }) => withdrawn === true));
    const kept = editions.filter((edition) => !removed.includes(edition));
    if (removed.length === 0) return [];
    await replaceFile(join(folder, manifestFile), manifestText(kept));
    await removeUnlisted(folder, kept);
    return removed;
  });
}

/**
 * Withdraws an edition, so that the previous one is used again, or reverts a withdrawal.
 *
 * Returns whether there was such an edition to change; a required dataset keeps one that is not withdrawn.
 */
export async function withdrawEdition(
  folder: string,
  dataset: DatasetName,
  validFrom: string,
  isWithdrawn: boolean,
): Promise<boolean> {
  const held = await editionsFor(folder);
  if (held.folder !== folder) return false;
  return withFileLock(join(folder, "manifest.lock"), async () => {
    const { editions } = await editionsFor(folder);
    const isMeant = (edition: DataEdition): boolean =>
      edition.dataset === dataset && edition.validFrom === validFrom;
    const changed = editions.map((edition): DataEdition => {
      if (!isMeant(edition)) return edition;
      const { withdrawn: _, ...kept } = edition;
      return isWithdrawn ? { ...kept, withdrawn: true } : kept;
    });
    if (!editions.some(isMeant)) return false;
    if (isRequired(dataset) && editionsOf(changed, dataset).length === 0) return false;
    await replaceFile(join(folder, manifestFile), manifestText(changed));
    return true;
  });
}

/** Returns the editions of a folder that imports go to; of one without any, the shipped ones. */
export async function editionsFor(
  folder: string,
): Promise<{ readonly folder: string; readonly editions: DataEdition[] }> {
  const editions = await readEditions(folder).catch(noneYet);
  if (editions !== undefined) return { folder, editions };
  return { folder: shippedData, editions: await readEditions(shippedData) };
}

/** Brings a folder whose editions no manifest lists into the form that has one. */
async function listedEditions(folder: string, now: Date): Promise<DataEdition[]> {
  const { folder: from, editions: all } = await editionsFor(folder);
  // Optional datasets come from the shipped data until the folder has its own.
  const found = {
    folder: from,
    editions: from === folder ? all : all.filter(({ dataset }) => isRequired(dataset)),
  };
  if (found.folder !== folder) {
    for (const { file } of found.editions) await copyFile(join(found.folder, file), join(folder, file));
  }
  return Promise.all(
    found.editions.map(async (edition) => {
      if (edition.sha256 !== undefined) return edition;
      const digest = sha256(await readDataFile(join(folder, edition.file)));
      return { ...edition, sha256: digest, source: edition.file, importedAt: now.toISOString() };
    }),
  );
}

/** Replaces a file in one step: new file, to the disk, renamed, the folder to the disk. */
async function replaceFile(path: string, content: Uint8Array | string): Promise<void> {
  const fresh = `${path}.${randomUUID()}.new`;
  const file = await open(fresh, "wx", 0o644);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
  const folder = await open(dirname(path), "r");
  await folder.sync().finally(() => folder.close());
}

/** Removes files that an import has replaced or a crash has left behind; other files of the folder stay. */
async function removeUnlisted(folder: string, editions: readonly DataEdition[]): Promise<void> {
  const listed = new Set(editions.map(({ file }) => file));
  const ours = /^[a-z0-9-]+-\d{4}-\d{2}(-\d{2})?-[0-9a-f]{12}\.csv$|\.[0-9a-f-]{36}\.new$/;
  const names = await readdir(folder);
  await Promise.all(
    names
      .filter((name) => ours.test(name) && !listed.has(name))
      .map((name) => rm(join(folder, name), { force: true })),
  );
}

function noneYet(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
