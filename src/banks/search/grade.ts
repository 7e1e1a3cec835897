/**
 * How well a word or a whole text answers a query, best highest.
 *
 * `begins` and `equals` are added to `folded` or `whole` where the text begins with the query or is equal to it.
 */
export const Grade = {
  none: 0,
  typo: 1,
  /** Found by what an abbreviation stands for. */
  abbreviation: 2,
  /** A word that begins so. */
  prefix: 3,
  /** The whole word, an umlaut for a plain letter. */
  folded: 4,
  whole: 5,
  begins: 2,
  equals: 4,
} as const;

/** The best grade there is: a text equal to the query. */
export const BEST_GRADE: number = Grade.whole + Grade.equals;

/** Grades of texts or of records, by their number. */
export type Grades = Uint8Array;

/** Keeps the lowest grade that any of several asked for has, in the grades of the first; undefined if nothing has them all. */
export function weakestOf<Asked>(
  all: readonly Asked[],
  gradesOf: (asked: Asked) => Grades | undefined,
): Grades | undefined {
  let weakest: Grades | undefined;
  for (const asked of all) {
    const grades = gradesOf(asked);
    // What is found nowhere is not found with more words either: this bounds the cost of long nonsense.
    if (grades === undefined) return undefined;
    weakest ??= grades;
    if (grades === weakest) continue;
    let isFound = false;
    for (let at = 0; at < grades.length; at++) {
      if (grades[at]! < weakest[at]!) weakest[at] = grades[at]!;
      if (weakest[at] !== Grade.none) isFound = true;
    }
    if (!isFound) return undefined;
  }
  return weakest;
}

/** Keeps the highest of several grades, place by place, in the first of them; undefined if there are none. */
export function strongestOf([first, ...others]: readonly Grades[]): Grades | undefined {
  for (const grades of others) {
    for (let at = 0; at < grades.length; at++) if (grades[at]! > first![at]!) first![at] = grades[at]!;
  }
  return first;
}
