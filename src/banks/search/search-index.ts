import { deserialize, serialize } from "node:v8";
import type { BankDirectory } from "../directory/directory.ts";
import { compoundHeads } from "./abbreviations.ts";
import { type RecordRange, readBanks, type SearchedBanks } from "./searched-banks.ts";
import { buildTextIndex, type TextIndexData } from "./text-index.ts";

/** The search index over a range of records, as plain values. */
export interface SearchIndex {
  readonly banks: SearchedBanks;
  readonly names: TextIndexData;
  readonly shortNames: TextIndexData;
  readonly towns: TextIndexData;
}

/** The ranges that have an index each: German records, and those of the other countries. */
export function searchedRanges({ germanCount, size }: BankDirectory): readonly [RecordRange, RecordRange] {
  return [
    { first: 0, end: germanCount },
    { first: germanCount, end: size },
  ];
}

/** Builds the index over a range of records: 60 to 90 ms in a fresh thread. */
export function buildSearchIndex(directory: BankDirectory, range: RecordRange): SearchIndex {
  const banks = readBanks(directory, range);
  return {
    banks: {
      ...banks,
      name: withoutTexts(banks.name),
      shortName: withoutTexts(banks.shortName),
      location: withoutTexts(banks.location),
    },
    names: buildTextIndex(banks.name.texts, compoundHeads),
    shortNames: buildTextIndex(banks.shortName.texts, compoundHeads),
    towns: buildTextIndex(banks.location.texts),
  };
}

/** Once indexed, the texts themselves are not needed. */
function withoutTexts({ textOf }: SearchedBanks["name"]): SearchedBanks["name"] {
  return { texts: [], textOf };
}

/** Packs the indexes of both ranges into bytes (about 3 MB), so that other threads need not build them. */
export function packSearchIndex(directory: BankDirectory): Uint8Array {
  const packed = searchedRanges(directory).map((range) => serialize(buildSearchIndex(directory, range)));
  const head = Buffer.alloc(Uint32Array.BYTES_PER_ELEMENT);
  head.writeUInt32LE(packed[0]!.length);
  return Buffer.concat([head, ...packed]);
}

/** Unpacks one of the indexes that `packSearchIndex` gave; the bytes are not needed afterwards. 2 to 6 ms. */
export function unpackSearchIndex(packed: Uint8Array, part: 0 | 1): SearchIndex {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const head = Uint32Array.BYTES_PER_ELEMENT;
  const split = head + bytes.readUInt32LE();
  // The deserializer reads typed arrays in place, and needs memory that is not shared.
  return deserialize(
    Buffer.from(part === 0 ? bytes.subarray(head, split) : bytes.subarray(split)),
  ) as SearchIndex;
}
