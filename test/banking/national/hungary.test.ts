import assert from "node:assert/strict";
import { test } from "node:test";
import { hungarian } from "../../../src/banking/national/algorithms.ts";
import { asciiBytes } from "../iban/bytes.ts";

function expected(bban: string): string | null {
  return hungarian.expected(asciiBytes(bban, 4), 4);
}

test("a short account is repaired in the 16th place and keeps its eight zeros", () => {
  assert.equal(expected("117730161111101800000000"), "680");
  assert.equal(expected("117730101111101300000000"), "680");
});

test("a long account is repaired in the 24th place and keeps its 16th digit", () => {
  assert.equal(expected("117730161111101111111118"), "618");
  assert.equal(expected("117730161111101111111110"), "618");
});

test("both parts must be right", () => {
  assert.equal(hungarian.matches(asciiBytes("117730161111101800000000"), 0), true);
  assert.equal(hungarian.matches(asciiBytes("117730171111101800000000"), 0), false);
  assert.equal(hungarian.matches(asciiBytes("117730161111101900000000"), 0), false);
});
