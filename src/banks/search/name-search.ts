import abbreviations from "../../../data/search-abbreviations.json" with { type: "json" };
import type { AskedTerm } from "./asked-term.ts";
import { type AskedText, askText, byCount, foldAbbreviations, gradeText } from "./asked-text.ts";
import { BEST_GRADE, Grade, type Grades } from "./grade.ts";
import type { SearchIndex } from "./search-index.ts";
import type { TextIndex } from "./text-index.ts";

const ofTowns = foldAbbreviations(abbreviations.towns);

/**
 * Grades the towns of a range of records, by the number of their text; undefined if none answers.
 *
 * Where a town of exactly this name exists, only it and towns whose name continues in a further word are found: "München"
 * finds München-Flughafen too, but neither Münchenbernsdorf nor Garching b. München. A typo is allowed for only where no
 * town has the words as they are written.
 */
export function gradeTowns({ towns, vocabulary }: SearchIndex, location: string): Grades | undefined {
  const asked = askText(location, ofTowns, vocabulary);
  const written = gradeText(asked, towns, false);
  if (written !== undefined) return onlyTownsSoNamed(written);
  return towns.gradeJoined(asked.joined) ?? gradeText(asked, towns, true);
}

function onlyTownsSoNamed(grades: Grades): Grades {
  const begins = Grade.folded + Grade.begins;
  if (!grades.some(isEqual)) return grades;
  return grades.map((grade) => (grade >= begins ? grade : Grade.none));
}

function isEqual(grade: number): boolean {
  return grade >= Grade.folded + Grade.equals;
}

const ofNames = foldAbbreviations(abbreviations.names, abbreviations.legalForms, abbreviations.conjunctions);

/** Grades of records: by their place or, with `textOf`, by the number of their text. */
export interface NameGrades {
  readonly grades: Grades;
  readonly textOf?: Uint32Array;
}

/**
 * Grades one range of records by words of the banks' names, reading by reading from the strictest to the most lenient;
 * undefined where a reading finds none.
 *
 * But for a short name that equals the query, short name and town are consulted only where the name alone finds nothing: "LBBW" is in short names
 * only, and "Commerzbank Frechen" means the Commerzbank's location there. Readings that allow for a typo come only where
 * no bank has the words as they are written.
 */
export function* nameReadings(
  index: SearchIndex,
  name: string,
): Generator<NameGrades | undefined, void, void> {
  const asked = askText(name, ofNames, index.vocabulary);
  let isWritten = false;
  for (const grades of writtenReadings(index, asked)) {
    isWritten ||= grades !== undefined;
    yield grades;
  }
  const { terms } = asked;
  const hasTypos = terms.every((term) => term.isKnown) && terms.some((term) => term.hasTypos);
  if (isWritten || !hasTypos) return;
  yield ofTexts(index.names, gradeText(asked, index.names, true));
  yield gradePlaces(index, asked, true);
}

function* writtenReadings(
  index: SearchIndex,
  asked: AskedText,
): Generator<NameGrades | undefined, void, void> {
  yield gradeNames(index, asked);
  yield gradePlaces(index, asked, false);
  for (const column of [index.names, index.shortNames])
    yield ofTexts(column, column.gradeJoined(asked.joined));
}

/** Grades the names and, where some do, banks whose short name equals the query. */
function gradeNames(index: SearchIndex, asked: AskedText): NameGrades | undefined {
  const { names, shortNames, size } = index;
  const ofName = gradeText(asked, names, false);
  if (ofName === undefined) return undefined;
  const ofShortName = gradeText(asked, shortNames, false);
  if (!ofShortName?.some(isEqual)) return ofTexts(names, ofName);
  const grades = new Uint8Array(size);
  for (let place = 0; place < size; place++) {
    const short = ofShortName[shortNames.textOf[place]!]!;
    // Just below a name that equals it.
    grades[place] = Math.max(ofName[names.textOf[place]!]!, isEqual(short) ? short - 1 : Grade.none);
  }
  return { grades };
}

/** Grades each record by terms that may be in name, short name or town, but not all in the town alone. */
function gradePlaces(index: SearchIndex, asked: AskedText, tolerant: boolean): NameGrades | undefined {
  const { names, shortNames, towns, size } = index;
  const columns = [names, shortNames, towns];
  const countOf = (term: AskedTerm): number => columns.reduce((sum, column) => sum + term.countIn(column), 0);
  const graded: GradedTerm[] = [];
  for (const term of byCount(asked.terms, countOf)) {
    const [name, shortName, town] = columns.map((column) => term.gradesIn(column, tolerant));
    // A bank that does not match these words cannot match more of them: this bounds the cost of long nonsense.
    if (name === undefined && shortName === undefined && town === undefined) return undefined;
    graded.push({
      name: name ?? new Uint8Array(names.size),
      shortName: shortName ?? new Uint8Array(shortNames.size),
      town: town ?? new Uint8Array(towns.size),
    });
  }
  const grades = new Uint8Array(size);
  const [nameOf, shortNameOf, townOf] = [names.textOf, shortNames.textOf, towns.textOf];
  let isFound = false;
  for (let place = 0; place < size; place++) {
    let bestBank: number = Grade.none;
    let weakest = BEST_GRADE;
    for (let at = 0; at < graded.length && weakest !== Grade.none; at++) {
      const { name, shortName, town } = graded[at]!;
      const ofBank = Math.max(name[nameOf[place]!]!, shortName[shortNameOf[place]!]!);
      if (ofBank > bestBank) bestBank = ofBank;
      weakest = Math.min(weakest, Math.max(ofBank, town[townOf[place]!]!));
    }
    if (weakest === Grade.none || bestBank === Grade.none) continue;
    grades[place] = weakest;
    isFound = true;
  }
  return isFound ? { grades } : undefined;
}

interface GradedTerm {
  readonly name: Grades;
  readonly shortName: Grades;
  readonly town: Grades;
}

function ofTexts({ textOf }: TextIndex, grades: Grades | undefined): NameGrades | undefined {
  return grades && { grades, textOf };
}
