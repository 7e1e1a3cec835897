import { BankDirectory } from "../directory/directory.ts";
import { BankSearch } from "../search/bank-search.ts";

/** Bytes between directory and index; the batch kernel reads up to 240 bytes beyond the directory. */
const gap = 256;
const alignment = 8;

/** Everything that one edition of the bank data needs in the memory all threads share. */
export interface EditionParts {
  readonly directory: SharedArrayBuffer;
  /** What `packSearchIndex` gives for the directory. */
  readonly searchIndex: Uint8Array;
}

/**
 * Writes a directory and, behind it, its search index to the beginning of `room`.
 *
 * @throws {RangeError} where they do not fit; nothing is written then.
 */
export function writeEdition(room: Uint8Array, { directory, searchIndex }: EditionParts): void {
  const lengthAt = indexPlace(directory.byteLength);
  const end = lengthAt + Uint32Array.BYTES_PER_ELEMENT + searchIndex.length;
  if (end > room.length)
    throw new RangeError(`the bank data takes ${end} bytes, and ${room.length} have room`);
  room.set(new Uint8Array(directory));
  new DataView(room.buffer, room.byteOffset).setUint32(lengthAt, searchIndex.length, true);
  room.set(searchIndex, lengthAt + Uint32Array.BYTES_PER_ELEMENT);
}

/**
 * Opens, in place, the edition that `writeEdition` left at `offset`.
 *
 * @throws {RangeError} where none stands there.
 */
export function openEdition(
  buffer: SharedArrayBuffer,
  offset: number,
): { readonly directory: BankDirectory; readonly search: BankSearch } {
  const directory = new BankDirectory(buffer, offset);
  const lengthAt = offset + indexPlace(directory.bytes.length);
  const length = new DataView(buffer).getUint32(lengthAt, true);
  const searchIndex = new Uint8Array(buffer, lengthAt + Uint32Array.BYTES_PER_ELEMENT, length);
  return { directory, search: new BankSearch(directory, searchIndex) };
}

function indexPlace(directoryBytes: number): number {
  return Math.ceil((directoryBytes + gap) / alignment) * alignment;
}
