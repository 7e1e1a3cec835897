import { BankDirectory } from "../directory/directory.ts";
import { packBicIndex, packBicRegister } from "../lookup/bics.ts";
import { packModulus } from "../lookup/modulus-edition.ts";
import { packSearchIndex } from "../search/search-index.ts";
import { writeEdition } from "./edition-block.ts";
import { loadBankData } from "./load.ts";
import type { LoadedEdition } from "./loaded-edition.ts";

/** What the thread that loads bank data is given. */
export interface LoadInput {
  readonly dataFolder: string;
  /** The day for which an edition is wanted, where the folder holds several. */
  readonly day: string;
  /** Where the edition is written to. */
  readonly room: Uint8Array;
}

/**
 * Reads the bank data of a folder and writes the edition of a day, ready for use, to the room given.
 *
 * Costs about 0.5 s and a hundred megabytes for that time.
 *
 * @throws {DataFileError} as `loadBankData`; a RangeError where the edition does not fit.
 */
export async function loadEdition({ dataFolder, day, room }: LoadInput): Promise<LoadedEdition> {
  const { directory: buffer, register, modulus, ...term } = await loadBankData(dataFolder, day);
  const directory = new BankDirectory(buffer);
  const bytes = writeEdition(room, {
    directory: buffer,
    searchIndex: packSearchIndex(directory),
    bicIndex: packBicIndex(directory),
    bicRegister: packBicRegister(register),
    modulus: packModulus(modulus),
  });
  return {
    bytes,
    edition: directory.edition,
    blzCount: directory.blzCount,
    recordCount: directory.size,
    ...term,
  };
}
