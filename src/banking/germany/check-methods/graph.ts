import { KONTONUMMER_LENGTH } from "../account.ts";
import { allowedBy, type DigitSumCheck, sumRules, tabulate } from "./digit-sum.ts";
import { type AlgorithmName, namedAlgorithms } from "./named-algorithms.ts";
import type { Clause, Condition, MethodDefinition, NumberRange, SumBlock, Variant } from "./notation.ts";

/** Test of an account at a node; positions count the ten digits from 1. */
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
  | { readonly kind: "stepwise"; readonly algorithm: AlgorithmName };

/** Targets that end a graph; 0 and above are the numbers of nodes. The index of the verdict is -1 minus the target. */
export const End = { invalid: -1, valid: -2, unchecked: -3 } as const;

/** A test and where to go from it: the number of another node or an `End`. */
export interface MethodNode {
  readonly test: NodeTest;
  readonly whenFails: number;
  readonly whenHolds: number;
}

/** A method, or a definition used inside one: where it begins in the graph, as a whole and part by part. */
export interface MethodPlan {
  readonly entry: number;
  /** The last one always applies. */
  readonly clauses: readonly ClausePlan[];
}

/** A clause; `applies` is where to ask whether it does, null if it always does. */
export interface ClausePlan {
  readonly applies: number | null;
  readonly variants: readonly VariantPlan[];
}

/** One alternative of `else`, decided alone. */
export interface VariantPlan {
  readonly entry: number;
  /** Position 1-10 of its check digit; null if it has none of its own. */
  readonly checkPosition: number | null;
  /** The definition that it stands for, where it is not a calculation itself. */
  readonly definition: MethodPlan | null;
}

/** Check-digit methods as decision graphs over shared nodes. */
export interface MethodGraph {
  /** Each test and pair of targets once; a node only leads to nodes before it. */
  readonly nodes: readonly MethodNode[];
  /** Each calculation once; a sum node names its index. */
  readonly sums: readonly DigitSumCheck[];
  /** One per definition, in the order given. */
  readonly methods: readonly MethodPlan[];
}

const ALL_DIGITS = { from: 1, to: KONTONUMMER_LENGTH } as const;

/**
 * Turns method definitions into decision graphs, for any executor that can follow numbers.
 *
 * A node is a test with two ways out. `else` is the way on from a test that fails; `when` is a test before the variants
 * of its clause and before the next clause. Throws an Error that names the method whose definition refers to an
 * unknown method or to itself, or shifts something that cannot be shifted.
 */
