import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import type { BankDirectory } from "../directory/directory.ts";
import { BicIndex } from "../lookup/bic-index.ts";
import { BEST_GRADE, Grade, type Grades, isAnyFound } from "./grade.ts";
import { NameSearch } from "./name-search.ts";
import { buildSearchIndex, searchedRanges, unpackSearchIndex } from "./search-index.ts";
import type { RecordRange, SearchedBanks } from "./searched-banks.ts";
import { TextIndex } from "./text-index.ts";
import { TownSearch } from "./town-search.ts";

/** What is searched for; criteria that are absent or white space are not asked for, all others must be met together. */
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
  /** Codes of the countries to search, `*` for all; Germany where they are absent. */
  readonly countries?: readonly string[] | "*";
  /** The most records to give, 1 to 50. */
  readonly max: number;
}

/** What was found, the best first. */
export interface BankHits {
  /** How many records match, before `max` cuts them. */
  readonly total: number;
  /** Record indexes of the directory, at most `max`. */
  readonly records: readonly number[];
}

/** First and last number that a prefix admits; empty where the first is the greater. */
interface NumberRange {
  readonly first: number;
  readonly last: number;
}

const everyNumber: NumberRange = { first: 0, last: Number.POSITIVE_INFINITY };
const noNumber: NumberRange = { first: 1, last: 0 };
const ZIP_DIGITS = 5;
const BLZ_DIGITS = 8;
const noHits: BankHits = { total: 0, records: [] };

/** What a search of one range of records works with. */
interface PreparedSearch {
  readonly range: RecordRange;
  readonly banks: SearchedBanks;
  readonly names: NameSearch;
  readonly towns: TownSearch;
}

/**
 * Searches banks: the German ones with their further locations, and those of the other countries.
 *
 * Words are compared without regard to case, umlauts and ß ("koeln", "koln", "KÖLN"), may be cut short, be
 * abbreviations or, where nothing fits otherwise, have one typo from five letters on. A location that is a town's whole
 * name finds that town only. A criterion of punctuation only has been asked and finds nothing; a query without any
 * criterion finds nothing either. At most 12 words within the first 512 characters of a text are looked at.
 *
 * Hits are ordered by how well the name, then how well the town answers, then main records before further locations,
 * zip, Bankleitzahl. Records equal in bank code, name, zip, town and BIC are given once.
 *
 * Making one costs nothing; the first search opens the index: 2 to 6 ms where it is given, packed, 60 to 90 ms in a
 * fresh thread where it has to be built; 2.4 MB are kept. Searches then take 0.1 to 1 ms, one-letter ones included, and texts of 100 KB up to 5 ms
 * (`bench/search.ts`). The index is one of our own over the 11,000 distinct names, short names and towns: MiniSearch
 * 7.2.0 over the records was measured at 116 ms and 12 MB for each thread and 5 to 6 ms for one letter, and takes two
 * exchanged letters for two typos.
 */
export class BankSearch {
  readonly #directory: BankDirectory;
  readonly #packedIndex: Uint8Array | undefined;
  readonly #bics: BicIndex;
  readonly #searches: [PreparedSearch | undefined, PreparedSearch | undefined] = [undefined, undefined];

  /** @param packedIndex what `packSearchIndex` gave for this very directory. */
  constructor(directory: BankDirectory, packedIndex?: Uint8Array, bics = new BicIndex(directory)) {
    this.#directory = directory;
    this.#packedIndex = packedIndex;
    this.#bics = bics;
  }

  /** Finds the records that meet all criteria. Never throws, whatever the texts hold. */
  find(query: BankQuery): BankHits {
    const name = query.name?.trim() ?? "";
    const location = query.location?.trim() ?? "";
    const zip = query.zip?.trim() ?? "";
    const code = query.bankleitzahl?.trim() ?? "";
    const bic = query.bic?.trim().toUpperCase() ?? "";
    if (name === "" && location === "" && zip === "" && code === "" && bic === "") return noHits;
    const searches = this.#searchesOf(query.countries).map((search): RangeSearch => {
      const isGerman = search.range.first === 0;
      const places = gradeTowns(search, location);
      if (isGerman) keepNumbers(search, places, zip, code);
      else keepPrefixes(this.#directory, search, places, zip, code);
      if (!isGerman && query.countries !== "*")
        keepCountries(this.#directory, search, places, query.countries);
      if (bic !== "") keepBics(this.#bics, search, places, bic);
      return { search, places };
    });
    if (name === "")
      return merged(
        searches.map(({ search, places }) => bestHits(search, places, undefined, query.max)),
        query.max,
      );
    const attempts = searches
      .filter(({ places }) => isAnyFound(places))
      .map(({ search, places }) => ({ search, places, readings: search.names.attempts(name) }));
    // Each next reading is more lenient, and asked for only where the ones before led nowhere in any range.
    for (;;) {
      const read = attempts.flatMap(({ search, places, readings }) => {
        const { done, value } = readings.next();
        return done === true ? [] : [bestHits(search, places, value, query.max)];
      });
      if (read.length === 0) return noHits;
      const hits = merged(read, query.max);
      if (hits.total > 0) return hits;
    }
  }

  #searchesOf(countries: BankQuery["countries"]): readonly PreparedSearch[] {
    const isAsked = [
      countries === undefined || countries === "*" || countries.includes("DE"),
      countries === "*" || (countries?.some((country) => country !== "DE") ?? false),
    ];
    return ([0, 1] as const).filter((part) => isAsked[part]).map((part) => this.#prepared(part));
  }

  #prepared(part: 0 | 1): PreparedSearch {
    this.#searches[part] ??= this.#open(part);
    return this.#searches[part];
  }

