import type { BankDirectory } from "../directory/directory.ts";
import { fullBic } from "./bic-register.ts";
import { binarySearch } from "./binary-search.ts";

const indexDigits = 9;

/** Packs the indexes of the records that have a BIC, by their BIC of 11 characters. */
export function packBicIndex(directory: BankDirectory): Uint8Array {
  // BIC and index in one text: a sort without a comparison function takes a fraction of one with it.
  const keys: string[] = [];
  for (let index = 0; index < directory.size; index++) {
    const bic = directory.bic(index);
    if (bic !== null) keys.push(fullBic(bic) + String(index).padStart(indexDigits, "0"));
  }
  keys.sort();
  return new Uint8Array(Uint32Array.from(keys, (key) => Number(key.slice(-indexDigits))).buffer);
}

/** Finds records by their BIC, in place and from any thread. */
export class BicIndex {
  readonly #directory: BankDirectory;
  readonly #records: Uint32Array;

  /** @param packed what `packBicIndex` gave for this very directory, aligned to four bytes. */
  constructor(directory: BankDirectory, packed: Uint8Array = packBicIndex(directory)) {
    this.#directory = directory;
    this.#records = new Uint32Array(packed.buffer, packed.byteOffset, packed.byteLength / 4);
  }

  /**
   * Returns the indexes of the records whose BIC, written with 11 characters, begins with `prefix`, in the order of
   * their BICs; records of one BIC in the order of the directory. Some microseconds.
   */
  find(prefix: string): Uint32Array {
    const records = this.#records;
    const bicAt = (place: number): string => fullBic(this.#directory.bic(records[place]!)!);
    const first = binarySearch(records.length, (place) => bicAt(place) < prefix);
    const count = binarySearch(records.length - first, (place) => bicAt(first + place).startsWith(prefix));
    return records.subarray(first, first + count);
  }
}
