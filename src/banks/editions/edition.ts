import { existsSync } from "node:fs";
import { join } from "node:path";
import type * as Api from "../../contract/api-types.ts";
import type { DirectoryEdition } from "../directory/record.ts";
import { readDataFile } from "../files/data-file.ts";
import type { DatasetName } from "../files/datasets.ts";
import { overridesFile } from "../files/overrides-csv.ts";
import { openArrays } from "../search/packed-arrays.ts";
import { sha256 } from "./data-folder.ts";
import { isDay } from "./days.ts";

/** Age of a list in days, null if its source names no first day, and whether it is old by `oldFromDays` or of unknown age. */
export type ListAge = Pick<Api.BankList, "age_days" | "is_old">;

/** The list of one country's banks, as it is reported but for its age. */
export type BankList = Omit<Api.BankList, keyof ListAge>;

/** A register of BICs or the weights of a check, as it is reported but for its age and title. */
export interface RegisterList extends Omit<Api.RegisterList, keyof ListAge | "title"> {
  readonly dataset: DatasetName;
}

/** Facts about a loaded edition of the bank data. */
export interface LoadedEdition {
  /** Bytes that it takes of its room. */
  readonly bytes: number;
  readonly edition: DirectoryEdition;
  readonly blzCount: number;
  readonly recordCount: number;
  /** First days of the editions of required datasets that an operator has withdrawn. */
  readonly withdrawn?: readonly string[];
  /** First day on which another edition of the folder is used, if there is one. */
  readonly nextChange?: string;
  readonly lists: readonly BankList[];
  /** Lists that are not the bank list of a country. */
  readonly registers: readonly RegisterList[];
  /** Whether an operator has accepted that it is much smaller than the previous one. */
  readonly isForced?: true;
  /** Last day on which the German bank codes are valid, where their source names it. */
  readonly validUntil?: string;
  /** Digests of the files, and the local entries. */
  readonly files: readonly string[];
  /** Last day before a local entry expires, if one does. */
  readonly localUntil?: string;
}

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
  const isOver = (first: string): boolean => first > day || (edition.withdrawn?.includes(first) ?? false);
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

/** The arrays in the file of the prepared edition: what `loadEdition` returned, as JSON, and what it wrote. */
export const preparedParts = { loaded: Uint8Array, block: Uint8Array } as const;

export const preparedFile = new URL(".dist/data/edition.bin", import.meta.resolve("#package.json"));

export interface LoadInput {
  readonly dataFolder: string;
  /** The day for which an edition is wanted, where the folder holds several. */
  readonly day: string;
  readonly room: Uint8Array;
}

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
  const { loaded, block } = openArrays(preparedParts, content);
  room.set(block);
  return JSON.parse(Buffer.from(loaded).toString()) as LoadedEdition;
}

/** Reads a file; undefined if it has another digest or cannot be read. */
async function contentWith(file: string | URL, digest: string): Promise<Buffer | undefined> {
  const content = await readDataFile(file).catch(() => undefined);
  return content !== undefined && sha256(content) === digest ? content : undefined;
}
