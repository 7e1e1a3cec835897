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
