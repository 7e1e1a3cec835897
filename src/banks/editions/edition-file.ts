import { BankDirectory } from "../directory/directory.ts";
import type { DirectoryParts } from "../directory/directory-layout.ts";
import { openWeights } from "../lookup/account-policy.ts";
import type { BicRegister } from "../lookup/bics.ts";
import { bankSearch } from "../search/bank-search.ts";
import { openArrays, packArrays } from "../search/packed-arrays.ts";
import type { RangeIndex } from "../search/search-index.ts";

/**
 * What one edition of the bank data needs in the memory all threads share. The batch kernel reads up to 160 bytes beyond the
 * directory, which the other parts hold.
 */
interface EditionParts {
  readonly directory: DirectoryParts;
  readonly search: readonly RangeIndex[];
  readonly register: BicRegister;
  /** What `packWeights` returned. */
  readonly modulus: Uint8Array;
}

/** An edition of the bank data, opened in place. */
export type Edition = ReturnType<typeof openEdition>;

/** Writes an edition to the beginning of `room`; returns how many bytes it takes. A RangeError if it does not fit. */
export function writeEdition(room: Uint8Array, parts: EditionParts): number {
  const packed = packArrays(parts);
  if (packed.length > room.length) {
    throw new RangeError(`the bank data takes ${packed.length} bytes, and ${room.length} have room`);
  }
  room.set(packed);
  return packed.length;
}

/** Opens, in place, the edition that `writeEdition` left at `offset`. Throws a RangeError if there is none. */
export function openEdition(buffer: SharedArrayBuffer, offset: number) {
  const parts = openArrays<EditionParts>(new Uint8Array(buffer, offset));
  const directory = new BankDirectory(parts.directory);
  return {
    directory,
    search: bankSearch(directory, parts.search),
    register: parts.register,
    weights: openWeights(parts.modulus),
  };
}
