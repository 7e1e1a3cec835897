import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { splitBlocks } from "../search/packed-arrays.ts";
import type { LoadInput } from "./load-edition.ts";
import type { LoadedEdition } from "./loaded-edition.ts";
import { sha256 } from "./manifest.ts";

/** The edition of the shipped files, which the build loads once so that a start need not. */
export interface PreparedEdition {
  /** Digest of the file that holds it. */
  readonly digest: string;
  /** Digest of each file that it was loaded from, by name. */
  readonly sources: Readonly<Record<string, string>>;
  /** First day on which it is the edition to use; no other one follows it. */
  readonly firstDay: string;
}

/** Set, as JSON, in the bundled service; other code may differ from the code that the build ran. */
declare const preparedEdition: string;

/** The file of the prepared edition: what `loadEdition` returned, as JSON, and what it wrote. */
export const preparedFile = new URL(".dist/data/edition.bin", import.meta.resolve("#package.json"));

/**
 * Does what `loadEdition` does where the build has done it: writes the prepared edition to the room and returns what is
 * known of it. Costs 10 ms.
 *
 * Returns undefined, and writes nothing, where a file of the folder or the prepared one has another digest, or another
 * edition is due on that day.
 */
export async function takePreparedEdition({
  dataFolder,
  day,
  room,
}: LoadInput): Promise<LoadedEdition | undefined> {
  if (typeof preparedEdition === "undefined") return undefined;
  const { digest, sources, firstDay } = JSON.parse(preparedEdition) as PreparedEdition;
  if (day < firstDay) return undefined;
  for (const [file, expected] of Object.entries(sources)) {
    if ((await contentWith(join(dataFolder, file), expected)) === undefined) return undefined;
  }
  const content = await contentWith(preparedFile, digest);
  if (content === undefined) return undefined;
  const [loaded, block] = splitBlocks(content, 2) as [Uint8Array, Uint8Array];
  room.set(block);
  return JSON.parse(Buffer.from(loaded).toString()) as LoadedEdition;
}

/** Reads a file; undefined where it has another digest or cannot be read. */
async function contentWith(file: string | URL, digest: string): Promise<Buffer | undefined> {
  const content = await readFile(file).catch(() => undefined);
  return content !== undefined && sha256(content) === digest ? content : undefined;
}
