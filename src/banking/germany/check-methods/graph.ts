import type { DigitSumCheck } from "./digit-sum.ts";
import type { AlgorithmName } from "./named-algorithms.ts";

/** Test of an account at a node; positions count the ten digits from 1. */
export type NodeTest =
  /** A calculation allows the check digit; its position is null where the sum alone decides. */
  | { readonly kind: "sum"; readonly sum: number; readonly checkPosition: number | null }
  /** The digit at a position is one of those whose bits are set. */
  | { readonly kind: "digit"; readonly position: number; readonly allowed: number }
  /** Digits read as a number are in a range, both ends included. */
  | {
      readonly kind: "range";
      readonly from: number;
      readonly to: number;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: "stepwise"; readonly algorithm: AlgorithmName; readonly checkPosition: number };

/** Targets that end a graph; 0 and above are the numbers of nodes. The index of the verdict is -1 minus the target. */
export const End = { invalid: -1, valid: -2, unchecked: -3 } as const;

/** A test and where to go from it: the number of another node or an `End`. */
export interface MethodNode {
  readonly test: NodeTest;
  readonly whenHolds: number;
  readonly whenFails: number;
}

/** Where a method begins in the graph. */
export interface MethodEntries {
  readonly entry: number;
  /** Where each alternative of `else` alone begins, in the branch of `when` that applies to the number. */
  readonly variants: readonly number[];
}

/**
 * Check-digit methods as decision graphs over shared nodes, for any executor that can follow numbers.
 *
 * A node is a test with two ways out. `else` is the way on from a test that fails; `when` is a test before the variants
 * of its clause and before the next clause.
 */
export interface MethodGraph {
  /** Each test and pair of targets once; a node only leads to nodes before it. */
  readonly nodes: readonly MethodNode[];
  /** Each calculation once; a sum node names its index. */
  readonly sums: readonly DigitSumCheck[];
  /** One per method, in the order given. */
  readonly methods: readonly MethodEntries[];
}

/** Adds its tests, on the number moved `shift` places to the left, and returns the first; the others follow it. */
export type Condition = (graph: GraphBuilder, shift: number, holds: number, fails: number) => number;

/** As a condition, for something that may accept the number; `next` is where to go if it does not. */
export type Variant = (graph: GraphBuilder, shift: number, next: number) => number;

/** Takes nodes from the last to the first; of equal nodes and calculations each is kept once. */
export class GraphBuilder {
  readonly nodes: MethodNode[] = [];
  readonly sums: DigitSumCheck[] = [];
  readonly #indexes = new Map<string, number>();

  /** Returns the number of a node. */
  node(test: NodeTest, whenHolds: number, whenFails: number): number {
    const node = { test, whenHolds, whenFails };
    return this.#indexOf(JSON.stringify(node), this.nodes, node);
  }

  /** Returns the index of a calculation. */
  sum(sum: DigitSumCheck): number {
    // One character per number: joining the tables with commas would take most of the building.
    return this.#indexOf(String.fromCharCode(...sum.contributions, ...sum.allowed), this.sums, sum);
  }

  #indexOf<Item>(key: string, items: Item[], item: Item): number {
    const index = this.#indexes.get(key) ?? items.push(item) - 1;
    this.#indexes.set(key, index);
    return index;
  }
}
