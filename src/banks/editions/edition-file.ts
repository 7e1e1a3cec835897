import { BankDirectory } from "../directory/directory.ts";
import { openWeights } from "../lookup/account-policy.ts";
import { BicIndex, BicRegister } from "../lookup/bics.ts";
import { BankSearch } from "../search/bank-search.ts";
import { type ArraysOf, openArrays, packArrays } from "../search/packed-arrays.ts";

/**
 * What one edition of the bank data needs in the memory all threads share; the module of the same name packs each section.
 * The batch kernel reads up to 160 bytes beyond the directory, which the other sections hold.
 */
const sections = {
  directory: Uint8Array,
  searchIndex: Uint8Array,
  bicIndex: Uint8Array,
  bicRegister: Uint8Array,
  modulus: Uint8Array,
} as const;

/** An edition of the bank data, opened in place. */
export type Edition = ReturnType<typeof openEdition>;

/** Writes an edition to the beginning of `room`; returns how many bytes it takes. A RangeError if it does not fit. */
export function writeEdition(room: Uint8Array, parts: ArraysOf<typeof sections>): number {
  const packed = packArrays(sections, parts);
  if (packed.length > room.length) {
    throw new RangeError(`the bank data takes ${packed.length} bytes, and ${room.length} have room`);
  }
  room.set(packed);
  return packed.length;
}

/** Opens, in place, the edition that `writeEdition` left at `offset`. Throws a RangeError if there is none. */
export function openEdition(buffer: SharedArrayBuffer, offset: number) {
  const packed = openArrays(sections, new Uint8Array(buffer, offset));
  const { searchIndex, bicIndex, bicRegister, modulus } = packed;
  const directory = new BankDirectory(buffer, packed.directory.byteOffset);
  const bics = new BicIndex(directory, bicIndex);
  return {
    directory,
    search: new BankSearch(directory, searchIndex, bics),
    bics,
    register: new BicRegister(bicRegister),
    weights: openWeights(modulus),
  };
}
