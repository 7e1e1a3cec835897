import assert from "node:assert/strict";
import { test } from "node:test";
import {
  completesEleven,
  completesElevenTenAsOne,
  weighted,
} from "../../../src/banking/national/weighted.ts";
import { asciiBytes } from "../iban/bytes.ts";

test("a remainder without a digit has no right number", () => {
  const check = weighted([{ from: 0, weights: [1], at: 1, digits: completesEleven }]);
  assert.equal(check.expected(asciiBytes("10"), 0), null);
  for (let digit = 0; digit < 10; digit++) assert.equal(check.matches(asciiBytes(`1${digit}`), 0), false);
  assert.equal(check.expected(asciiBytes("00"), 0), "0");
  assert.equal(check.expected(asciiBytes("20"), 0), "9");
});

test("one impossible digit of two makes both impossible", () => {
  const check = weighted([
    { from: 0, weights: [1], at: 1, digits: completesEleven },
    { from: 2, weights: [1], at: 3, digits: completesElevenTenAsOne },
  ]);
  assert.equal(check.expected(asciiBytes("1010"), 0), null);
  assert.equal(check.expected(asciiBytes("2010"), 0), "91");
  assert.equal(check.matches(asciiBytes("2911"), 0), true);
  assert.equal(check.matches(asciiBytes("2910"), 0), false);
});

test("neighbouring check digits make one span, separate ones make two", () => {
  const digit = { from: 0, weights: [1], digits: completesEleven };
  assert.deepEqual(
    weighted([
      { ...digit, at: 8 },
      { ...digit, at: 9 },
    ]).spans,
    [{ start: 8, length: 2 }],
  );
  assert.deepEqual(
    weighted([
      { ...digit, at: 7 },
      { ...digit, at: 9 },
    ]).spans,
    [
      { start: 7, length: 1 },
      { start: 9, length: 1 },
    ],
  );
});
