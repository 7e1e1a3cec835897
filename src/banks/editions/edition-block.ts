import { BankDirectory } from "../directory/directory.ts";
import { BicIndex } from "../lookup/bic-index.ts";
import { BicRegister } from "../lookup/bic-register.ts";
import { ModulusEdition } from "../lookup/modulus-edition.ts";
import { BankSearch } from "../search/bank-search.ts";

/** Bytes between directory and sections; the batch kernel reads up to 240 bytes beyond the directory. */
const gap = 256;
const alignment = 8;
const lengthBytes = Uint32Array.BYTES_PER_ELEMENT;

/** What follows the directory, in this order; each is what the module of its name packs. */
const sectionNames = ["searchIndex", "bicIndex", "bicRegister", "modulus"] as const;

/** Everything that one edition of the bank data needs in the memory all threads share. */
export type EditionParts = { readonly directory: SharedArrayBuffer } & Readonly<
  Record<(typeof sectionNames)[number], Uint8Array>
>;

/** An edition of the bank data, opened in place. */
export interface Edition {
  readonly directory: BankDirectory;
  readonly search: BankSearch;
  readonly bics: BicIndex;
  readonly register: BicRegister;
  readonly modulus: ModulusEdition;
}

/**
 * Writes a directory and, behind it, its sections to the beginning of `room`.
 *
 * @throws {RangeError} where they do not fit; nothing is written then.
 */
export function writeEdition(room: Uint8Array, parts: EditionParts): void {
  const { directory } = parts;
  const sections = sectionNames.map((name) => parts[name]);
  const places = placesOf(
    directory.byteLength,
    sections.map(({ length }) => length),
  );
  const end = places.at(-1)!;
  if (end > room.length) {
    throw new RangeError(`the bank data takes ${end} bytes, and ${room.length} have room`);
  }
  room.set(new Uint8Array(directory));
  const view = new DataView(room.buffer, room.byteOffset);
  for (const [index, section] of sections.entries()) {
    view.setUint32(lengthsAt(directory.byteLength) + index * lengthBytes, section.length, true);
    room.set(section, places[index]!);
  }
}

/**
 * Opens, in place, the edition that `writeEdition` left at `offset`.
 *
 * @throws {RangeError} where none stands there.
 */
export function openEdition(buffer: SharedArrayBuffer, offset: number): Edition {
  const directory = new BankDirectory(buffer, offset);
  const view = new DataView(buffer, offset);
  const lengths = sectionNames.map((_, index) =>
    view.getUint32(lengthsAt(directory.bytes.length) + index * lengthBytes, true),
  );
  const places = placesOf(directory.bytes.length, lengths);
  const [searchIndex, bicIndex, bicRegister, modulus] = lengths.map(
    (length, index) => new Uint8Array(buffer, offset + places[index]!, length),
  ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const bics = new BicIndex(directory, bicIndex);
  return {
    directory,
    search: new BankSearch(directory, searchIndex, bics),
    bics,
    register: new BicRegister(bicRegister),
    modulus: new ModulusEdition(modulus),
  };
}

function lengthsAt(directoryBytes: number): number {
  return aligned(directoryBytes + gap);
}

/** Where each section begins, and where the last one ends. */
function placesOf(directoryBytes: number, lengths: readonly number[]): number[] {
  const places = [aligned(lengthsAt(directoryBytes) + sectionNames.length * lengthBytes)];
  for (const length of lengths) places.push(aligned(places.at(-1)! + length));
  return places;
}

function aligned(offset: number): number {
  return Math.ceil(offset / alignment) * alignment;
}
