/** How the products of a modulus check are added up and what the sum is divided by. */
export const modulusMethods = ["MOD10", "MOD11", "DBLAL"] as const;

/** A value of `modulusMethods`. */
export type ModulusMethod = (typeof modulusMethods)[number];

/** One check of a range of sort codes. */
export interface ModulusRow {
  readonly method: ModulusMethod;
  /** Weights of the six digits of the sort code and the eight of the account, 14 in all. */
  readonly weights: readonly number[];
  /** 1 to 14; 0 for none. */
  readonly exception: number;
}

/** The checks of a range of sort codes: one, or two in their order. */
export interface ModulusRange {
  /** First and last sort code, both included, as numbers. */
  readonly start: number;
  readonly end: number;
  readonly rows: readonly ModulusRow[];
}

/** The weights of all sort codes that have a check. */
export interface ModulusTable {
  /** In the order of their sort codes; no two overlap. */
  readonly ranges: readonly ModulusRange[];
  /** Sort codes whose accounts are checked as those of another (exception 5). */
  readonly substitutes: ReadonlyMap<number, number>;
}

/** Says why ranges cannot be a table; undefined where they can. `index` is that of the range at fault. */
export function rejectionReason(
  ranges: readonly ModulusRange[],
): { readonly index: number; readonly reason: string } | undefined {
  const order = ranges.map((_, index) => index).sort((a, b) => ranges[a]!.start - ranges[b]!.start);
  for (const [place, index] of order.entries()) {
    const { start, end, rows } = ranges[index]!;
    if (start > end) return { index, reason: "the range ends before it starts" };
    if (rows.length > 2) return { index, reason: "a range has two rows at most" };
    const before = place === 0 ? undefined : ranges[order[place - 1]!];
    if (before !== undefined && before.end >= start) {
      return { index, reason: "the range overlaps another one" };
    }
  }
  return undefined;
}

/** Finds the checks of a sort code; none where it is in no range. */
export function rowsOfSortCode({ ranges }: ModulusTable, sortCode: number): readonly ModulusRow[] {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.end < sortCode) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range !== undefined && range.start <= sortCode ? range.rows : [];
}
