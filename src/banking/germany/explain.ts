import {
  createGermanAccount,
  type GermanAccount,
  KONTONUMMER_LENGTH,
  readBlz,
  readKontonummer,
} from "./account.ts";
import type { MethodPlan } from "./check-methods/graph.ts";
import {
  AccountVerdict,
  applicableClause,
  checkByMethod,
  graph,
  type MethodVerdict,
  methodIndexOf,
  walk,
} from "./methods.ts";

/** Why a check-digit method accepts or rejects an account number. */
export interface MethodExplanation {
  readonly method: string;
  readonly verdict: MethodVerdict;
  /** Which alternative of `else` accepted, from 1 within the branch that applies to the number; null unless valid. */
  readonly variant: number | null;
  /** Position 1-10 of the check digit in the padded number; null where there is none. */
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
  const nothing = { method, verdict, variant: null, checkDigitPosition: null, expectedCheckDigits: [] };
  const account = createGermanAccount();
  if (verdict === "unknown_method" || verdict === "unchecked" || !readKontonummer(account, kontonummer)) {
    return nothing;
  }
  readBlz(account, blz);
  const plan = graph.methods[methodIndexOf(method)]!;
  if (verdict === "valid") return { ...nothing, ...acceptance(plan, account) };

  const padded = kontonummer.padStart(KONTONUMMER_LENGTH, "0");
  const attempts = checkPositions(plan, account).map((checkDigitPosition) => ({
    ...nothing,
    checkDigitPosition,
    expectedCheckDigits: fittingDigits(method, padded, blz, checkDigitPosition),
  }));
  return attempts.find(({ expectedCheckDigits }) => expectedCheckDigits.length > 0) ?? attempts[0] ?? nothing;
}

function acceptance(
  accepting: MethodPlan,
  account: GermanAccount,
): Pick<MethodExplanation, "variant" | "checkDigitPosition"> {
  const { variants } = applicableClause(graph, accepting, account);
  const index = variants.findIndex(({ entry }) => walk(graph, entry, account) === AccountVerdict.valid);
  const { definition, checkPosition } = variants[index]!;
  return {
    variant: index + 1,
    checkDigitPosition:
      definition === null ? checkPosition : acceptance(definition, account).checkDigitPosition,
  };
}

function checkPositions(failing: MethodPlan, account: GermanAccount): readonly number[] {
  return applicableClause(graph, failing, account).variants.flatMap(({ definition, checkPosition }) => {
    if (definition !== null) return checkPositions(definition, account);
    return checkPosition === null ? [] : [checkPosition];
  });
}

function fittingDigits(method: string, padded: string, blz: string, position: number): readonly string[] {
  return [..."0123456789"].filter(
    (digit) =>
      checkByMethod(method, padded.slice(0, position - 1) + digit + padded.slice(position), blz) === "valid",
  );
}
