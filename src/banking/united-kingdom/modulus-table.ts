/** A sort code of six digits and an account number of eight. */
interface UkAccount {
  readonly sortCode: string;
  readonly account: string;
}

type Range = readonly [first: number, last: number];

/**
 * Sort codes of the banks whose accounts have nine or ten digits. The document on modulus checking names the banks, not
 * their sort codes; these are what two public programs use.
 */
const santander: readonly Range[] = [
  [90_000, 91_999],
  [720_000, 729_999],
  [890_000, 892_999],
];
const natWest: readonly Range[] = [
  [10_000, 19_999],
  [500_000, 669_999],
];
const cooperativeBank: readonly Range[] = [
  [80_000, 82_999],
  [84_000, 89_999],
];

/**
 * Brings sort code and account number into their standard form of six and eight digits; blanks and hyphens are dropped.
 *
 * Six and seven digits get zeros in front. Nine (Santander: the first replaces the last digit of the sort code) and ten
 * (NatWest: the last eight; Co-operative Bank: the first eight) only at these banks' sort codes. Returns undefined for
 * any other text: it cannot be checked. Source: "Validating account numbers, UK modulus checking", section 3.
 *
 * @example standardUkAccount("01-00-04", "01-23456789") // → { sortCode: "010004", account: "23456789" }
 */
export function standardUkAccount(sortCode: string, account: string): UkAccount | undefined {
  const [code, number] = [sortCode, account].map((text) => text.replace(/[\s-]/g, "")) as [string, string];
  if (!/^\d{6}$/.test(code) || !/^\d{6,10}$/.test(number)) return undefined;
  const isAt = (ranges: readonly Range[]): boolean =>
    ranges.some(([first, last]) => Number(code) >= first && Number(code) <= last);
  if (number.length <= 8) return { sortCode: code, account: number.padStart(8, "0") };
  if (number.length === 9) {
    return isAt(santander) ? { sortCode: code.slice(0, 5) + number[0], account: number.slice(1) } : undefined;
  }
  if (isAt(natWest)) return { sortCode: code, account: number.slice(2) };
  return isAt(cooperativeBank) ? { sortCode: code, account: number.slice(0, 8) } : undefined;
}

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

/**
 * Says why ranges cannot be a table; undefined where they can. `index` is that of the range at fault.
 *
 * @example rejectionReason([{ start: 2, end: 1, rows: [] }])?.reason // → "the range ends before it starts"
 */
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
