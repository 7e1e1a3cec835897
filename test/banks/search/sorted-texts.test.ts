import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nearest, sortedTexts } from "../../../src/banks/search/sorted-texts.ts";

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
      const above = table[row - 1]!;
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + cost);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, table[row - 2]![column - 2]! + 1);
      line.push(least);
    }
  }
  return table[a.length]![b.length]!;
}

/** The words that are found for one asked for. */
function foundFor(asked: string, words: readonly string[], typos = 1): string[] {
  const sorted = [...new Set(words)].sort();
  return nearest(sortedTexts(sorted), asked, typos).map((number) => sorted[number]!);
}

test("exactly the words are found whose optimal string alignment distance is at most 1, or else at most 2", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 9 });
  const words = fc.array(word, { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(word, words, (asked, all) => {
      const within = (typos: number) =>
        [...new Set(all)].filter((other) => distance(asked, other) <= typos).sort();
      assert.deepEqual(foundFor(asked, all), within(1));
      assert.deepEqual(foundFor(asked, all, 2), within(1).length > 0 ? within(1) : within(2));
    }),
    { numRuns: 2_000 },
  );
});

test("words that are longer than any are found by a typo too", () => {
  const long = "donaudampfschifffahrtsgesellschaftskasse";
  for (const asked of [long, long.slice(1), `${long}n`, long.replace("kasse", "kases"), `x${long.slice(1)}`])
    assert.deepEqual(foundFor(asked, [long, "donau", "kasse"]), [long], asked);
  assert.deepEqual(foundFor(`${long}nn`, [long]), []);
});
