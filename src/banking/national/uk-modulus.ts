/** How the products of a modulus check are added up and what the sum is divided by. */
export const modulusMethods = ["MOD10", "MOD11", "DBLAL"] as const;

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
  readonly substitutes: Readonly<Record<number, number>>;
}

/** Finds the checks of a sort code; none if it is in no range. */
function rowsOfSortCode({ ranges }: ModulusTable, sortCode: number): readonly ModulusRow[] {
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

/**
 * Result of the modulus check of an account: `no_rule` where the sort code is in no range (presumed valid, not checked),
 * `exempt` for a foreign-currency account, which cannot be checked (exception 6).
 */
type ModulusCheck = "passed" | "failed" | "no_rule" | "exempt";

/** Places of the digits that exceptions look at: a to h are those of the account. */
const [a, b, c, g, h] = [6, 7, 8, 12, 13];

const sortCodeLength = 6;

/** The country of the check, and where sort code and account number are in its IBANs, to the end. Source: SWIFT IBAN Registry, GB. */
export const ukIban = { country: "GB", account: { start: 8, length: 14 }, sortCodeLength } as const;

/** Exceptions whose two checks need not both pass, by that of the first check. */
const eitherPasses: ReadonlySet<string> = new Set(["2 9", "10 11", "12 13"]);

const weightsOfException2 = [0, 0, 1, 2, 5, 3, 6, 4, 8, 7, 10, 9, 3, 1];

/**
 * Checks whether an account, the six digits of the sort code and eight of the number, can exist.
 *
 * A pass means "possible", never "exists"; a failure means wrong as far as
 * the table is up to date. Source: Vocalink for Pay.UK, "Validating account numbers, UK modulus checking".
 *
 * @example
 * const rows = [{ method: "MOD10", weights: [0, 0, 0, 0, 0, 0, 7, 1, 3, 7, 1, 3, 7, 1], exception: 0 }];
 * const table = { ranges: [{ start: 89999, end: 89999, rows }], substitutes: {} };
 * checkModulus(table, "08999966374958") // → "passed"
 */
export function checkModulus(table: ModulusTable, account: string): ModulusCheck {
  const rows = rowsOfSortCode(table, Number(account.slice(0, sortCodeLength)));
  if (rows.length === 0) return "no_rule";
  const digits = digitsOf(account);
  const isForeignCurrency = digits[a]! >= 4 && digits[a]! <= 8 && digits[g] === digits[h];
  if (isForeignCurrency && rows.some(({ exception }) => exception === 6)) return "exempt";
  const isLeftOut = ({ exception }: ModulusRow) => exception === 3 && (digits[c] === 6 || digits[c] === 9);
  const made = rows.filter((row) => !isLeftOut(row)).map((row) => passes(table, row, digits));
  const pair = rows.map(({ exception }) => exception).join(" ");
  const passed = eitherPasses.has(pair) ? made.includes(true) : !made.includes(false);
  return passed ? "passed" : "failed";
}

function passes({ substitutes }: ModulusTable, row: ModulusRow, digits: readonly number[]): boolean {
  const { method, exception } = row;
  const modulus = method === "MOD11" ? 11 : 10;
  const weights = exception === 2 && digits[a] !== 0 ? weightsOfException2 : row.weights;
  const start = digitsOf(startBy(substitutes, exception, digits));
  const sum = sumOf(method, weights, [...start, ...digits.slice(start.length)]) + (exception === 1 ? 27 : 0);
  // Weights may be negative.
  const remainder = ((sum % modulus) + modulus) % modulus;
  if (exception === 4) return remainder === digits[g]! * 10 + digits[h]!;
  // g is the check digit of the first check, h that of the second; with modulus 11 remainder 1 would ask for ten.
  if (exception === 5) return (modulus - remainder) % modulus === digits[method === "MOD11" ? g : h];
  if (remainder === 0 || exception !== 14 || ![0, 1, 9].includes(digits[h]!)) return remainder === 0;
  // The account is checked again without its last digit.
  return sumOf(method, row.weights, [...digits.slice(0, a), 0, ...digits.slice(a, h)]) % modulus === 0;
}

/** The digits that an exception puts in place of the first ones. */
function startBy(
  substitutes: ModulusTable["substitutes"],
  exception: number,
  digits: readonly number[],
): string {
  if (exception === 8) return "090126";
  if (exception === 9) return "309634";
  if (exception === 5) {
    const substitute = substitutes[Number(digits.slice(0, a).join(""))];
    return substitute === undefined ? "" : String(substitute).padStart(sortCodeLength, "0");
  }
  const mayLeaveOut =
    exception === 7 ||
    (exception === 2 && digits[a] !== 0) ||
    (exception === 10 && (digits[a] === 0 || digits[a] === 9) && digits[b] === 9);
  // The sort code, a and b do not count.
  return mayLeaveOut && digits[g] === 9 ? "00000000" : "";
}

/** Adds the products, or with DBLAL the decimal digits of the products. */
function sumOf(method: ModulusMethod, weights: readonly number[], digits: readonly number[]): number {
  const products = digits.map((digit, place) => digit * weights[place]!);
  const parts = method === "DBLAL" ? products.flatMap((product) => digitsOf(String(product))) : products;
  return parts.reduce((sum, part) => sum + part, 0);
}

function digitsOf(text: string): number[] {
  return Array.from(text, Number);
}
