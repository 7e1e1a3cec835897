import assert from "node:assert/strict";
import { test } from "node:test";
import { ribKey, ribKeyWithLetters } from "../../../src/banking/national/algorithms.ts";
import { asciiBytes } from "../iban/bytes.ts";

const digitOfLetter: Record<string, string> = Object.fromEntries(
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter, index) => [letter, "12345678912345678923456789"[index]!]),
);

function keyByFormula(rib: string): number {
  const digits = rib.replaceAll(/[A-Z]/g, (letter) => digitOfLetter[letter]!);
  const [bank, branch, account] = [digits.slice(0, 5), digits.slice(5, 10), digits.slice(10)].map(BigInt);
  return 97 - Number((89n * bank! + 15n * branch! + 3n * account!) % 97n);
}

test("the key equals the published formula over bank, branch and account", () => {
  const accounts = ["0500013M026", "ABCDEFGHIJK", "LMNOPQRSTUV", "WXYZ0123456", "99999999999", "00000000000"];
  for (const account of accounts) {
    for (const bank of ["20041", "30004", "99999", "00000"]) {
      const rib = `${bank}01005${account}`;
      assert.equal(ribKeyWithLetters(asciiBytes(rib, 2), 2, 21), keyByFormula(rib), rib);
    }
  }
  assert.equal(ribKeyWithLetters(asciiBytes("20041010050500013M026"), 0, 21), 6);
});

test("without letters both RIB keys are the same", () => {
  for (let number = 0; number < 500; number++) {
    const rib = String(number * 104_729).padStart(21, "3");
    assert.equal(ribKeyWithLetters(asciiBytes(rib), 0, 21), ribKey(asciiBytes(rib), 0, 21));
  }
});
