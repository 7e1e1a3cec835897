import abbreviations from "../../../data/search-abbreviations.json" with { type: "json" };
import type { BankDirectory } from "../directory/directory.ts";
import { record as field, recordPlace } from "../directory/directory-layout.ts";
import { readText } from "../directory/record-bytes.ts";
import { beforeLegalForm, foldParts, joinedLetters, splitWords } from "./fold-words.ts";
import type { Range } from "./packed-arrays.ts";
import { indexTexts, type ReadText, type TextColumn } from "./text-index.ts";
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
  const places = Array.from({ length: end - first }, (_, place) => place);
  const column = (offset: number): Uint32Array =>
    Uint32Array.from(places, (place) => bytes.readUInt32LE(recordPlace(first + place) + offset));
  const [name, location, zip] = [column(field.name), column(field.location), column(field.zip)];
  const readWords = textReader();
  const names = readColumn(bytes, name, (text) => readWords(text, legalForms));
  const shortNames = readColumn(bytes, column(field.shortName), (text) => readWords(text, legalForms));
  const towns = readColumn(bytes, location, readWords);
  const zips = readColumn(bytes, zip, (letters) => ({ letters, keys: [] }));
  const texts = [names, shortNames, towns].flatMap((read) => read.texts);
  const vocabulary = [...new Set(texts.flatMap(({ keys }) => keys))].sort();
  const order = (): readonly number[] => {
    if (first >= germanCount) return places;
    const code = [column(field.bankCode), column(field.bankCode + 4)];
    const facts = [...code, name, zip, location, column(field.bic)];
    const factsOf = (place: number) => facts.map((values) => values[place]).join();
    // Of equal records the first one stays.
    const distinct = new Map(places.toReversed().map((place) => [factsOf(place), place]));
    // Further locations have no fragment. An unknown zip comes after every other one.
    const fragments = column(field.fragment);
    const last = zips.texts.length;
    const rankOfZip = (number: number) => (zips.texts[number]!.letters === "" ? last : number);
    const ranks = places.map(
      (place) => (fragments[place] === 0 ? last + 1 : 0) + rankOfZip(zips.textOf[place]!),
    );
    return [...distinct.values()].sort((one, other) => ranks[one]! - ranks[other]! || one - other);
  };
  return {
    /** Index of the first record in the directory, and the number of records. */
    first,
    size: places.length,
    vocabulary: vocabularyOf(vocabulary),
    names: indexTexts(names, vocabulary),
    shortNames: indexTexts(shortNames, vocabulary),
    towns: indexTexts(towns, vocabulary),
    zips: indexTexts(zips, []),
    /** By place: 1 where the name says that the code was another bank's, or that the bank is closed. */
    renamed: Uint8Array.from(name, (reference) => Number(isRenamed.test(readText(bytes, reference)))),
    /**
     * Places in the order of equally good hits: of German records main records first, then by zip, then by bank code, without
     * those that repeat another in bank code, name, zip, town and BIC; others in the order of the directory.
     */
    order: Uint32Array.from(order()),
  };
}

const isRenamed = / \((formerly .*|former)\)$/;

const legalForms: ReadonlySet<string> = new Set(abbreviations.legalForms);

/** Reads texts of words. The same words are written over and over: each is read once. */
function textReader() {
  const known = new Map<string, ReadText>();
  return (text: string, legalForms: ReadonlySet<string> = new Set()): ReadText => {
    const words = splitWords(text).map((written) => {
      let word = known.get(written);
      if (word === undefined) {
        const parts = foldParts(written, abbreviations.compoundHeads);
        word = { letters: parts[0]!.letters, keys: parts.map(keyOf) };
        known.set(written, word);
      }
      return word;
    });
    const letters = joinedLetters(beforeLegalForm(words, legalForms));
    return { letters, keys: words.flatMap(({ keys }) => keys) };
  };
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
