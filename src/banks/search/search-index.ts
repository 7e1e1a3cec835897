import abbreviations from "../../../data/search-abbreviations.json" with { type: "json" };
import type { BankDirectory } from "../directory/directory.ts";
import { record as field, header, RECORD_BYTES, recordFlag } from "../directory/directory-layout.ts";
import { readText } from "../directory/record-bytes.ts";
import { packTexts, WordCollection } from "./pack-texts.ts";
import { type ArraysOf, openArrays, packArrays } from "./packed-arrays.ts";
import { TextIndex } from "./text-index.ts";
import { packVocabulary, Vocabulary } from "./vocabulary.ts";

/** One text column of the records: each distinct text once, and which of them a record has. */
export interface TextColumn {
  readonly texts: readonly string[];
  /** Number of the text, by place. */
  readonly textOf: Uint32Array;
}

/** The records from `first` to before `end`, which a search looks through. */
export interface RecordRange {
  readonly first: number;
  readonly end: number;
}

/** Facts about a range of records that the search needs besides their texts; records are numbered within the range. */
const recordFacts = {
  /**
   * Places in the order of equally good hits: of German records main records first, then by zip, then by bank code, without
   * those that repeat another in bank code, name, zip, town and BIC; others in the order of the directory.
   */
  order: Uint32Array,
  /** By place, the number of the zip among all zips. */
  zipOf: Uint32Array,
  /** By place: 1 where the name says that the code was another bank's, or that the bank is closed. */
  renamed: Uint8Array,
} as const;

/** The searched columns of a range of records; a record is named by its place in the range. */
interface SearchedColumns extends ArraysOf<typeof recordFacts> {
  readonly name: TextColumn;
  readonly shortName: TextColumn;
  readonly location: TextColumn;
  /** The zips in order, packed as a vocabulary. */
  readonly zips: Uint8Array;
}

/**
 * Reads the searched columns of a range of records, all German or all of other countries.
 *
 * Each distinct text is decoded once, by the reference under which the directory keeps it.
 */
function readColumns(directory: BankDirectory, { first, end }: RecordRange): SearchedColumns {
  const { bytes, germanCount } = directory;
  const count = end - first;
  const records = bytes.readUInt32LE(header.records);
  const column = (read: (record: number) => number): Uint32Array => {
    const values = new Uint32Array(count);
    for (let place = 0; place < count; place++) {
      values[place] = read(records + (first + place) * RECORD_BYTES);
    }
    return values;
  };
  const references = (offset: number): Uint32Array => column((record) => bytes.readUInt32LE(record + offset));
  const name = references(field.name);
  const location = references(field.location);
  const texts = {
    name: textColumn(bytes, name),
    shortName: textColumn(bytes, references(field.shortName)),
    location: textColumn(bytes, location),
  };
  const isRenamed = texts.name.texts.map((text) => Number(/ \((formerly .*|former)\)$/.test(text)));
  const renamed = Uint8Array.from(texts.name.textOf, (number) => isRenamed[number]!);
  const zip = references(field.zip);
  const { texts: zipTexts, textOf } = textColumn(bytes, zip);
  const zipWords = zipTexts.map((letters) => ({ letters, marks: 0, number: 0 }));
  const { packed: zips, size } = packVocabulary(zipWords);
  const zipOf = Uint32Array.from(textOf, (number) => zipWords[number]!.number);
  const facts = { ...texts, zips, zipOf, renamed };
  if (first >= germanCount) return { ...facts, order: Uint32Array.from(name.keys()) };
  const code = [field.bankCode, field.bankCode + 4].map(references);
  const distinct = withoutRepeats(count, [...code, name, zip, location, references(field.bic)]);
  const isMain = column((record) => bytes.readUInt8(record + field.flags) & recordFlag.main);
  // An unknown zip comes after every other one.
  const zipRank = (place: number) => (zipTexts[textOf[place]!] === "" ? size : zipOf[place]!);
  const order = ranked(distinct, count, (place) => (isMain[place] === 0 ? size + 1 : 0) + zipRank(place));
  return { ...facts, order };
}

