import { type IbanCountry, ibanCountries, ibanCountryByCode } from "../../banking/iban/registry.ts";
import { banksOfSortCode } from "../../banking/national/uk-sort-codes.ts";
import type { BankDirectory } from "../directory/directory.ts";
import { BicIndex } from "../lookup/bics.ts";
import { BEST_GRADE, Grade, type Grades } from "./grade.ts";
import { gradeTowns, type NameGrades, nameReadings } from "./name-search.ts";
import { binarySearch } from "./packed-arrays.ts";
import {
  openSearchIndex,
  packSearchIndex,
  type RecordRange,
  type SearchedRange,
  type SearchIndex,
} from "./search-index.ts";

/** Search criteria: absent and blank ones are ignored; a bank must meet all others. */
export interface BankQuery {
  /** Words of the bank's name, in any order. */
  readonly name?: string;
  /** Words of the town, in any order. */
  readonly location?: string;
  /** First digits of the zip, or all. */
  readonly zip?: string;
  /** First digits of the Bankleitzahl or, in other countries, of the bank code. */
  readonly bankleitzahl?: string;
  /** First characters of the BIC, or all. */
  readonly bic?: string;
  /** Codes of the countries to search, `*` for all; Germany if they are absent. */
  readonly countries?: readonly string[] | "*";
  /** Maximum number of records, those passed over included. */
  readonly max: number;
}

/** Banks found, best match first. */
export interface BankHits {
  /** How many records match, before `max` cuts them. */
  readonly total: number;
  /** Record indexes of the directory, at most `max`. */
  readonly records: readonly number[];
}

const noHits: BankHits = { total: 0, records: [] };

/**
 * Searches banks: the German ones with their further locations, and those of the other countries.
 *
 * Words are compared without regard to case, umlauts and ß ("koeln", "koln", "KÖLN"), may be cut short, be
 * abbreviations or, if nothing fits otherwise, have typos: two exchanged letters from four letters on, any typo from five,
 * two from six. Names are compared without a legal form at their end. A location that is a town's whole
 * name finds that town only. A criterion of punctuation only has been asked and finds nothing; a query without any
 * criterion finds nothing either. At most 12 words within the first 512 characters of a text are looked at.
 *
 * Hits are ordered by whether the bank has its code from the start (names with "(formerly …)" and "(former)" come last), how
 * well the name (a short name equal to the query comes right after such a name), then how well the town answers, then main records before further locations, zip, Bankleitzahl. Records equal in bank code, name, zip, town and BIC are given once.
 *
 * The index is read in place: a search object costs nothing, and all threads share the one of 2 MB. A search takes 0.02
 * to 1 ms for any query (`bench/micro/cases.ts`). MiniSearch 7.2.0 over the German records alone took 12 MB for each
 * thread, 5 to 6 ms for one letter, and two exchanged letters for two typos.
 */
export class BankSearch {
  readonly #directory: BankDirectory;
  readonly #packedIndex: Uint8Array;
  readonly #bics: BicIndex;
  readonly #opened: Partial<Record<SearchedRange, SearchIndex>> = {};

  /** @param packedIndex what `packSearchIndex` returned for this very directory. */
  constructor(
    directory: BankDirectory,
    packedIndex = packSearchIndex(directory),
    bics = new BicIndex(directory),
  ) {
    this.#directory = directory;
    this.#packedIndex = packedIndex;
    this.#bics = bics;
  }

  /** Finds the records that meet all criteria. Never throws, for any texts. */
  find(query: BankQuery): BankHits {
    const name = query.name?.trim() ?? "";
    const location = query.location?.trim() ?? "";
    const zip = query.zip?.trim() ?? "";
    const code = query.bankleitzahl?.trim() ?? "";
    const bic = query.bic?.trim().toUpperCase() ?? "";
    if (name === "" && location === "" && zip === "" && code === "" && bic === "") return noHits;
    const asked = { zip, code, countries: countriesOf(query.countries) };
    const searches = this.#rangesOf(asked.countries).flatMap((index): Candidates[] => {
      let places = placesOf(this.#directory, index, asked);
      if (bic !== "") places = havingBic(this.#bics, index, places, bic);
      if (location === "") return [{ index, places, towns: undefined }];
      const towns = gradeTowns(index, location);
      if (towns === undefined) return [];
      const { textOf } = index.towns;
      return [{ index, places: places.filter((place) => towns[textOf[place]!] !== Grade.none), towns }];
    });
    if (name === "")
      return merged(
        searches.map((candidates) => bestHits(candidates, undefined, query.max)),
        query.max,
      );
    const named = searches
      .filter(({ places }) => places.length > 0)
      .map((candidates) => ({ candidates, readings: nameReadings(candidates.index, name) }));
    // Each reading is more lenient than the one before it, and is tried only if that finds nothing in any range.
    for (;;) {
      const read = named.map(({ candidates, readings }) => ({ candidates, ...readings.next() }));
      if (read.every(({ done }) => done)) return noHits;
      const graded = read.flatMap(({ candidates, value }) =>
        value === undefined ? [] : [bestHits(candidates, value, query.max)],
      );
      const hits = merged(graded, query.max);
      if (hits.total > 0) return hits;
    }
  }

