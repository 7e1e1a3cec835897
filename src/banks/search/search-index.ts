import abbreviations from "../../../data/search-abbreviations.json" with { type: "json" };
import type { BankDirectory } from "../directory/directory.ts";
import { record as field, HEADER_BYTES, RECORD_BYTES, recordFlag } from "../directory/directory-layout.ts";
import { readText } from "../directory/record-bytes.ts";
import { beforeLegalForm, foldParts, joinedLetters, splitWords } from "./fold-words.ts";
import type { Range } from "./packed-arrays.ts";
import { indexTexts, type ReadText, type ReadWord, type TextColumn } from "./text-index.ts";
import { keyOf, vocabularyOf } from "./vocabulary.ts";

/** The index over a range of records, which are numbered within it. */
export type RangeIndex = ReturnType<typeof indexRange>;

/** Indexes the German records, and those of the other countries: some 2 MB; 100 to 200 ms in a fresh thread. */
export function indexBanks(directory: BankDirectory): readonly RangeIndex[] {
  const { germanCount, size } = directory;
  return [
    indexRange(directory, { first: 0, end: germanCount }),
    indexRange(directory, { first: germanCount, end: size }),
  ];
}

function indexRange({ bytes, germanCount }: BankDirectory, { first, end }: Range) {
  const size = end - first;
  const column = (read: (record: number) => number): Uint32Array => {
    const values = new Uint32Array(size);
    for (let place = 0; place < size; place++) {
      values[place] = read(HEADER_BYTES + (first + place) * RECORD_BYTES);
    }
    return values;
  };
  const references = (offset: number) => column((record) => bytes.readUInt32LE(record + offset));
  const [name, location, zip] = [references(field.name), references(field.location), references(field.zip)];
  const known = new Map<string, ReadWord>();
  const withoutForm = (text: string) => readWords(known, text, legalForms);
  const names = readColumn(bytes, name, withoutForm);
  const shortNames = readColumn(bytes, references(field.shortName), withoutForm);
  const towns = readColumn(bytes, location, (text) => readWords(known, text));
  const zips = readColumn(bytes, zip, (text) => ({ text, letters: text, words: [] }));
  const keys = [...new Set([...known.values()].flatMap((word) => word.keys))].sort();
  const order = (): Uint32Array => {
    if (first >= germanCount) return Uint32Array.from(name.keys());
    const code = [field.bankCode, field.bankCode + 4].map(references);
    const distinct = withoutRepeats(size, [...code, name, zip, location, references(field.bic)]);
    const isMain = column((record) => bytes.readUInt8(record + field.flags) & recordFlag.main);
    // An unknown zip comes after every other one.
    const last = zips.texts.length;
    const zipRank = (number: number) => (zips.texts[number]!.letters === "" ? last : number);
    return ranked(
      distinct,
      size,
      (place) => (isMain[place] === 0 ? last + 1 : 0) + zipRank(zips.textOf[place]!),
    );
  };
  return {
    /** Index of the first record in the directory, and the number of records. */
    first,
    size,
    vocabulary: vocabularyOf(keys),
    names: indexTexts(names, keys),
    shortNames: indexTexts(shortNames, keys),
    towns: indexTexts(towns, keys),
    zips: indexTexts(zips, []),
    /** By place: 1 where the name says that the code was another bank's, or that the bank is closed. */
    renamed: Uint8Array.from(names.textOf, (number) => Number(isRenamed.test(names.texts[number]!.text))),
    /**
     * Places in the order of equally good hits: of German records main records first, then by zip, then by bank code, without
     * those that repeat another in bank code, name, zip, town and BIC; others in the order of the directory.
     */
    order: order(),
  };
}

const isRenamed = / \((formerly .*|former)\)$/;

const legalForms = new Set(abbreviations.legalForms);

/** The same words are written over and over: `known` has each that was read, by how it is written. */
function readWords(known: Map<string, ReadWord>, text: string, legalForms = new Set<string>()): ReadText {
  const words = splitWords(text).map((written) => {
    let word = known.get(written);
    if (word === undefined) {
      const parts = foldParts(written, abbreviations.compoundHeads);
      word = { letters: parts[0]!.letters, keys: parts.map(keyOf) };
      known.set(written, word);
    }
    return word;
  });
  return { text, letters: joinedLetters(beforeLegalForm(words, legalForms)), words };
}

/**
 * Reads one field of the records: each distinct text once, by the reference under which the directory keeps it, in the
 * order of their letters.
 */
function readColumn(bytes: Buffer, references: Uint32Array, read: (text: string) => ReadText): TextColumn {
  const texts = Array.from(new Set(references), (reference) => {
    return { reference, text: read(readText(bytes, reference)) };
  });
  texts.sort(({ text: one }, { text: other }) =>
    one.letters < other.letters ? -1 : Number(one.letters !== other.letters),
  );
  const numbers = new Map(texts.map(({ reference }, number) => [reference, number]));
  return {
    texts: texts.map(({ text }) => text),
    textOf: references.map((reference) => numbers.get(reference)!),
  };
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