function textColumn(bytes: Buffer, references: Uint32Array): TextColumn {
  const numbers = new Map<number, number>();
  const texts: string[] = [];
  const textOf = references.map((reference) => {
    let number = numbers.get(reference);
    if (number === undefined) {
      number = texts.push(readText(bytes, reference)) - 1;
      numbers.set(reference, number);
    }
    return number;
  });
  return { texts, textOf };
}

function withoutRepeats(count: number, columns: readonly Uint32Array[]): readonly number[] {
  const seen = new Set<string>();
  return Array.from({ length: count }, (_, place) => place).filter((place) => {
    const key = columns.map((column) => column[place]).join();
    return !seen.has(key) && seen.add(key);
  });
}

/** Sorts by rank and, since records are in the order of their bank codes, then by index. */
function ranked(indexes: readonly number[], count: number, rank: (index: number) => number): Uint32Array {
  // Rank and index in one number: a native sort of numbers takes a fraction of one with a comparison function.
  const keys = Float64Array.from(indexes, (index) => rank(index) * count + index).sort();
  return Uint32Array.from(keys, (key) => key % count);
}

/** The ranges that have an index each, and how the index of one is packed. */
const ranges = { german: Uint8Array, others: Uint8Array } as const;
const blocks = {
  words: Uint8Array,
  zips: Uint8Array,
  names: Uint8Array,
  shortNames: Uint8Array,
  towns: Uint8Array,
  ...recordFacts,
} as const;

/** The German records, or those of the other countries. */
export type SearchedRange = keyof typeof ranges;

/** The search index over a range of records, read in place. */
export interface SearchIndex extends RecordRange, ArraysOf<typeof recordFacts> {
  readonly vocabulary: Vocabulary;
  readonly names: TextIndex;
  readonly shortNames: TextIndex;
  readonly towns: TextIndex;
  readonly zips: Vocabulary;
  /** Number of records. */
  readonly size: number;
}

/** Returns the records of each range. */
function searchedRanges({ germanCount, size }: BankDirectory): Readonly<Record<SearchedRange, RecordRange>> {
  return { german: { first: 0, end: germanCount }, others: { first: germanCount, end: size } };
}

/** Builds the indexes over both ranges, some 2 MB that all threads read in place; 100 to 200 ms in a fresh thread. */
export function packSearchIndex(directory: BankDirectory): Uint8Array {
  const { german, others } = searchedRanges(directory);
  return packArrays(ranges, { german: packRange(directory, german), others: packRange(directory, others) });
}

function packRange(directory: BankDirectory, range: RecordRange): Uint8Array {
  const { name, shortName, location, ...facts } = readColumns(directory, range);
  const { compoundHeads } = abbreviations;
  const legalForms = new Set(abbreviations.legalForms);
  const collection = new WordCollection();
  const names = collection.collect(name.texts, compoundHeads, legalForms);
  const shortNames = collection.collect(shortName.texts, compoundHeads, legalForms);
  const towns = collection.collect(location.texts);
  const { packed, size } = packVocabulary(collection.words);
  return packArrays(blocks, {
    words: packed,
    names: packTexts(names, name.textOf, size),
    shortNames: packTexts(shortNames, shortName.textOf, size),
    towns: packTexts(towns, location.textOf, size),
    ...facts,
  });
}

/** Opens one of the indexes that `packSearchIndex` packed; the bytes must begin at a multiple of 8. */
export function openSearchIndex(
  packed: Uint8Array,
  range: SearchedRange,
  directory: BankDirectory,
): SearchIndex {
  const { words, zips, names, shortNames, towns, ...facts } = openArrays(
    blocks,
    openArrays(ranges, packed)[range],
  );
  const vocabulary = new Vocabulary(words);
  const named = new TextIndex(names, vocabulary);
  return {
    ...searchedRanges(directory)[range],
    vocabulary,
    names: named,
    shortNames: new TextIndex(shortNames, vocabulary),
    towns: new TextIndex(towns, vocabulary),
    zips: new Vocabulary(zips),
    size: named.textOf.length,
    ...facts,
  };
}
