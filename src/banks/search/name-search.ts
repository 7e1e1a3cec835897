import { nameAbbreviations } from "./abbreviations.ts";
import { bestOf, type Grades, isAnyFound, onlyWhere, weakestOf } from "./grade.ts";
import type { SearchIndex } from "./search-index.ts";
import {
  type AbbreviationTable,
  foldAbbreviations,
  readWording,
  type SearchTerm,
  type Wording,
} from "./search-terms.ts";
import type { TextColumn } from "./searched-banks.ts";
import { TextIndex } from "./text-index.ts";

/** A text column of the records with the index over its texts. */
interface SearchedColumn {
  readonly column: TextColumn;
  readonly index: TextIndex;
}

/**
 * Searches banks by words of their names.
 *
 * The short name and the town are consulted only where the name alone gives nothing: "LBBW" stands in short names
 * only, and "Commerzbank Frechen" means the Commerzbank's location there.
 */
export class NameSearch {
  readonly #name: SearchedColumn;
  readonly #shortName: SearchedColumn;
  readonly #town: SearchedColumn;
  readonly #abbreviations: AbbreviationTable;

  constructor({ banks, names, shortNames }: SearchIndex, towns: TextIndex) {
    this.#name = { column: banks.name, index: new TextIndex(names) };
    this.#shortName = { column: banks.shortName, index: new TextIndex(shortNames) };
    this.#town = { column: banks.location, index: towns };
    this.#abbreviations = foldAbbreviations(nameAbbreviations);
  }

  /**
   * Gives grades for each record, by its index, from the strictest reading of the text to the most lenient; ask for
   * the next only where the one before led to nothing.
   *
   * Readings that allow for a typo come only where no bank has the words as they are written.
   */
  *attempts(text: string): Generator<Grades> {
    const wording = readWording(text, this.#abbreviations);
    if (wording.terms.length === 0) return;
    let named = false;
    for (const grades of this.#readings(wording)) {
      named ||= isAnyFound(grades);
      yield grades;
    }
    if (!named) yield* this.#wordReadings(wording, true);
  }

  *#readings(wording: Wording): Generator<Grades> {
    yield* this.#wordReadings(wording, false);
    yield spread(this.#name.column, this.#name.index.gradeJoined(wording));
    yield spread(this.#shortName.column, this.#shortName.index.gradeJoined(wording));
  }

  *#wordReadings(wording: Wording, tolerant: boolean): Generator<Grades> {
    yield spread(this.#name.column, this.#name.index.gradeWording(wording, tolerant));
    const ofBank: Grades[] = [];
    let ofBankOrTown: Grades | undefined;
    for (const term of wording.terms) {
      const bank = this.#gradeIn([this.#name, this.#shortName], term, tolerant);
      const either = bestOf([bank, this.#gradeIn([this.#town], term, tolerant)]);
      ofBank.push(bank);
      ofBankOrTown = ofBankOrTown === undefined ? either : weakestOf([ofBankOrTown, either]);
      // What fits no bank with these words fits none with more: this bounds the cost of long nonsense.
      if (!isAnyFound(ofBankOrTown)) return;
    }
    if (ofBankOrTown === undefined) return;
    yield weakestOf(ofBank);
    yield onlyWhere(bestOf(ofBank), ofBankOrTown);
  }

  /** Grades each record by one term in any of the columns. */
  #gradeIn(columns: readonly SearchedColumn[], term: SearchTerm, tolerant: boolean): Grades {
    return bestOf(columns.map(({ column, index }) => spread(column, index.gradeTerm(term, tolerant))));
  }
}

/** Gives each record the grade of its text. */
function spread({ textOf }: TextColumn, grades: Grades): Grades {
  const spreadOut = new Uint8Array(textOf.length);
  for (let index = 0; index < textOf.length; index++) spreadOut[index] = grades[textOf[index]!]!;
  return spreadOut;
}
