import { type IbanCountry, ibanCountries, ibanCountryByCode } from "../../banking/iban/registry.ts";
import { banksOfSortCode } from "../../banking/national/uk-sort-codes.ts";
import type { BankDirectory } from "../directory/directory.ts";
import { BEST_GRADE, Grade } from "./grade.ts";
import { gradeTowns, type NameGrades, nameReadings } from "./name-search.ts";
import type { Range } from "./packed-arrays.ts";
import { indexBanks, type RangeIndex } from "./search-index.ts";
import { beginningWith } from "./sorted-texts.ts";

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

/** How many records match, before `max` cuts them, and their indexes in the directory, the best match first. */
type BankHits = { readonly total: number; readonly records: readonly number[] };

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
export function bankSearch(directory: BankDirectory, indexes = indexBanks(directory)) {
  /** Finds the records that meet all criteria. Never throws, for any texts. */
  return (query: BankQuery): BankHits => {
    const name = query.name?.trim() ?? "";
    const location = query.location?.trim() ?? "";
    const zip = query.zip?.trim() ?? "";
    const code = query.bankleitzahl?.trim() ?? "";
    const bic = query.bic?.trim().toUpperCase() ?? "";
    if (name === "" && location === "" && zip === "" && code === "" && bic === "") return noHits;
    // 1 at the index of each record that has the bank code, and below of each that has the BIC too.
    const withCode = Buffer.alloc(directory.size);
    const spans = countriesOf(query.countries).flatMap((country) => spansOf(directory, country, code));
    for (const { first, end } of spans) withCode.fill(1, first, end);
    const wanted = bic === "" ? withCode : Buffer.alloc(directory.size);
    if (bic !== "") for (const record of directory.withBic(bic)) wanted[record] = withCode[record]!;
    const searches = indexes
      .flatMap((index) => candidatesIn(index, wanted, zip, location))
      .map((candidates) => ({ candidates, readings: nameReadings(candidates.index, name) }));
    // Each reading is more lenient than the one before it, and is tried only if that finds nothing in any range.
    for (;;) {
      const read = searches.map(({ candidates, readings }) => ({ ...candidates, ...readings.next() }));
      if (read.every(({ done }) => done)) return noHits;
      const hits = bestHits(read, query.max);
      if (hits.total > 0) return hits;
    }
  };
}

/** The records of one range that meet all criteria but the name. */
type Candidates = ReturnType<typeof candidatesIn>[number];

function countriesOf(asked: BankQuery["countries"] = ["DE"]): readonly IbanCountry[] {
  return asked === "*" ? ibanCountries : asked.flatMap((code) => ibanCountryByCode(code) ?? []);
}

function candidatesIn(index: RangeIndex, wanted: Buffer, zip: string, location: string) {
  const { order, zips } = index;
  const isWanted = wanted.subarray(index.first, index.first + index.size);
  const towns = isWanted.includes(1) ? gradeTowns(index, location) : undefined;
  if (towns === undefined) return [];
  const { first, end } = beginningWith(zips.letters, zip);
  const zipOf = zips.textOf;
  const townOf = index.towns.textOf;
  const places = new Uint32Array(order.length);
  let count = 0;
  // A loop, as `filter` with a function takes several times as long.
  for (let rank = 0; rank < order.length; rank++) {
    const place = order[rank]!;
    if (isWanted[place] === 0 || zipOf[place]! < first || zipOf[place]! >= end) continue;
    if (location === "" || towns[townOf[place]!] !== Grade.none) places[count++] = place;
  }
  return count === 0 ? [] : [{ index, places: places.subarray(0, count), towns }];
}

/** Finds the records of a country, with `code` those whose bank code begins so or, in the UK, whose range the sort code is in. */
function spansOf(directory: BankDirectory, country: IbanCountry, code: string): readonly Range[] {
  const codeSpan = (text: string) => directory.rangeOf(country, text);
  const found = codeSpan(code.toUpperCase());
  if (found.first < found.end || !/^[0-9]+$/.test(code)) return [found];
  if (country.code === "GB") return banksOfSortCode(code).map(codeSpan);
  // People leave the zeros out that a code begins with: 4835 for 04835.
  return [codeSpan(code.padStart(country.bank.length, "0"))];
}

const gradeCount = BEST_GRADE + 1;

/**
 * Walks the candidates of all ranges in the order of equal hits and keeps the first of each grade; nothing needs sorting.
 * `value` has the grades of their names; undefined where none is found.
 */
function bestHits(
  all: readonly (Candidates & { readonly value: NameGrades | undefined })[],
  max: number,
): BankHits {
  const byGrade = new Map<number, number[]>();
  let total = 0;
  for (const { index, places, towns, value: names } of all) {
    if (names === undefined) continue;
    const { grades, textOf } = names;
    const { first, renamed } = index;
    const townOf = index.towns.textOf;
    for (let rank = 0; rank < places.length; rank++) {
      const place = places[rank]!;
      const name = grades[textOf === undefined ? place : textOf[place]!]!;
      if (name === Grade.none) continue;
      total++;
      const isOwn = 1 - renamed[place]!;
      const grade = (isOwn * gradeCount + name) * gradeCount + towns[townOf[place]!]!;
      const kept = byGrade.get(grade);
      if (kept === undefined) byGrade.set(grade, [first + place]);
      else if (kept.length < max) kept.push(first + place);
    }
  }
  const best = [...byGrade.keys()].sort((one, other) => other - one);
  return { total, records: best.flatMap((grade) => byGrade.get(grade)!).slice(0, max) };
}
