import { townAbbreviations } from "./abbreviations.ts";
import { Grade, type Grades, isAnyFound } from "./grade.ts";
import { type AbbreviationTable, foldAbbreviations, readWording } from "./search-terms.ts";
import type { TextIndex } from "./text-index.ts";

/** Searches towns by words of their names. */
export class TownSearch {
  readonly #index: TextIndex;
  readonly #abbreviations: AbbreviationTable;

  constructor(index: TextIndex) {
    this.#index = index;
    this.#abbreviations = foldAbbreviations(townAbbreviations);
  }

  /**
   * Grades the indexed towns, by their number.
   *
   * Where a town of exactly this name exists, only it and towns whose name goes on in a further word are found:
   * "München" finds München-Flughafen too, but neither Münchenbernsdorf nor Garching b. München. A typo is allowed for
   * only where no town has the words as they are written.
   */
  grade(location: string): Grades {
    const wording = readWording(location, this.#abbreviations);
    if (wording.terms.length === 0) return this.#index.gradeNone();
    const written = this.#index.gradeWording(wording, false);
    if (isAnyFound(written)) return onlyTownsSoNamed(written);
    const joined = this.#index.gradeJoined(wording);
    return isAnyFound(joined) ? joined : this.#index.gradeWording(wording, true);
  }
}

function onlyTownsSoNamed(grades: Grades): Grades {
  const begins = Grade.folded + Grade.begins;
  const equals = Grade.folded + Grade.equals;
  if (!grades.some((grade) => grade >= equals)) return grades;
  return grades.map((grade) => (grade >= begins ? grade : Grade.none));
}
