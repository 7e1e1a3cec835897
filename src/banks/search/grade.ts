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

/** Whether there is any hit among the grades. */
export function isAnyFound(grades: Grades): boolean {
  for (let at = 0; at < grades.length; at++) {
    if (grades[at] !== Grade.none) return true;
  }
  return false;
}

/** Keeps the highest of several grades, place by place; at least one array of one length. */
export function bestOf(all: readonly Grades[]): Grades {
  const best = all[0]!.slice();
  for (let other = 1; other < all.length; other++) {
    const grades = all[other]!;
    for (let at = 0; at < best.length; at++) if (grades[at]! > best[at]!) best[at] = grades[at]!;
  }
  return best;
}

/** Keeps the lowest of several grades, place by place; at least one array of one length. */
export function weakestOf(all: readonly Grades[]): Grades {
  const weakest = all[0]!.slice();
  for (let other = 1; other < all.length; other++) {
    const grades = all[other]!;
    for (let at = 0; at < weakest.length; at++) if (grades[at]! < weakest[at]!) weakest[at] = grades[at]!;
  }
  return weakest;
}

/** Keeps the grades whose place is a hit in `condition` too. */
export function onlyWhere(condition: Grades, grades: Grades): Grades {
  const kept = grades.slice();
  for (let at = 0; at < kept.length; at++) if (condition[at] === Grade.none) kept[at] = Grade.none;
  return kept;
}
