import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isWithinOneEdit } from "../../../src/banks/search/one-edit.ts";

/** Optimal string alignment distance by the textbook table. */
function distance(a: string, b: string): number {
  const table: number[][] = [];
  for (let row = 0; row <= a.length; row++) {
    const line: number[] = [];
    table.push(line);
    for (let column = 0; column <= b.length; column++) {
      if (row === 0 || column === 0) {
        line.push(row + column);
        continue;
      }
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(
        table[row - 1]![column]! + 1,
        line[column - 1]! + 1,
        table[row - 1]![column - 1]! + cost,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, table[row - 2]![column - 2]! + 1);
      line.push(least);
    }
  }
  return table[a.length]![b.length]!;
}

test("two words are within one typo exactly where their optimal string alignment distance is at most 1", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 7 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      assert.equal(isWithinOneEdit(a, b), distance(a, b) <= 1);
    }),
    { numRuns: 5_000 },
  );
});

test("each kind of typo is one, and two of them are too many", () => {
  for (const typo of ["munchen", "unchen", "muchen", "munchenn", "mumchen", "mnuchen", "muncehn"])
    assert.ok(isWithinOneEdit(typo, "munchen"), typo);
  for (const typo of ["nmucehn", "muche", "monchenn", "m", ""])
    assert.ok(!isWithinOneEdit(typo, "munchen"), typo);
});