  #rangesOf(countries: readonly IbanCountry[]): readonly SearchIndex[] {
    const others = countries.filter(({ code }) => code !== "DE");
    return [
      ...(others.length < countries.length ? [this.#open("german")] : []),
      ...(others.length > 0 ? [this.#open("others")] : []),
    ];
  }

  #open(range: SearchedRange): SearchIndex {
    this.#opened[range] ??= openSearchIndex(this.#packedIndex, range, this.#directory);
    return this.#opened[range];
  }
}

/** The records of one range that meet all criteria but the name, in the order of equally good hits. */
interface Candidates {
  readonly index: SearchIndex;
  /** Places in the range. */
  readonly places: Uint32Array;
  /** By number of a town; undefined if none is requested. */
  readonly towns: Grades | undefined;
}

interface AskedNumbers {
  readonly zip: string;
  readonly code: string;
  readonly countries: readonly IbanCountry[];
}

/** Returns the requested countries in the order of the directory. */
function countriesOf(asked: BankQuery["countries"] = ["DE"]): readonly IbanCountry[] {
  const countries = asked === "*" ? ibanCountries : asked.flatMap((code) => ibanCountryByCode(code) ?? []);
  return [...new Set(countries)];
}

const everyZip = { first: 0, end: Number.POSITIVE_INFINITY };

/** Returns the places of a range that meet the criteria, in the order of equally good hits. */
function placesOf(
  directory: BankDirectory,
  index: SearchIndex,
  { zip, code, countries }: AskedNumbers,
): Uint32Array {
  const isAsked = new Uint8Array(index.size);
  for (const country of countries) {
    for (const { first, end } of spansOf(directory, country, code)) {
      if (first >= index.first && end <= index.end) isAsked.fill(1, first - index.first, end - index.first);
    }
  }
  const { first, end } = zip === "" ? everyZip : index.zips.beginningWith(zip);
  const { order, zipOf } = index;
  const places = new Uint32Array(order.length);
  let count = 0;
  // A loop, as `filter` with a function takes several times as long.
  for (let rank = 0; rank < order.length; rank++) {
    const place = order[rank]!;
    if (isAsked[place] === 1 && zipOf[place]! >= first && zipOf[place]! < end) places[count++] = place;
  }
  return places.subarray(0, count);
}

/** Finds the records of a country, with `code` those whose bank code begins so or, in the UK, whose range the sort code is in. */
function spansOf(directory: BankDirectory, country: IbanCountry, code: string): readonly RecordRange[] {
  const span = directory.rangeOf(country);
  if (code === "") return [span];
  const codeSpanOf = (text: string) => codeSpan(directory, span, Buffer.from(text));
  const found = codeSpanOf(code.toUpperCase());
  if (found.first < found.end || !/^[0-9]+$/.test(code)) return [found];
  if (country.code === "GB") return banksOfSortCode(code).map(codeSpanOf);
  // People leave the zeros out that a code begins with: 4835 for 04835.
  return [codeSpanOf(code.padStart(country.bank?.length ?? 0, "0"))];
}

function codeSpan(directory: BankDirectory, { first, end }: RecordRange, start: Uint8Array): RecordRange {
  const from = first + binarySearch(end - first, (at) => directory.compareBankCode(first + at, start) < 0);
  const count = binarySearch(end - from, (at) => directory.compareBankCode(from + at, start) === 0);
  return { first: from, end: from + count };
}

function havingBic(
  bics: BicIndex,
  { first, end, size }: SearchIndex,
  places: Uint32Array,
  prefix: string,
): Uint32Array {
  const has = new Uint8Array(size);
  for (const record of bics.find(prefix)) {
    if (record >= first && record < end) has[record - first] = 1;
  }
  return places.filter((place) => has[place] === 1);
}

interface GradedHits {
  readonly total: number;
  readonly byGrade: ReadonlyMap<number, readonly number[]>;
}

const gradeCount = BEST_GRADE + 1;

/** Walks the candidates in the order of equal hits and keeps the first of each grade; nothing needs sorting. */
function bestHits(
  { places, towns, index }: Candidates,
  names: NameGrades | undefined,
  max: number,
): GradedHits {
  const byGrade = new Map<number, number[]>();
  const { renamed } = index;
  const townOf = index.towns.textOf;
  let total = 0;
  for (let rank = 0; rank < places.length; rank++) {
    const place = places[rank]!;
    const name =
      names === undefined
        ? BEST_GRADE
        : names.grades[names.textOf === undefined ? place : names.textOf[place]!]!;
    if (name === Grade.none) continue;
    total++;
    const town = towns === undefined ? BEST_GRADE : towns[townOf[place]!]!;
    const isOwn = 1 - renamed[place]!;
    const grade = (isOwn * gradeCount + name) * gradeCount + town;
    const kept = byGrade.get(grade);
    if (kept === undefined) byGrade.set(grade, [index.first + place]);
    else if (kept.length < max) kept.push(index.first + place);
  }
  return { total, byGrade };
}

/** Joins the hits of several ranges: by grade, and those of one grade in the order of the ranges. */
function merged(all: readonly GradedHits[], max: number): BankHits {
  const grades = [...new Set(all.flatMap(({ byGrade }) => [...byGrade.keys()]))].sort((a, b) => b - a);
  const records = grades.flatMap((grade) => all.flatMap(({ byGrade }) => byGrade.get(grade) ?? []));
  return { total: all.reduce((sum, { total }) => sum + total, 0), records: records.slice(0, max) };
}
