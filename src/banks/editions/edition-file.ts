import { BankDirectory } from "../directory/directory.ts";
import { BicIndex, BicRegister } from "../lookup/bics.ts";
import { ModulusEdition } from "../lookup/modulus-edition.ts";
import { BankSearch } from "../search/bank-search.ts";
import { type ArraysOf, openArrays, packArrays } from "../search/packed-arrays.ts";

/** Bytes between directory and sections; the batch kernel reads up to 240 bytes beyond the directory. */
const gap = 256;

const alignment = 8;

/** Sections after the directory; the module of the same name packs each. */
const sections = {
  searchIndex: Uint8Array,
  bicIndex: Uint8Array,
  bicRegister: Uint8Array,
  modulus: Uint8Array,
} as const;

/** Everything that one edition of the bank data needs in the memory all threads share. */
export interface EditionParts extends ArraysOf<typeof sections> {
  readonly directory: SharedArrayBuffer;
}

/** An edition of the bank data, opened in place. */
export interface Edition {
  readonly directory: BankDirectory;
  readonly search: BankSearch;
  readonly bics: BicIndex;
  readonly register: BicRegister;
  readonly modulus: ModulusEdition;
}

/**
 * Writes a directory and, after it, its sections to the beginning of `room`; returns how many bytes they take.
 *
 * @throws {RangeError} if they do not fit; nothing is written then.
 */
export function writeEdition(room: Uint8Array, parts: EditionParts): number {
  const { directory } = parts;
  const packed = packArrays(sections, parts);
  const place = sectionsAt(directory.byteLength);
  const end = place + packed.length;
  if (end > room.length) {
    throw new RangeError(`the bank data takes ${end} bytes, and ${room.length} have room`);
  }
  room.set(new Uint8Array(directory));
  room.set(packed, place);
  return end;
}

/**
 * Opens, in place, the edition that `writeEdition` left at `offset`.
 *
 * @throws {RangeError} if there is none.
 */
export function openEdition(buffer: SharedArrayBuffer, offset: number): Edition {
  const directory = new BankDirectory(buffer, offset);
  const packed = new Uint8Array(buffer, offset + sectionsAt(directory.bytes.length));
  const { searchIndex, bicIndex, bicRegister, modulus } = openArrays(sections, packed);
  const bics = new BicIndex(directory, bicIndex);
  return {
    directory,
    search: new BankSearch(directory, searchIndex, bics),
    bics,
    register: new BicRegister(bicRegister),
    modulus: new ModulusEdition(modulus),
  };
}

function sectionsAt(directoryBytes: number): number {
  return Math.ceil((directoryBytes + gap) / alignment) * alignment;
}
