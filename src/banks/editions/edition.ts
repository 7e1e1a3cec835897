import { existsSync } from "node:fs";
import { join } from "node:path";
import { readDataFile } from "../files/data-file.ts";
import { overridesFile } from "../files/overrides-csv.ts";
import { openArrays } from "../search/packed-arrays.ts";
import { sha256 } from "./data-folder.ts";
import { isDay } from "./days.ts";
import type { LoadedEdition, LoadInput } from "./load.ts";

/** An edition that has this part of the banks of the one in use, or less, is treated as a truncated file. */
const minShare = 0.9;

/**
 * Returns why an edition must not take the place of the one in use on a day; undefined if it may.
 *
 * Refused are an edition older than the one in use and one with a tenth of the bank codes or records gone: a file put
 * there by mistake or cut off. Neither is checked where none is in use yet (a start), and where the one in use was withdrawn
 * or has not begun (a clock set back). An edition whose import was forced may be as small as it likes.
 */
export function rejectionReason(
  edition: LoadedEdition,
  inUse: LoadedEdition | undefined,
  day: string,
): string | undefined {
  const { german, other } = edition.edition;
  if (!isDay(german))
    return `the edition of the German bank codes, "${german}", is not a day like 2026-09-07`;
  if (inUse === undefined) return undefined;
  const used = inUse.edition;
  const isOver = (first: string): boolean => first > day || edition.withdrawn.includes(first);
  if (isOver(used.german) || isOver(used.other)) return undefined;
  if (german < used.german) return `edition ${german} is older than ${used.german}, which is in use`;
  if (other < used.other) {
    return `edition ${other} of other countries' banks is older than ${used.other}, which is in use`;
  }
  if (edition.isForced) return undefined;
  if (edition.blzCount <= inUse.blzCount * minShare) {
    return `it has ${edition.blzCount} German bank codes where the edition in use has ${inUse.blzCount}`;
  }
  if (edition.recordCount <= inUse.recordCount * minShare) {
    return `it has ${edition.recordCount} banks where the edition in use has ${inUse.recordCount}`;
  }
  return undefined;
}

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

/** What the file of the prepared edition packs: what `loadEdition` returned, and what it wrote. */
export interface PreparedParts {
  readonly loaded: LoadedEdition;
  readonly block: Uint8Array;
}

export const preparedFile = new URL(".dist/data/edition.bin", import.meta.resolve("#package.json"));

/**
 * Writes the edition that the build has prepared to the room, in place of `loadEdition`, and returns the facts about it.
 * Costs 10 ms.
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
  if (day < firstDay || existsSync(join(dataFolder, overridesFile))) return undefined;
  for (const [file, expected] of Object.entries(sources)) {
    if ((await contentWith(join(dataFolder, file), expected)) === undefined) return undefined;
  }
  const content = await contentWith(preparedFile, digest);
  if (content === undefined) return undefined;
  const { loaded, block } = openArrays<PreparedParts>(content);
  room.set(block);
  return loaded;
}

/** Reads a file; undefined if it has another digest or cannot be read. */
async function contentWith(file: string | URL, digest: string): Promise<Buffer | undefined> {
  const content = await readDataFile(file).catch(() => undefined);
  return content !== undefined && sha256(content) === digest ? content : undefined;
}
