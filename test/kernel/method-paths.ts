import { type GermanAccount, germanAccount } from "../../src/banking/germany/account.ts";
import { End, type MethodNode } from "../../src/banking/germany/check-methods/graph.ts";
import { graph, walk } from "../../src/banking/germany/methods.ts";

/** A test of a decision graph with one of its two results. */
export type Exit = `${number} ${boolean}`;

/** Account numbers that take the ways through a method's decision graph. */
interface MethodPaths {
  readonly kontonummern: readonly string[];
  /** The results at the ends of their paths. */
  readonly met: ReadonlySet<Exit>;
}

/** The tests on the way of an account and their results. */
function pathOf(entry: number, account: GermanAccount): Exit[] {
  const path: Exit[] = [];
  for (let target = entry; target >= 0; ) {
    const node = graph.nodes[target]!;
    const isHolding = holds(node, account);
    path.push(`${target} ${isHolding}`);
    target = isHolding ? node.whenHolds : node.whenFails;
  }
  return path;
}

function holds({ test }: MethodNode, account: GermanAccount): boolean {
  const nodes = [{ test, whenHolds: End.valid, whenFails: End.invalid }];
  return walk({ ...graph, nodes }, 0, account) === "valid";
}

/** Account numbers like one that is given, among which are some with the other result of a test. */
function turned(kontonummer: string, { test }: MethodNode): string[] {
  const put = (from: number, digits: string) =>
    kontonummer.slice(0, from - 1) + digits + kontonummer.slice(from - 1 + digits.length);
  const all = (length: number) =>
    Array.from({ length: 10 ** length }, (_, number) => String(number).padStart(length, "0"));
  switch (test.kind) {
    case "sum":
      // Each check digit, or right neighbour, beside each value of each other digit, since the path on may be narrow.
      return Array.from({ length: 10 }, (_, at) => at + 1).flatMap((at) =>
        all(2).map((digits) => {
          const changed = put(at, digits[0]!);
          const position = test.checkPosition ?? (at % 10) + 1;
          return changed.slice(0, position - 1) + digits[1] + changed.slice(position);
        }),
      );
    case "range": {
      const length = test.to - test.from + 1;
      return [test.min - 1, test.min, test.max, test.max + 1]
        .filter((number) => number >= 0 && String(number).length <= length)
        .map((number) => put(test.from, String(number).padStart(length, "0")));
    }
    case "stepwise":
      return all(2).flatMap((digits) => [put(9, digits), put(1, digits), put(3, digits)]);
  }
}

/**
 * Finds account numbers that make every test of a method hold and fail, at a bank code.
 *
 * It begins with numbers of every length and continues from each number that has led somewhere new: each test on its way is
 * turned round in turn. Nothing is left to chance.
 */
export function methodPaths(entry: number, blz: string): MethodPaths {
  const met = new Set<Exit>();
  const waiting = Array.from({ length: 10 }, (_, zeros) => "1234567890".slice(zeros).padStart(10, "0"));
  const kontonummern: string[] = [];
  const tried = new Set<string>();
  for (let kontonummer = waiting.pop(); kontonummer !== undefined; kontonummer = waiting.pop()) {
    if (tried.has(kontonummer) || Number(kontonummer) === 0) continue;
    tried.add(kontonummer);
    const path = pathOf(entry, germanAccount(kontonummer, blz));
    const isNew = path.some((exit) => !met.has(exit));
    if (!isNew) continue;
    for (const exit of path) met.add(exit);
    kontonummern.push(kontonummer);
    for (const exit of path) {
      const number = Number.parseInt(exit, 10);
      if (met.has(`${number} true`) && met.has(`${number} false`)) continue;
      waiting.push(...turned(kontonummer, graph.nodes[number]!));
    }
  }
  return { kontonummern, met };
}
