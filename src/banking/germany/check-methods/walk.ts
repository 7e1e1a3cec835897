import type { GermanAccount } from "../account.ts";
import { AccountVerdict } from "../account.ts";
import { type DigitSumCheck, EQUALS_LEFT } from "./digit-sum.ts";
import type { ClausePlan, MethodGraph, MethodPlan, NodeTest } from "./graph.ts";
import { namedAlgorithms } from "./named-algorithms.ts";

/**
 * Walks a decision graph from a target, a node or an end, to its verdict on an account.
 *
 * No allocation; about 20 ns a node.
 */
export function walk({ nodes, sums }: MethodGraph, from: number, account: GermanAccount): AccountVerdict {
  let target = from;
  while (target >= 0) {
    const { test, whenHolds, whenFails } = nodes[target]!;
    target = holds(test, sums, account) ? whenHolds : whenFails;
  }
  return (-1 - target) as AccountVerdict;
}

/** Returns the clause of a method that applies to an account: the first whose condition holds. */
export function applicableClause(
  graph: MethodGraph,
  { clauses }: MethodPlan,
  account: GermanAccount,
): ClausePlan {
  return clauses.find(
    ({ applies }) => applies === null || walk(graph, applies, account) === AccountVerdict.valid,
  )!;
}

function holds(test: NodeTest, sums: readonly DigitSumCheck[], account: GermanAccount): boolean {
  const { digits } = account;
  switch (test.kind) {
    case "sum":
      return sumFits(sums[test.sum]!, test.checkPosition - 1, digits);
    case "digit":
      return test.members.includes(digits[test.from - 1]!);
    case "pair":
      return test.members.includes(digits[test.from - 1]! * 10 + digits[test.from]!);
    case "length":
      return test.members.includes(account.significant);
    case "range": {
      let number = 0;
      for (let index = test.from - 1; index < test.to; index++) number = number * 10 + digits[index]!;
      return number >= test.min && number <= test.max;
    }
    case "stepwise": {
      const algorithm = namedAlgorithms[test.algorithm];
      return "check" in algorithm && algorithm.check(account) === AccountVerdict.valid;
    }
  }
}

function sumFits({ contributions, allowed }: DigitSumCheck, checkIndex: number, digits: Uint8Array): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) sum += contributions[10 * index + digits[index]!]!;
  const mask = allowed[sum]!;
  const digit = digits[checkIndex]!;
  if ((mask & EQUALS_LEFT) !== 0 && digit === digits[checkIndex - 1]) return true;
  return ((mask >> digit) & 1) === 1;
}
