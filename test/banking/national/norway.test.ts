import assert from "node:assert/strict";
import { test } from "node:test";
import { norwegian } from "../../../src/banking/national/algorithms.ts";
import { asciiBytes } from "../iban/bytes.ts";

function acceptedDigits(tenDigits: string): string {
  const digits = [..."0123456789"];
  return digits.filter((digit) => norwegian.matches(asciiBytes(tenDigits + digit), 0)).join("");
}

test("with 00 as fifth and sixth digit either rule is enough", () => {
  assert.equal(acceptedDigits("1503000002"), "79");
  assert.equal(norwegian.expected(asciiBytes("15030000020"), 0), "9");
});

test("with other digits only the rule over all ten counts", () => {
  assert.equal(acceptedDigits("8601111794"), "7");
  assert.equal(acceptedDigits("1503010002").length, 1);
  assert.equal(acceptedDigits("1503100002").length, 1);
});

test("the short rule is used where the rule over all digits has none", () => {
  assert.equal(acceptedDigits("0006000000"), "0");
  assert.equal(norwegian.expected(asciiBytes("00060000000"), 0), "0");
});

test("where neither rule has a digit there is no right number", () => {
  assert.equal(acceptedDigits("8601110005"), "");
  assert.equal(norwegian.expected(asciiBytes("86011100050"), 0), null);
  assert.equal(acceptedDigits("0000000006"), "");
  assert.equal(norwegian.expected(asciiBytes("00000000060"), 0), null);
});
