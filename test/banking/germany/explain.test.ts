import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkByMethod, explainMethod, methodNames } from "../../../src/banking/germany/methods.ts";

test("the explanation of a wrong number names the right check digit", () => {
  assert.deepEqual(explainMethod("00", "9290702"), {
    verdict: "invalid",
    variant: null,
    checkDigitPosition: 10,
    expectedCheckDigits: ["1"],
  });
});

test("the explanation of a right number names the variant that accepted it and the check digit's position", () => {
  const facts = ({ variant, checkDigitPosition }: ReturnType<typeof explainMethod>) => [
    variant,
    checkDigitPosition,
  ];
  assert.deepEqual(facts(explainMethod("00", "9290701")), [1, 10]);
  assert.deepEqual(facts(explainMethod("13", "12345500")), [1, 8]);
  assert.deepEqual(facts(explainMethod("13", "123455")), [2, 10]);
  assert.deepEqual(facts(explainMethod("63", "123456600")), [1, 8]);
  assert.deepEqual(facts(explainMethod("63", "123455")), [2, 10]);
  assert.deepEqual(facts(explainMethod("C7", "123456600")), [1, 8]);
  assert.deepEqual(facts(explainMethod("C7", "94012341")), [2, 10]);
  assert.deepEqual(facts(explainMethod("52", "43001500", "13051172")), [1, 4]);
});

test("the two rules for ledger accounts are separate variants", () => {
  assert.equal(explainMethod("81", "199100002").variant, 1);
  assert.equal(explainMethod("81", "2599100003").variant, 2);
});

test("a rule that only tests the sum has no check digit position", () => {
  const right = explainMethod("77", "10338");
  assert.deepEqual([right.verdict, right.variant, right.checkDigitPosition], ["valid", 2, null]);
  const wrong = explainMethod("77", "10339");
  assert.deepEqual(
    [wrong.verdict, wrong.checkDigitPosition, wrong.expectedCheckDigits],
    ["invalid", null, []],
  );
});

test("where the first variant cannot be met, the position of one that can is reported", () => {
  // Digits 2-7 of 0041007260 leave remainder 10, which no check digit at position 8 meets.
  assert.deepEqual(explainMethod("76", "41007260"), {
    verdict: "invalid",
    variant: null,
    checkDigitPosition: 10,
    expectedCheckDigits: ["9"],
  });
  assert.equal(checkByMethod("76", "41007269"), "valid");
});

test("no check digit is named for a number that none makes right", () => {
  // Remainder 1 makes a number unusable under method 02.
  const { verdict, checkDigitPosition, expectedCheckDigits } = explainMethod("02", "1000000051");
  assert.deepEqual([verdict, checkDigitPosition, expectedCheckDigits], ["invalid", 10, []]);
});

test("nothing is said of what is unchecked, malformed or unknown", () => {
  const silent = { variant: null, checkDigitPosition: null, expectedCheckDigits: [] };
  assert.deepEqual(explainMethod("09", "123"), { verdict: "unchecked", ...silent });
  assert.deepEqual(explainMethod("00", "12x"), { verdict: "invalid", ...silent });
  assert.deepEqual(explainMethod("12", "123"), { verdict: "unknown_method", ...silent });
  assert.deepEqual(explainMethod("79", "123456789"), { verdict: "invalid", ...silent });
});

test("every expected check digit makes the number valid, and no other does", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...methodNames),
      fc.integer({ min: 1, max: 9_999_999_999 }),
      (method, number) => {
        const padded = String(number).padStart(10, "0");
        const { verdict, variant, checkDigitPosition, expectedCheckDigits } = explainMethod(
          method,
          padded,
          "13051172",
        );
        assert.equal(verdict, checkByMethod(method, padded, "13051172"));
        assert.equal(variant !== null, verdict === "valid");
        if (verdict !== "invalid") assert.deepEqual(expectedCheckDigits, []);
        else if (checkDigitPosition !== null) {
          const fitting = [..."0123456789"].filter((digit) => {
            const tried = padded.slice(0, checkDigitPosition - 1) + digit + padded.slice(checkDigitPosition);
            return checkByMethod(method, tried, "13051172") === "valid";
          });
          assert.deepEqual(expectedCheckDigits, fitting);
        }
      },
    ),
    { numRuns: 1000 },
  );
});