  #open(part: 0 | 1): PreparedSearch {
    const packed = this.#packedIndex;
    const range = searchedRanges(this.#directory)[part];
    const index =
      packed === undefined ? buildSearchIndex(this.#directory, range) : unpackSearchIndex(packed, part);
    const towns = new TextIndex(index.towns);
    return { range, banks: index.banks, names: new NameSearch(index, towns), towns: new TownSearch(towns) };
  }
}

/** One range of records, and how well each meets all criteria but the name. */
interface RangeSearch {
  readonly search: PreparedSearch;
  readonly places: Grades;
}

/** The best hits of one range, by grade. */
interface GradedHits {
  readonly total: number;
  readonly byGrade: ReadonlyMap<number, readonly number[]>;
}

/** Grades each record by its town. */
function gradeTowns({ banks, towns }: PreparedSearch, location: string): Grades {
  const { textOf } = banks.location;
  if (location === "") return new Uint8Array(textOf.length).fill(BEST_GRADE);
  const townGrades = towns.grade(location);
  const grades = new Uint8Array(textOf.length);
  for (let place = 0; place < grades.length; place++) grades[place] = townGrades[textOf[place]!]!;
  return grades;
}

/** Keeps the German records whose zip and Bankleitzahl begin as asked. */
function keepNumbers({ banks }: PreparedSearch, grades: Grades, zip: string, code: string): void {
  if (zip === "" && code === "") return;
  const zips = zip === "" ? everyNumber : prefixRange(zip, ZIP_DIGITS);
  const codes = code === "" ? everyNumber : prefixRange(code, BLZ_DIGITS);
  for (let place = 0; place < grades.length; place++) {
    if (!contains(zips, banks.zip[place]!) || !contains(codes, banks.blz[place]!)) grades[place] = Grade.none;
  }
}

/** Keeps the records of other countries whose zip and bank code begin as asked. */
function keepPrefixes(
  directory: BankDirectory,
  { range }: PreparedSearch,
  grades: Grades,
  zip: string,
  code: string,
): void {
  if (zip === "" && code === "") return;
  const [zipStart, codeStart] = [Buffer.from(zip), Buffer.from(code)];
  for (let place = 0; place < grades.length; place++) {
    if (grades[place] === Grade.none) continue;
    const index = range.first + place;
    if (!directory.zipStartsWith(index, zipStart) || !directory.bankCodeStartsWith(index, codeStart)) {
      grades[place] = Grade.none;
    }
  }
}

function keepCountries(
  directory: BankDirectory,
  { range }: PreparedSearch,
  grades: Grades,
  countries: readonly string[] = [],
): void {
  const asked = new Uint8Array(256);
  for (const code of countries) {
    const country = ibanCountryByCode(code);
    if (country !== undefined) asked[country.index] = 1;
  }
  for (let place = 0; place < grades.length; place++) {
    if (asked[directory.countryIndex(range.first + place)] === 0) grades[place] = Grade.none;
  }
}

function keepBics(bics: BicIndex, { range }: PreparedSearch, grades: Grades, prefix: string): void {
  const has = new Uint8Array(grades.length);
  for (const index of bics.find(prefix)) {
    if (index >= range.first && index < range.end) has[index - range.first] = 1;
  }
  for (let place = 0; place < grades.length; place++) if (has[place] === 0) grades[place] = Grade.none;
}

/** Walks all records in the order of equal hits and keeps the first of each grade; nothing needs sorting. */
function bestHits(
  { banks: { order }, range }: PreparedSearch,
  places: Grades,
  names: Grades | undefined,
  max: number,
): GradedHits {
  const byGrade = new Map<number, number[]>();
  let total = 0;
  for (let rank = 0; rank < order.length; rank++) {
    const at = order[rank]!;
    const place = places[at]!;
    const name = names === undefined ? BEST_GRADE : names[at]!;
    if (place === Grade.none || name === Grade.none) continue;
    total++;
    const grade = name * (BEST_GRADE + 1) + place;
    const kept = byGrade.get(grade);
    if (kept === undefined) byGrade.set(grade, [range.first + at]);
    else if (kept.length < max) kept.push(range.first + at);
  }
  return { total, byGrade };
}

/** Joins the hits of several ranges: by grade, and those of one grade in the order of the ranges. */
function merged(all: readonly GradedHits[], max: number): BankHits {
  const grades = [...new Set(all.flatMap(({ byGrade }) => [...byGrade.keys()]))].sort((a, b) => b - a);
  const records = grades.flatMap((grade) => all.flatMap(({ byGrade }) => byGrade.get(grade) ?? []));
  return { total: all.reduce((sum, { total }) => sum + total, 0), records: records.slice(0, max) };
}

function contains(range: NumberRange, number: number): boolean {
  return number >= range.first && number <= range.last;
}

function prefixRange(prefix: string, digits: number): NumberRange {
  if (prefix.length > digits || !/^[0-9]+$/.test(prefix)) return noNumber;
  const span = 10 ** (digits - prefix.length);
  const first = Number(prefix) * span;
  return { first, last: first + span - 1 };
}
