import { KONTONUMMER_LENGTH } from "../banking/germany/account.ts";
import { type DigitSumCheck, digitSumOf } from "../banking/germany/check-methods/digit-sum.ts";
import { namedAlgorithms } from "../banking/germany/check-methods/named-algorithms.ts";
import {
  type AlgorithmName,
  algorithmNames,
  type Block,
  type Clause,
  type Condition,
  type MethodDefinition,
  type NumberRange,
} from "../banking/germany/check-methods/notation.ts";
import { TARGET_RIGHT, TARGET_WRONG } from "./layout.ts";

/** What a node asks of an account; places are digit positions 1 to 10. */
export type NodeTest =
  | { readonly kind: "sum"; readonly sum: number; readonly checkPosition: number }
  | { readonly kind: "digit" | "pair"; readonly from: number; readonly members: readonly number[] }
  | { readonly kind: "length"; readonly members: readonly number[] }
  | {
      readonly kind: "range";
      readonly from: number;
      readonly to: number;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: "stepwise"; readonly algorithm: number };

/** A test and where to go from it: the number of another node, TARGET_RIGHT or TARGET_WRONG. */
export interface MethodNode {
  readonly test: NodeTest;
  readonly whenFails: number;
  readonly whenHolds: number;
}

/** Check-digit methods as decision graphs over shared nodes. */
export interface MethodGraph {
  /** Each test and pair of targets once. */
  readonly nodes: readonly MethodNode[];
  /** Each calculation once; a sum node names its place. */
  readonly sums: readonly DigitSumCheck[];
  /** Per method: where to begin. */
  readonly entries: readonly number[];
}

const ALL_DIGITS = { from: 1, to: KONTONUMMER_LENGTH } as const;

/**
 * Turns method definitions into decision graphs that end in "right" (valid or unchecked) or "wrong".
 *
 * The same meaning as `compileMethods`, for an executor without functions: `else` is the way on where a test fails,
 * `when` a test whose two ways lead to its variants and to the next clause.
 */
export function methodGraph(definitions: readonly MethodDefinition[]): MethodGraph {
  const byName = new Map(definitions.map(({ method, clauses }) => [method, clauses]));
  const nodes = new Register<MethodNode>((node) => JSON.stringify(node));
  const sums = new Register<DigitSumCheck>(
    ({ contributions, allowed }) => textOf(contributions) + textOf(allowed),
  );

  function clausesNode(clauses: readonly Clause[], shift: number, otherwise: number): number {
    return clauses.reduceRight((rest, { when, variants }) => {
      const first = variants.reduceRight((next, block) => blockNode(block, shift, next), otherwise);
      return when === null ? first : conditionNode(when, shift, first, rest);
    }, otherwise);
  }

  function blockNode(block: Block, shift: number, next: number): number {
    switch (block.kind) {
      case "ok":
        return TARGET_RIGHT;
      case "no":
        return next;
      case "sum":
        return sumNode(digitSumOf(block, shift), next);
      case "algorithm":
        return algorithmNode(block.name, next);
      case "method":
        return clausesNode(byName.get(block.method)!, shift, next);
      case "definition":
        return clausesNode(block.clauses, shift, next);
      case "shift": {
        const longest = KONTONUMMER_LENGTH - shift - block.by;
        const shifted = clausesNode(block.clauses, shift + block.by, next);
        return nodes.place({
          test: { kind: "length", members: numbersIn([{ min: 0, max: longest }], KONTONUMMER_LENGTH) },
          whenFails: next,
          whenHolds: shifted,
        });
      }
    }
  }

  function sumNode(check: DigitSumCheck, next: number): number {
    const test = {
      kind: "sum",
      sum: sums.place(check),
      checkPosition: check.checkPosition ?? KONTONUMMER_LENGTH,
    } as const;
    return nodes.place({ test, whenFails: next, whenHolds: TARGET_RIGHT });
  }

  function algorithmNode(name: AlgorithmName, next: number): number {
    const algorithm = namedAlgorithms[name];
    if (!("check" in algorithm)) return sumNode(algorithm, next);
    const test = { kind: "stepwise", algorithm: algorithmNames.indexOf(name) } as const;
    return nodes.place({ test, whenFails: next, whenHolds: TARGET_RIGHT });
  }

  function conditionNode(condition: Condition, shift: number, holds: number, fails: number): number {
    switch (condition.kind) {
      case "not":
        return conditionNode(condition.operand, shift, fails, holds);
      case "and":
        return condition.operands.reduceRight(
          (next, operand) => conditionNode(operand, shift, next, fails),
          holds,
        );
      case "or":
        return condition.operands.reduceRight(
          (next, operand) => conditionNode(operand, shift, holds, next),
          fails,
        );
      case "in":
        return testsOf(condition, shift).reduceRight(
          (next, test) => nodes.place({ test, whenFails: next, whenHolds: holds }),
          fails,
        );
    }
  }

  const entries = definitions.map(({ clauses }) => clausesNode(clauses, 0, TARGET_WRONG));
  return { nodes: nodes.all, sums: sums.all, entries };
}

/** The tests of which at least one must hold. */
function testsOf({ subject, ranges }: Condition & { kind: "in" }, shift: number): readonly NodeTest[] {
  if (subject.kind === "length") return [{ kind: "length", members: numbersIn(ranges, KONTONUMMER_LENGTH) }];
  const { from, to } =
    subject.kind === "value" ? ALL_DIGITS : { from: subject.from + shift, to: subject.to + shift };
  if (from === to) return [{ kind: "digit", from, members: numbersIn(ranges, 9) }];
  if (from + 1 === to) return [{ kind: "pair", from, members: numbersIn(ranges, 99) }];
  const highest = 10 ** (to - from + 1) - 1;
  return ranges.map(({ min, max }) => ({ kind: "range", from, to, min, max: Math.min(max, highest) }));
}

function numbersIn(ranges: readonly NumberRange[], highest: number): readonly number[] {
  return Array.from({ length: highest + 1 }, (_, number) => number).filter((number) =>
    ranges.some(({ min, max }) => number >= min && number <= max),
  );
}

/** A table as a key: one character per byte, since joining its numbers would take the most of building the graphs. */
function textOf({ buffer, byteOffset, byteLength }: Uint16Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
}

/** Keeps each entry once and gives its place. */
class Register<Entry> {
  readonly all: Entry[] = [];
  readonly #keyOf: (entry: Entry) => string;
  readonly #places = new Map<string, number>();

  constructor(keyOf: (entry: Entry) => string) {
    this.#keyOf = keyOf;
  }

  place(entry: Entry): number {
    const key = this.#keyOf(entry);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.all.length);
    return this.all.push(entry) - 1;
  }
}