export function methodGraph(definitions: readonly MethodDefinition[]): MethodGraph {
  const byName = new Map(definitions.map(({ method, clauses }) => [method, clauses]));
  const nodes = new Register<MethodNode>((node) => JSON.stringify(node));
  const sums = new Register<DigitSumCheck>(
    ({ contributions, allowed }) => textOf(contributions) + textOf(allowed),
  );
  const sumsByShift: Map<SumBlock, number>[] = [];
  const pending: string[] = [];

  /** Goes into another method; one that leads back to itself would never end. */
  function within<Result>(method: string, work: (clauses: readonly Clause[]) => Result): Result {
    const clauses = byName.get(method);
    if (clauses === undefined) throw new RangeError(`there is no method ${method} to refer to`);
    if (pending.includes(method)) throw new RangeError(`method ${method} refers to itself`);
    pending.push(method);
    const result = work(clauses);
    pending.pop();
    return result;
  }

  function clausesNode(clauses: readonly Clause[], shift: number, otherwise: number): number {
    return clauses.reduceRight((rest, { when, variants }) => {
      const first = variants.reduceRight((next, variant) => variantNode(variant, shift, next), otherwise);
      return when === null ? first : conditionNode(when, shift, first, rest);
    }, otherwise);
  }

  function variantNode(variant: Variant, shift: number, next: number): number {
    switch (variant.kind) {
      case "ok":
        return End.unchecked;
      case "no":
        return next;
      case "sum":
        return sumNode(
          sumOf(variant, shift),
          variant.checkPosition === null ? null : variant.checkPosition + shift,
          next,
        );
      case "algorithm":
        return algorithmNode(variant.name, shift, next);
      case "method":
        return within(variant.method, (clauses) => clausesNode(clauses, shift, next));
      case "definition":
        return clausesNode(variant.clauses, shift, next);
      case "shift": {
        // The digits that a shift pushes out must be zero, so only short numbers can be shifted.
        const longest = KONTONUMMER_LENGTH - shift - variant.by;
        const shifted = clausesNode(variant.clauses, shift + variant.by, next);
        return nodes.place({
          test: { kind: "length", members: numbersIn([{ min: 0, max: longest }], KONTONUMMER_LENGTH) },
          whenFails: next,
          whenHolds: shifted,
        });
      }
    }
  }

  /** Methods refer to each other: most calculations are met several times, and their tables take most of the building. */
  function sumOf(block: SumBlock, shift: number): number {
    const known = sumsByShift[shift]?.get(block);
    if (known !== undefined) return known;
    const sum = sums.place(digitSumOf(block, shift));
    sumsByShift[shift] = (sumsByShift[shift] ?? new Map()).set(block, sum);
    return sum;
  }

  function sumNode(sum: number, checkPosition: number | null, next: number): number {
    // Where the sum alone decides, every digit is allowed or none, so any position will do.
    const test = { kind: "sum", sum, checkPosition: checkPosition ?? KONTONUMMER_LENGTH } as const;
    return nodes.place({ test, whenFails: next, whenHolds: End.valid });
  }

  function algorithmNode(name: AlgorithmName, shift: number, next: number): number {
    if (shift > 0) throw new RangeError(`${name} cannot be shifted`);
    const algorithm = namedAlgorithms[name];
    if (!("check" in algorithm)) return sumNode(sums.place(algorithm), algorithm.checkPosition, next);
    return nodes.place({
      test: { kind: "stepwise", algorithm: name },
      whenFails: next,
      whenHolds: End.valid,
    });
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

  function planOf(clauses: readonly Clause[], shift: number): MethodPlan {
    return {
      entry: clausesNode(clauses, shift, End.invalid),
      clauses: clauses.map(({ when, variants }) => ({
        applies: when === null ? null : conditionNode(when, shift, End.valid, End.invalid),
        variants: variants.map((variant) => variantOf(variant, shift)),
      })),
    };
  }

  function variantOf(variant: Variant, shift: number): VariantPlan {
    return {
      entry: variantNode(variant, shift, End.invalid),
      checkPosition: checkPositionOf(variant, shift),
      definition: definitionOf(variant, shift),
    };
  }

  function definitionOf(variant: Variant, shift: number): MethodPlan | null {
    if (variant.kind === "method") return within(variant.method, (clauses) => planOf(clauses, shift));
    if (variant.kind === "definition") return planOf(variant.clauses, shift);
    return variant.kind === "shift" ? planOf(variant.clauses, shift + variant.by) : null;
  }

  const methods = definitions.map(({ method }) => {
    try {
      return within(method, (clauses) => planOf(clauses, 0));
    } catch (error) {
      throw new Error(`check-digit method ${method}: ${(error as Error).message}`, { cause: error });
    }
  });
  return { nodes: nodes.all, sums: sums.all, methods };
}

function checkPositionOf(variant: Variant, shift: number): number | null {
  if (variant.kind === "algorithm") return namedAlgorithms[variant.name].checkPosition;
  if (variant.kind !== "sum" || variant.checkPosition === null) return null;
  return variant.checkPosition + shift;
}

/**
 * Returns the tables of a sum block applied to the number moved `shift` places to the left.
 *
 * The shift is applied by reading each position that many places further right; throws a RangeError
 * where that leaves the ten digits.
 */
function digitSumOf(block: SumBlock, shift: number): DigitSumCheck {
  const { term, reduce, digits } = sumRules[block.rule];
  const checkPosition = block.checkPosition === null ? null : block.checkPosition + shift;
  if (
    Math.max(checkPosition ?? 0, ...block.positions.map((position) => position + shift)) > KONTONUMMER_LENGTH
  ) {
    throw new RangeError(`${block.rule} shifted by ${shift} places reads beyond digit ${KONTONUMMER_LENGTH}`);
  }
  const outcomes = digits.map(
    (digit, remainder) => block.remainders.find((stated) => stated.remainder === remainder)?.outcome ?? digit,
  );
  return tabulate(
    checkPosition,
    (position, digit) => {
      const index = block.positions.indexOf(position - shift);
      return index < 0 ? 0 : term(digit * block.weights[index]!);
    },
    (sum) => {
      const reduced = (reduce?.(sum) ?? sum) + block.plus;
      return reduced < 0 ? 0 : allowedBy(outcomes[reduced % outcomes.length]!);
    },
  );
}

/** The tests of which at least one must hold, as they apply to the number moved `shift` places to the left. */
function testsOf({ subject, ranges }: Condition & { kind: "in" }, shift: number): readonly NodeTest[] {
  if (subject.kind !== "digits" && shift > 0) {
    throw new RangeError(`a shifted number has no ${subject.kind} to test`);
  }
  if (subject.kind === "length") return [{ kind: "length", members: numbersIn(ranges, KONTONUMMER_LENGTH) }];
  const { from, to } =
    subject.kind === "value" ? ALL_DIGITS : { from: subject.from + shift, to: subject.to + shift };
  if (to > KONTONUMMER_LENGTH) {
    throw new RangeError(`a shift by ${shift} leaves no digit ${to - shift} to test`);
  }
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

/** A table as a key: one character per number, since joining them with commas would take most of the building. */
function textOf(table: Uint16Array): string {
  return String.fromCharCode(...table);
}

/** Keeps each entry once and returns its index. */
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
