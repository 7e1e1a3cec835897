import type { BankDirectory } from "../directory/directory.ts";
import { compoundHeads } from "./abbreviations.ts";
import { type ArraysOf, joinBlocks, openArrays, packArrays, splitBlocks } from "./packed-arrays.ts";
import { type RecordRange, readColumns, recordFacts } from "./searched-columns.ts";
import { packTexts, TextIndex, WordCollection } from "./text-index.ts";
import { packVocabulary, Vocabulary } from "./vocabulary.ts";

const blocksOfRange = 5;

/** The search index over a range of records, read in place. */
export interface SearchIndex extends ArraysOf<typeof recordFacts> {
  readonly vocabulary: Vocabulary;
  readonly names: TextIndex;
  readonly shortNames: TextIndex;
  readonly towns: TextIndex;
  /** Number of records. */
  readonly size: number;
}

/** The ranges that have an index each: German records, and those of the other countries. */
export function searchedRanges({ germanCount, size }: BankDirectory): readonly [RecordRange, RecordRange] {
  return [
    { first: 0, end: germanCount },
    { first: germanCount, end: size },
  ];
}

/** Builds the indexes over both ranges, some 2 MB that all threads read in place; 100 to 200 ms in a fresh thread. */
export function packSearchIndex(directory: BankDirectory): Uint8Array {
  return joinBlocks(searchedRanges(directory).map((range) => joinBlocks(packRange(directory, range))));
}

function packRange(directory: BankDirectory, range: RecordRange): readonly Uint8Array[] {
  const { name, shortName, location, ...others } = readColumns(directory, range);
  const collection = new WordCollection();
  const names = collection.collect(name.texts, compoundHeads);
  const shortNames = collection.collect(shortName.texts, compoundHeads);
  const towns = collection.collect(location.texts);
  const { packed, size } = packVocabulary(collection.words);
  return [
    packed,
    packTexts(names, name.textOf, size),
    packTexts(shortNames, shortName.textOf, size),
    packTexts(towns, location.textOf, size),
    packArrays(recordFacts, others),
  ];
}

/** Opens one of the indexes that `packSearchIndex` packed; the bytes must begin at a multiple of 8. */
export function openSearchIndex(packed: Uint8Array, part: 0 | 1): SearchIndex {
  const [words, names, shortNames, towns, others] = splitBlocks(
    splitBlocks(packed, 2)[part]!,
    blocksOfRange,
  ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const vocabulary = new Vocabulary(words);
  const named = new TextIndex(names, vocabulary);
  return {
    vocabulary,
    names: named,
    shortNames: new TextIndex(shortNames, vocabulary),
    towns: new TextIndex(towns, vocabulary),
    size: named.textOf.length,
    ...openArrays(recordFacts, others),
  };
}
