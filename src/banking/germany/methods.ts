import {
  AccountVerdict,
  createGermanAccount,
  type GermanAccount,
  readBlz,
  readKontonummer,
} from "./account.ts";
import { methodDefinitions } from "./check-methods/definitions.ts";
import { type MethodGraph, methodGraph } from "./check-methods/graph.ts";
import { applicableClause, walk } from "./check-methods/walk.ts";

export { AccountVerdict } from "./account.ts";

/** A verdict in words; `unknown_method` where no such method is assigned. */
export type MethodVerdict = "valid" | "invalid" | "unchecked" | "unknown_method";

/** Names of the assigned check-digit methods, "00" to "E4" without 12; a method's index is its place in this list. */
export const methodNames: readonly string[] = methodDefinitions.map(({ method }) => method);

/** The decision graphs of all methods, by method index. */
export const graph: MethodGraph = methodGraph(methodDefinitions);

const indexByName: ReadonlyMap<string, number> = new Map(methodNames.map((method, index) => [method, index]));
const verdictWords = ["invalid", "valid", "unchecked"] as const satisfies readonly MethodVerdict[];
const scratch = createGermanAccount();

/** Gives the index of a method by its two-character name, −1 where it is unknown (as is 12, unassigned). */
export function methodIndexOf(method: string): number {
  return indexByName.get(method) ?? -1;
}

/**
 * Checks an account number by a method; no allocation, about 20 ns for each test on its way.
 *
 * Account number zero is invalid in every method. Methods 52, 53, B6 and C0 also read the account's bank
 * code; with all zeros there, what needs it is invalid. Throws a RangeError for an index that is none.
 *
 * Source: Deutsche Bundesbank, Prüfzifferberechnungsmethoden, text of August 2025.
 */
export function checkMethod(methodIndex: number, account: GermanAccount): AccountVerdict {
  const method = graph.methods[methodIndex];
  if (method === undefined) throw new RangeError(`no check-digit method has index ${methodIndex}`);
  return account.significant === 0 ? AccountVerdict.invalid : walk(graph, method.entry, account);
}

/**
 * Checks an account number by one variant of a method only, as some IBAN rules ask.
 *
 * `variant` counts from 1 the alternatives of `else` in the branch of `when` that applies to the number:
 * variant 1 of 63 is digits 2-7 with check digit 8 whatever the number begins with, variant 2 of C7 is
 * method 06. A variant the branch does not have is invalid. Throws a RangeError for an index that is none.
 */
export function checkMethodVariant(
  methodIndex: number,
  variant: number,
  account: GermanAccount,
): AccountVerdict {
  const method = graph.methods[methodIndex];
  if (method === undefined) throw new RangeError(`no check-digit method has index ${methodIndex}`);
  const chosen = applicableClause(graph, method, account).variants[variant - 1];
  if (chosen === undefined || account.significant === 0) return AccountVerdict.invalid;
  return walk(graph, chosen.entry, account);
}

/**
 * Checks an account number as text by a method's name.
 *
 * An unknown method wins over everything. A number that is not 1 to 10 digits or is zero is invalid.
 * `unchecked` means that the number carries no check digit: method 09, or a range the method exempts.
 * `blz` (eight digits) matters to methods 52, 53, B6 and C0 only; absent or malformed, what needs it is invalid.
 */
export function checkByMethod(method: string, kontonummer: string, blz = ""): MethodVerdict {
  const methodIndex = methodIndexOf(method);
  if (methodIndex < 0) return "unknown_method";
  if (!readKontonummer(scratch, kontonummer)) return "invalid";
  readBlz(scratch, blz);
  return verdictWords[checkMethod(methodIndex, scratch)];
}
