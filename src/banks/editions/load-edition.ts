import { BankDirectory } from "../directory/directory.ts";
import { packBicIndex, packBicRegister } from "../lookup/bics.ts";
import { packModulus } from "../lookup/modulus-edition.ts";
import { packSearchIndex } from "../search/search-index.ts";
import { writeEdition } from "./edition-block.ts";
import { loadBankData } from "./load.ts";
import type { LoadedEdition, LoadInput } from "./loaded-edition.ts";

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
