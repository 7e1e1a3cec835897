import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import table from "../../../../data/de-check-methods.json" with { type: "json" };
import { methodDefinitions } from "../../../../src/banking/germany/methods.ts";
import { sharedFile } from "../../../shared.ts";

// The specification may be beside a checkout; the table is its copy, and must not drift from it.
const specification = sharedFile("spec/de-check-methods.md");
if (specification !== undefined) {
  test("every line of the specification is in the table", () => {
    const text = readFileSync(specification, "utf8");
    const rows = [...text.matchAll(/^\| ([0-9A-E]\d) \| `(.*)` \|$/gm)];
    assert.ok(rows.length > 0);
    const methods: Readonly<Record<string, string>> = table.methods;
    for (const [, method = "", line] of rows) assert.equal(methods[method], line, method);
  });
}

test("the tables of the iterated transformation are permutations", () => {
  for (const row of table.algorithms.m10h.rows) {
    assert.deepEqual(
      [...row].sort((left, right) => left - right),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  }
});

test("each definition ends with a clause that always applies, and only that one does", () => {
  for (const { method, clauses } of methodDefinitions) {
    assert.deepEqual(
      clauses.map(({ when }) => when === null),
      clauses.map((_, index) => index === clauses.length - 1),
      method,
    );
  }
});
