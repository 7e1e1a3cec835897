import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { germanAccount } from "../../../src/banking/germany/account.ts";
import {
  checkByMethod,
  checkMethod,
  explainMethod,
  methodIndexOf,
  methodNames,
} from "../../../src/banking/germany/methods.ts";

test("an explanation names the variant that accepted a number, or the place of the check digit and the right ones", () => {
  for (const [method, kontonummer, verdict, variant, checkDigitPosition, digits = "", blz] of [
    ["00", "9290702", "invalid", null, 10, "1"],
    ["00", "9290701", "valid", 1, 10],
    ["13", "12345500", "valid", 1, 8],
    ["13", "123455", "valid", 2, 10],
    ["63", "123456600", "valid", 1, 8],
    ["63", "123455", "valid", 2, 10],
    ["C7", "123456600", "valid", 1, 8],
    ["C7", "94012341", "valid", 2, 10],
    ["52", "43001500", "valid", 1, 4, "", "13051172"],
    // The two rules for ledger accounts are separate variants.
    ["81", "199100002", "valid", 1, 10],
    ["81", "2599100003", "valid", 2, 10],
    // A rule that only tests the sum has no check digit.
    ["77", "10338", "valid", 2, null],
    ["77", "10339", "invalid", null, null],
    // Digits 2-7 of 0041007260 leave remainder 10, which no check digit at position 8 meets: that of the next variant.
    ["76", "41007260", "invalid", null, 10, "9"],
    ["76", "41007269", "valid", 2, 10],
    // Account type 3 has no check digit, and ten digits are not tried without the sub-account.
    ["76", "3170560492", "invalid", null, null],
    // Remainder 1 makes a number unusable under method 02.
    ["02", "1000000051", "invalid", null, 10],
    // Nothing is said of what is unchecked, malformed or unknown.
    ["09", "123", "unchecked", null, null],
    ["00", "12x", "invalid", null, null],
    ["12", "123", "unknown_method", null, null],
    ["79", "123456789", "invalid", null, null],
  ] as const) {
    const expected = { verdict, variant, checkDigitPosition, expectedCheckDigits: [...digits] };
    assert.deepEqual(explainMethod(method, kontonummer, blz), expected, `${method} ${kontonummer}`);
  }
});

test("every expected check digit makes the number valid, and no other does", () => {
  const [method, number] = [fc.constantFrom(...methodNames), fc.integer({ min: 1, max: 9_999_999_999 })];
  const blz = "13051172";
  fc.assert(
    fc.property(method, number, (method, number) => {
      const padded = String(number).padStart(10, "0");
      const explained = explainMethod(method, padded, blz);
      const { verdict, variant, checkDigitPosition, expectedCheckDigits } = explained;
      assert.equal(verdict, checkByMethod(method, padded, blz));
      assert.equal(variant !== null, verdict === "valid");
      const account = germanAccount(padded, blz);
      for (let asked = 0; asked <= (variant ?? 0); asked++) {
        const isAccepted = checkMethod(methodIndexOf(method), account, asked) === "valid";
        assert.equal(isAccepted, asked === variant);
      }
      if (verdict !== "invalid") assert.deepEqual(expectedCheckDigits, []);
      else if (checkDigitPosition !== null) {
        const fitting = [..."0123456789"].filter((digit) => {
          const tried = [...padded].with(checkDigitPosition - 1, digit).join("");
          return checkByMethod(method, tried, blz) === "valid";
        });
        assert.deepEqual(expectedCheckDigits, fitting);
      }
    }),
    { numRuns: 1000 },
  );
});
