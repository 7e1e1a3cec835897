import { rm } from "node:fs/promises";
import { join } from "node:path";
import { withFileLock } from "../../process/file-lock.ts";
import { makeFolder, replaceFile } from "../../process/files.ts";
import { readOverrides } from "../editions/data-folder.ts";
import { keyOf, type Override, overridesFile, overridesText } from "../files/overrides-csv.ts";

/**
 * Changes the local entries of a data folder, which is made if it does not exist; without entries it has no file.
 *
 * Changes of several processes come one after the other, and readers see the old file or the new one.
 *
 * @throws {DataFileError} if the file is damaged; the system's error if it cannot be written, and nothing has changed.
 */
export async function changeOverrides(
  folder: string,
  change: (entries: readonly Override[]) => readonly Override[],
): Promise<void> {
  makeFolder(folder);
  await withFileLock(join(folder, "manifest.lock"), async () => {
    const entries = change(await readOverrides(folder));
    const path = join(folder, overridesFile);
    if (entries.length === 0) return rm(path, { force: true });
    const sorted = entries.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    await replaceFile(path, overridesText(sorted));
  });
}
