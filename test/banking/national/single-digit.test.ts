import assert from "node:assert/strict";
import { test } from "node:test";
import { cin, luhn, mod11And10 } from "../../../src/banking/national/algorithms.ts";
import type { CheckDigitBlock } from "../../../src/banking/national/weighted.ts";
import { asciiBytes } from "../iban/bytes.ts";

function accepted(check: CheckDigitBlock, candidates: readonly string[]): string[] {
  return candidates.filter((candidate) => check.matches(asciiBytes(candidate, 3), 3));
}

function withLastDigits(body: string): string[] {
  return [..."0123456789"].map((digit) => body + digit);
}

test("Luhn's formula accepts one of ten last digits, doubling from the right", () => {
  assert.deepEqual(accepted(luhn(14), withLastDigits("1234560000078")), ["12345600000785"]);
  assert.deepEqual(accepted(luhn(11), withLastDigits("7992739871")), ["79927398713"]);
  assert.deepEqual(accepted(luhn(2), withLastDigits("0")), ["00"]);
  assert.equal(luhn(11).expected(asciiBytes("79927398710"), 0), "3");
});

test("ISO 7064 MOD 11,10 accepts one of ten last digits in each part", () => {
  const whole = mod11And10([{ start: 0, length: 5 }]);
  // The standard's own example.
  assert.deepEqual(accepted(whole, withLastDigits("0794")), ["07945"]);
  assert.equal(whole.expected(asciiBytes("07940"), 0), "5");
  const croatia = mod11And10([
    { start: 0, length: 7 },
    { start: 7, length: 10 },
  ]);
  assert.equal(croatia.expected(asciiBytes("10010001863000165"), 0), "50");
  assert.deepEqual(croatia.spans, [
    { start: 6, length: 1 },
    { start: 16, length: 1 },
  ]);
});

test("the CIN accepts one of 26 letters", () => {
  const bban = "0542811101000000123456";
  const candidates = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter) => letter + bban);
  assert.deepEqual(accepted(cin(23), candidates), [`X${bban}`]);
  assert.equal(cin(23).expected(asciiBytes(`A${bban}`), 0), "X");
});

test("the CIN counts every digit and letter by the place it is in", () => {
  // Alone in an otherwise zero number, a character shifts the letter by what its place makes it count.
  const zero = "0".repeat(22);
  const letterOf = (bban: string) =>
    cin(23)
      .expected(asciiBytes(`A${bban}`), 0)!
      .charCodeAt(0) - 65;
  const base = letterOf(zero);
  assert.equal(base, 11);
  const even = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map(
    (letter) => (letterOf(`0${letter}${zero.slice(2)}`) - base + 26) % 26,
  );
  assert.deepEqual(
    even,
    Array.from({ length: 26 }, (_, index) => index),
  );
  const odd = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map(
    (letter) => (letterOf(letter + zero.slice(1)) - base + 27) % 26,
  );
  const specified = [
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
  ];
  assert.deepEqual(odd, specified);
  const oddDigits = [..."0123456789"].map((digit) => (letterOf(digit + zero.slice(1)) - base + 27) % 26);
  assert.deepEqual(oddDigits, specified.slice(0, 10));
});
