import table from "../../../data/de-check-methods.json" with { type: "json" };
import { type GermanAccount, germanAccount, KONTONUMMER_LENGTH } from "./account.ts";
import { type DigitSumCheck, EQUALS_LEFT } from "./check-methods/digit-sum.ts";
import type { MethodGraph, MethodNode, NodeTest } from "./check-methods/graph.ts";
import { namedAlgorithms } from "./check-methods/named-algorithms.ts";
import { methodGraph } from "./check-methods/parse.ts";

const lines = Object.entries(table.methods)
  .filter(([, line]) => line !== "unassigned")
  .sort(([left], [right]) => (left < right ? -1 : 1));

/** Names of the assigned check-digit methods in their order; a method's index is its place in this list. */
export const methodNames: readonly string[] = lines.map(([method]) => method);

const indexByName: ReadonlyMap<string, number> = new Map(methodNames.map((method, index) => [method, index]));

/** The decision graphs of all methods, by method index; built once when the module is loaded. */
export const graph: MethodGraph = methodGraph(lines, Object.entries(table.named));

/**
 * Verdicts of a check-digit method on an account number.
 *
 * `unchecked`: the number carries no check digit (method 09, or a range the method exempts); banks use such numbers, and
 * nothing about them can be tested. `unknown_method`: no such method is assigned.
 */
export const methodVerdicts = ["invalid", "valid", "unchecked", "unknown_method"] as const;

export type MethodVerdict = (typeof methodVerdicts)[number];

/** A verdict of a method that is assigned. */
type AccountVerdict = Exclude<MethodVerdict, "unknown_method">;

/**
 * Walks a decision graph from a target, a node or an end, to its verdict on an account, and adds the nodes on the way to `path`.
 *
 * No allocation; about 20 ns a node.
 */
export function walk(
  { nodes, sums }: MethodGraph,
  from: number,
  account: GermanAccount,
  path?: MethodNode[],
): AccountVerdict {
  let target = from;
  while (target >= 0) {
    const node = nodes[target]!;
    path?.push(node);
    target = holds(node.test, sums, account) ? node.whenHolds : node.whenFails;
  }
  return methodVerdicts[-1 - target] as AccountVerdict;
}

function holds(test: NodeTest, sums: readonly DigitSumCheck[], account: GermanAccount): boolean {
  const { digits } = account;
  switch (test.kind) {
    case "sum":
      return sumFits(sums[test.sum]!, test.checkPosition, digits);
    case "digit":
      return ((test.allowed >> digits[test.position - 1]!) & 1) === 1;
    case "range": {
      let number = 0;
      for (let index = test.from - 1; index < test.to; index++) number = number * 10 + digits[index]!;
      return number >= test.min && number <= test.max;
    }
    case "stepwise":
      return namedAlgorithms[test.algorithm].check(account);
  }
}

function sumFits(
  { contributions, allowed }: DigitSumCheck,
  checkPosition: number | null,
  digits: readonly number[],
): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) sum += contributions[10 * index + digits[index]!]!;
  const mask = allowed[sum]!;
  // Where the sum alone decides, every digit is allowed or none.
  const checkIndex = (checkPosition ?? KONTONUMMER_LENGTH) - 1;
  const digit = digits[checkIndex]!;
  if ((mask & EQUALS_LEFT) !== 0 && digit === digits[checkIndex - 1]) return true;
  return ((mask >> digit) & 1) === 1;
}

/**
 * Returns the index of a method by its two-character name, −1 if it is unknown (as is 12, unassigned).
 *
 * @example methodIndexOf("01") // → 1
 */
export function methodIndexOf(method: string): number {
  return indexByName.get(method) ?? -1;
}

