/**
 * How the sort codes begin of the banks whose accounts have nine or ten digits. The document on modulus checking names the
 * banks, not their sort codes; these are what two public programs use.
 */
const santander = /^(?:09[01]|72|89[0-2])/;
const natWest = /^(?:01|5\d|6[0-6])/;
const cooperativeBank = /^08[0-24-9]/;

/**
 * Brings sort code and account number into their standard form of six and eight digits; blanks and hyphens are dropped.
 *
 * Six and seven digits get zeros in front. Nine (Santander: the first replaces the last digit of the sort code) and ten
 * (NatWest: the last eight; Co-operative Bank: the first eight) only at these banks' sort codes. Returns undefined for
 * any other text: it cannot be checked. Source: "Validating account numbers, UK modulus checking", section 3.
 *
 * @example standardUkAccount("01-00-04", "01-23456789") // → { sortCode: "010004", account: "23456789" }
 */
export function standardUkAccount(sortCode: string, account: string) {
  const [code, number] = [sortCode, account].map((text) => text.replace(/[\s-]/g, "")) as [string, string];
  if (!/^\d{6}$/.test(code) || !/^\d{6,10}$/.test(number)) return undefined;
  if (number.length <= 8) return { sortCode: code, account: number.padStart(8, "0") };
  if (number.length === 9) {
    return santander.test(code)
      ? { sortCode: code.slice(0, 5) + number[0], account: number.slice(1) }
      : undefined;
  }
  if (natWest.test(code)) return { sortCode: code, account: number.slice(2) };
  return cooperativeBank.test(code) ? { sortCode: code, account: number.slice(0, 8) } : undefined;
}
