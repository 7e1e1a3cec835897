import type { BankDirectory } from "../directory/directory.ts";
import type { GermanBanks } from "./german-banks.ts";
import { BEST_GRADE, Grade, type Grades, isAnyFound } from "./grade.ts";
import { NameSearch } from "./name-search.ts";
import { buildSearchIndex, unpackSearchIndex } from "./search-index.ts";
import { TextIndex } from "./text-index.ts";
import { TownSearch } from "./town-search.ts";

/** What is searched for; criteria that are absent or white space are not asked for, all others must be met together. */
export interface BankQuery {
  /** Words of the bank's name, in any order. */
  readonly name?: string;
  /** Words of the town, in any order. */
  readonly location?: string;
  /** First digits of the zip, or all five. */
  readonly zip?: string;
  /** First digits of the Bankleitzahl, or all eight. */
  readonly bankleitzahl?: string;
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

/** What a search of one directory works with. */
interface PreparedSearch {
  readonly banks: GermanBanks;
  readonly names: NameSearch;
  readonly towns: TownSearch;
}

/**
 * Searches the German banks and their further locations.
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
  #search: PreparedSearch | undefined;

  /** @param packedIndex what `packSearchIndex` gave for this very directory. */
  constructor(directory: BankDirectory, packedIndex?: Uint8Array) {
    this.#directory = directory;
    this.#packedIndex = packedIndex;
  }

  /** Finds the records that meet all criteria. Never throws, whatever the texts hold. */
  find(query: BankQuery): BankHits {
    const name = query.name?.trim() ?? "";
    const location = query.location?.trim() ?? "";
    const zip = query.zip?.trim() ?? "";
    const blz = query.bankleitzahl?.trim() ?? "";
    if (name === "" && location === "" && zip === "" && blz === "") return noHits;
    const index = this.#prepared();
    const zips = zip === "" ? everyNumber : prefixRange(zip, ZIP_DIGITS);
    const codes = blz === "" ? everyNumber : prefixRange(blz, BLZ_DIGITS);
    const places = gradePlaces(index, location, zips, codes);
    if (name === "") return bestHits(index.banks.order, places, undefined, query.max);
    if (!isAnyFound(places)) return noHits;
    for (const names of index.names.attempts(name)) {
      const hits = bestHits(index.banks.order, places, names, query.max);
      if (hits.total > 0) return hits;
    }
    return noHits;
  }

  #prepared(): PreparedSearch {
    this.#search ??= this.#open();
    return this.#search;
  }

  #open(): PreparedSearch {
    const packed = this.#packedIndex;
    const index = packed === undefined ? buildSearchIndex(this.#directory) : unpackSearchIndex(packed);
    const towns = new TextIndex(index.towns);
    return { banks: index.banks, names: new NameSearch(index, towns), towns: new TownSearch(towns) };
  }
}

/** Grades each record by all criteria but the name. */
function gradePlaces(
  { banks, towns }: PreparedSearch,
  location: string,
  zips: NumberRange,
  codes: NumberRange,
): Grades {
  const { zip, blz } = banks;
  const { textOf } = banks.location;
  const townGrades = location === "" ? undefined : towns.grade(location);
  const grades = new Uint8Array(zip.length);
  for (let index = 0; index < grades.length; index++) {
    if (!contains(zips, zip[index]!) || !contains(codes, blz[index]!)) continue;
    grades[index] = townGrades === undefined ? BEST_GRADE : townGrades[textOf[index]!]!;
  }
  return grades;
}

/** Walks all records in the order of equal hits and keeps the first of each grade; nothing needs sorting. */
function bestHits(order: Uint32Array, places: Grades, names: Grades | undefined, max: number): BankHits {
  const byGrade = new Map<number, number[]>();
  let total = 0;
  for (let rank = 0; rank < order.length; rank++) {
    const index = order[rank]!;
    const place = places[index]!;
    const name = names === undefined ? BEST_GRADE : names[index]!;
    if (place === Grade.none || name === Grade.none) continue;
    total++;
    const grade = name * (BEST_GRADE + 1) + place;
    const kept = byGrade.get(grade);
    if (kept === undefined) byGrade.set(grade, [index]);
    else if (kept.length < max) kept.push(index);
  }
  const grades = [...byGrade.keys()].sort((a, b) => b - a);
  return { total, records: grades.flatMap((grade) => byGrade.get(grade)!).slice(0, max) };
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
