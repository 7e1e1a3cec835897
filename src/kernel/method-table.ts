import { germanIban } from "../banking/germany/account.ts";
import type { DigitSumCheck } from "../banking/germany/check-methods/digit-sum.ts";
import { End, type MethodNode } from "../banking/germany/check-methods/graph.ts";
import { algorithmNames } from "../banking/germany/check-methods/notation.ts";
import { graph } from "../banking/germany/methods.ts";
import * as layout from "./layout.ts";
import type { TableBlock } from "./tables.ts";

/** Offsets of the tables the check-digit methods take. */
export interface MethodTables {
  readonly entries: number;
  readonly nodes: number;
}

const MOST_CONTRIBUTION = 255;

/** Lays out the decision graphs of all check-digit methods, in the order of `methodNames`. */
export function layMethods(block: TableBlock): MethodTables {
  const entries = block.words(graph.methods.map(({ entry }) => targetOf(entry)));
  const sums = graph.sums.map((sum) => {
    const { contributions, allowed } = folded(sum);
    return { contributions: block.bytes(contributions), allowed: block.words(allowed) };
  });
  const nodes = block.reserve(graph.nodes.length * layout.NODE_BYTES);
  for (const [index, node] of graph.nodes.entries()) {
    const at = nodes + index * layout.NODE_BYTES;
    block.u16(at + layout.NODE_TARGETS, targetOf(node.whenFails));
    block.u16(at + layout.NODE_TARGETS + 2, targetOf(node.whenHolds));
    writeTest(block, at, node.test, sums);
  }
  return { entries, nodes };
}

/** The kernel need not tell an account that carries no check digit from one whose check digit is right. */
function targetOf(target: number): number {
  if (target === End.invalid) return layout.TARGET_WRONG;
  if (target < 0) return layout.TARGET_RIGHT;
  if (target >= layout.TARGET_WRONG) throw new RangeError("more nodes than the kernel can number");
  return target;
}

interface SmallSum {
  readonly contributions: Uint8Array;
  readonly allowed: Uint16Array;
}

/**
 * Makes a calculation's tables small, so that many of them share the cache: where the allowed check digits repeat with
 * a period, as they do for a remainder, the contributions are taken modulo that period.
 */
function folded({ contributions, allowed }: DigitSumCheck): SmallSum {
  const period = periodOf(allowed);
  if (period > MOST_CONTRIBUTION + 1)
    throw new RangeError("a digit sum whose contributions do not fit a byte");
  const small = Uint8Array.from(contributions, (value) => value % period);
  let highest = 0;
  for (let row = 0; row < small.length; row += 10) highest += Math.max(...small.subarray(row, row + 10));
  return {
    contributions: small,
    allowed: Uint16Array.from({ length: highest + 1 }, (_, sum) => allowed[sum % period]!),
  };
}

/** The smallest period of a table: its length where it does not repeat. */
function periodOf(table: Uint16Array): number {
  let period = 1;
  while (table.some((value, index) => value !== table[index % period])) period++;
  return period;
}

function writeTest(
  block: TableBlock,
  at: number,
  test: MethodNode["test"],
  sums: readonly { readonly contributions: number; readonly allowed: number }[],
): void {
  const write = (kind: number, place: number) => {
    block.u8(at + layout.NODE_KIND, kind);
    block.u8(at + layout.NODE_PLACE, place);
  };
  switch (test.kind) {
    case "sum":
      write(layout.NODE_SUM, placeOf(test.checkPosition));
      block.u32(at + layout.NODE_CONTRIBUTIONS, sums[test.sum]!.contributions);
      block.u32(at + layout.NODE_ALLOWED, sums[test.sum]!.allowed);
      return;
    case "digit":
    case "pair":
      write(test.kind === "digit" ? layout.NODE_DIGIT : layout.NODE_DIGIT_PAIR, placeOf(test.from));
      writeMembers(block, at, test.members);
      return;
    case "length":
      write(layout.NODE_LENGTH, 0);
      writeMembers(block, at, test.members);
      return;
    case "range":
      write(layout.NODE_RANGE, placeOf(test.from));
      block.u8(at + layout.NODE_LAST_PLACE, placeOf(test.to));
      block.u64(at + layout.NODE_FIRST, BigInt(test.min));
      block.u64(at + layout.NODE_SECOND, BigInt(test.max));
      return;
    case "stepwise":
      write(layout.NODE_STEPWISE, algorithmNames.indexOf(test.algorithm));
  }
}

function placeOf(position: number): number {
  return germanIban.kontonummer.start + position - 1;
}

function writeMembers(block: TableBlock, at: number, members: readonly number[]): void {
  let bits = 0n;
  for (const member of members) bits |= 1n << BigInt(member);
  block.u64(at + layout.NODE_FIRST, BigInt.asUintN(64, bits));
  block.u64(at + layout.NODE_SECOND, bits >> 64n);
}