/**
 * Checks an account number by a method, or by one variant of it only, as some IBAN rules ask; no allocation, about 20 ns for
 * each test on the path.
 *
 * Account number zero is invalid in every method. Methods 52, 53, B6 and C0 also read the account's bank
 * code; with all zeros there, what needs it is invalid. Throws a RangeError for an unknown index.
 *
 * `variant` counts from 1 the alternatives of `else` in the branch of `when` that applies to the number:
 * variant 1 of 63 is digits 2-7 with check digit 8 for any beginning of the number, variant 2 of C7 is
 * method 06. A variant the branch does not have is invalid.
 *
 * Source: Deutsche Bundesbank, Prüfzifferberechnungsmethoden, text of August 2025.
 *
 * @example checkMethod(methodIndexOf("13"), germanAccount("532013000")) // → "valid"
 */
export function checkMethod(methodIndex: number, account: GermanAccount, variant?: number): AccountVerdict {
  const method = graph.methods[methodIndex];
  if (method === undefined) throw new RangeError(`no check-digit method has index ${methodIndex}`);
  const entry = variant === undefined ? method.entry : method.variants[variant - 1];
  return entry === undefined || account.significant === 0 ? "invalid" : walk(graph, entry, account);
}

/**
 * Checks an account number as text by a method's name.
 *
 * An unknown method wins over everything. A number that is not 1 to 10 digits or is zero is invalid.
 * `blz` (eight digits) matters to methods 52, 53, B6 and C0 only; absent or malformed, what needs it is invalid.
 *
 * @example checkByMethod("13", "532013000") // → "valid"
 */
export function checkByMethod(method: string, kontonummer: string, blz = ""): MethodVerdict {
  const methodIndex = methodIndexOf(method);
  if (methodIndex < 0) return "unknown_method";
  return checkMethod(methodIndex, germanAccount(kontonummer, blz));
}

/** Why a check-digit method accepts or rejects an account number. */
export interface MethodExplanation {
  readonly verdict: MethodVerdict;
  /** Which alternative of `else` accepted, from 1 within the branch that applies to the number; null unless valid. */
  readonly variant: number | null;
  /** Position 1-10 of the check digit in the padded number; null if there is none. */
  readonly checkDigitPosition: number | null;
  /** For an invalid number: the digits that would make it valid at that position, ascending; may be empty. */
  readonly expectedCheckDigits: readonly string[];
}

/**
 * Explains the verdict of a method on an account number; arguments as for `checkByMethod`.
 *
 * For an invalid number the position is that of the first variant at which some digit would make the
 * number valid, or of the first variant where none does. The expected digits are found by trying all ten
 * through the whole method, so up to some dozens of checks are made.
 *
 * @example explainMethod("13", "532014000").expectedCheckDigits // → ["8"]
 */
export function explainMethod(method: string, kontonummer: string, blz = ""): MethodExplanation {
  const verdict = checkByMethod(method, kontonummer, blz);
  const nothing = { verdict, variant: null, checkDigitPosition: null, expectedCheckDigits: [] };
  const account = germanAccount(kontonummer, blz);
  if (verdict === "unknown_method" || verdict === "unchecked" || account.significant === 0) return nothing;
  const { entry, variants } = graph.methods[methodIndexOf(method)]!;
  // Every calculation that was tried, the last of which accepted the number or all failed.
  const path: MethodNode[] = [];
  walk(graph, entry, account, path);
  const positions = path.flatMap(({ test }) => ("checkPosition" in test ? [test.checkPosition] : []));
  if (verdict === "valid") {
    const variant = 1 + variants.findIndex((alone) => walk(graph, alone, account) === verdict);
    return { ...nothing, variant, checkDigitPosition: positions.at(-1)! };
  }
  const padded = kontonummer.padStart(KONTONUMMER_LENGTH, "0");
  const attempts = positions
    .filter((position) => position !== null)
    .map((checkDigitPosition) => {
      const [before, after] = [padded.slice(0, checkDigitPosition - 1), padded.slice(checkDigitPosition)];
      const fits = (digit: string) => checkByMethod(method, before + digit + after, blz) === "valid";
      return { ...nothing, checkDigitPosition, expectedCheckDigits: [..."0123456789"].filter(fits) };
    });
  return attempts.find(({ expectedCheckDigits }) => expectedCheckDigits.length > 0) ?? attempts[0] ?? nothing;
}
