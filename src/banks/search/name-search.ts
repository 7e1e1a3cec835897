import abbreviations from "../../../data/search-abbreviations.json" with { type: "json" };
import { type AskedText, askText, foldAbbreviations, gradeText } from "./asked-text.ts";
import { BEST_GRADE, Grade, type Grades } from "./grade.ts";
import type { RangeIndex } from "./search-index.ts";
import { gradeJoined, noGrades, type TextIndex } from "./text-index.ts";

const ofTowns = foldAbbreviations(abbreviations.towns);

/**
 * Grades the towns of a range of records, by the number of their text; undefined if none answers.
 *
 * Where a town of exactly this name exists, only it and towns whose name continues in a further word are found: "München"
 * finds München-Flughafen too, but neither Münchenbernsdorf nor Garching b. München. A typo is allowed for only where no
 * town has the words as they are written. Of no name every town is one.
 */
export function gradeTowns({ towns, vocabulary }: RangeIndex, location: string): Grades | undefined {
  if (location === "") return noGrades(towns).fill(BEST_GRADE);
  const asked = askText(location, ofTowns, vocabulary);
  const written = gradeText(asked, towns, false);
  if (written === undefined) return gradeJoined(towns, asked.joined) ?? gradeText(asked, towns, true);
  if (!written.some(isEqual)) return written;
  return written.map((grade) => (grade >= Grade.folded + Grade.begins ? grade : Grade.none));
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
 * undefined where a reading finds none. Of no name every bank is one.
 *
 * But for a short name that equals the query, short name and town are consulted only where the name alone finds nothing: "LBBW" is in short names
 * only, and "Commerzbank Frechen" means the Commerzbank's location there. Readings that allow for a typo come only where
 * no bank has the words as they are written.
 */
export function* nameReadings(index: RangeIndex, name: string): Generator<NameGrades | undefined, undefined> {
  if (name === "") {
    yield { grades: new Uint8Array(index.size).fill(BEST_GRADE) };
    return;
  }
  const { names, shortNames, vocabulary } = index;
  const asked = askText(name, ofNames, vocabulary);
  let isWritten = false;
  for (const read of [
    () => gradeNames(index, asked),
    () => gradePlaces(index, asked, false),
    () => ofTexts(names, gradeJoined(names, asked.joined)),
    () => ofTexts(shortNames, gradeJoined(shortNames, asked.joined)),
  ]) {
    const grades = read();
    isWritten ||= grades !== undefined;
    yield grades;
  }
  if (isWritten) return;
  yield ofTexts(names, gradeText(asked, names, true));
  yield gradePlaces(index, asked, true);
}

/** Grades the names and, where some do, banks whose short name equals the query. */
function gradeNames({ names, shortNames, size }: RangeIndex, asked: AskedText): NameGrades | undefined {
  const ofName = gradeText(asked, names, false);
  const ofShortName = ofName && gradeText(asked, shortNames, false);
  if (!ofShortName?.some(isEqual)) return ofTexts(names, ofName);
  const grades = new Uint8Array(size);
  for (let place = 0; place < size; place++) {
    const short = ofShortName[shortNames.textOf[place]!]!;
    // Just below a name that equals it.
    grades[place] = Math.max(ofName![names.textOf[place]!]!, isEqual(short) ? short - 1 : Grade.none);
  }
  return { grades };
}

/** Grades each record by terms that may be in name, short name or town, but not all in the town alone. */
function gradePlaces(index: RangeIndex, { terms }: AskedText, tolerant: boolean): NameGrades | undefined {
  const columns = [index.names, index.shortNames, index.towns];
  const [nameOf, shortNameOf, townOf] = columns.map(({ textOf }) => textOf);
  const graded: Grades[][] = [];
  for (const term of terms) {
    const ofColumns = columns.map((column) => term.gradesIn(column, tolerant));
    if (ofColumns.every((grades) => grades === undefined)) return undefined;
    graded.push(ofColumns.map((grades, at) => grades ?? noGrades(columns[at]!)));
  }
  const grades = new Uint8Array(index.size);
  let isFound = false;
  for (let place = 0; place < grades.length; place++) {
    let bestBank: number = Grade.none;
    let weakest = BEST_GRADE;
    for (let at = 0; at < graded.length && weakest !== Grade.none; at++) {
      const ofTerm = graded[at]!;
      const ofBank = Math.max(ofTerm[0]![nameOf![place]!]!, ofTerm[1]![shortNameOf![place]!]!);
      bestBank = Math.max(bestBank, ofBank);
      weakest = Math.min(weakest, Math.max(ofBank, ofTerm[2]![townOf![place]!]!));
    }
    if (weakest === Grade.none || bestBank === Grade.none) continue;
    grades[place] = weakest;
    isFound = true;
  }
  return isFound ? { grades } : undefined;
}

function ofTexts({ textOf }: TextIndex, grades: Grades | undefined): NameGrades | undefined {
  return grades && { grades, textOf };
}
