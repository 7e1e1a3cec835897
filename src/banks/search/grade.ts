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

/** Keeps the lowest of several grades, place by place; at least one array of one length. */
export function weakestOf(all: readonly Grades[]): Grades {
  const weakest = all[0]!.slice();
  for (let other = 1; other < all.length; other++) {
    const grades = all[other]!;
    for (let at = 0; at < weakest.length; at++) if (grades[at]! < weakest[at]!) weakest[at] = grades[at]!;
  }
  return weakest;
}
