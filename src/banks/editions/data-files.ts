import { createHash } from "node:crypto";
import { join } from "node:path";
import { unlessAbsent } from "../../process/files.ts";
import { DataFileError, readDataFile } from "../files/data-file.ts";
import { type Override, overridesFile, readOverridesCsv } from "../files/overrides-csv.ts";
import type { DataEdition } from "./manifest.ts";

/** Returns a text that is the same for the same editions with the same content, and the same local entries. */
export function keyOf(used: readonly (readonly [DataEdition, string])[], local: readonly Override[]): string {
  const editions = used.map(([{ dataset, validFrom, validUntil, forced }, digest]) =>
    [dataset, validFrom, validUntil, forced, digest].join(" "),
  );
  return [...editions.sort(), ...local.map((entry) => JSON.stringify(entry))].join("\n");
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

/** Returns the SHA-256 digest of a file's content in hexadecimal. */
export function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
