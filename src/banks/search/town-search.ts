import { townAbbreviations } from "./abbreviations.ts";
import { askWording, gradeWording } from "./asked-term.ts";
import { Grade, type Grades } from "./grade.ts";
import type { SearchIndex } from "./search-index.ts";
import { foldAbbreviations, readWording } from "./search-terms.ts";

const abbreviations = foldAbbreviations(townAbbreviations);

/**
 * Grades the towns of a range of records, by the number of their text; undefined where none answers.
 *
 * Where a town of exactly this name exists, only it and towns whose name continues in a further word are found: "München"
 * finds München-Flughafen too, but neither Münchenbernsdorf nor Garching b. München. A typo is allowed for only where no
 * town has the words as they are written.
 */
export function gradeTowns({ towns, vocabulary }: SearchIndex, location: string): Grades | undefined {
  const wording = readWording(location, abbreviations);
  if (wording.terms.length === 0) return undefined;
  const asked = askWording(wording, vocabulary);
  const written = gradeWording(asked, towns, false);
  if (written !== undefined) return onlyTownsSoNamed(written);
  return towns.gradeJoined(asked.joined) ?? gradeWording(asked, towns, true);
}

function onlyTownsSoNamed(grades: Grades): Grades {
  const begins = Grade.folded + Grade.begins;
  const equals = Grade.folded + Grade.equals;
  if (!grades.some((grade) => grade >= equals)) return grades;
  return grades.map((grade) => (grade >= begins ? grade : Grade.none));
}
