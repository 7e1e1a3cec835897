import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkByMethod, methodNames } from "../../../src/banking/germany/methods.ts";
import { accountNumbers } from "./account-numbers.ts";
import { naiveVerdict } from "./naive-check.ts";

const blz = fc.constantFrom("13051172", "43001500", "16052072", "70550000");
const positions = fc.constantFrom(10, 10, 10, 8, 7, 4, 3, 9, 6);

for (const method of methodNames) {
  test(`method ${method} accepts exactly the check digits of a slow reading of its definition`, () => {
    fc.assert(
      fc.property(accountNumbers, positions, blz, (number, position, bank) => {
        for (let digit = 0; digit <= 9; digit++) {
          const kontonummer = number.slice(0, position - 1) + digit + number.slice(position);
          const expected = naiveVerdict(method, kontonummer, bank);
          assert.equal(checkByMethod(method, kontonummer, bank), expected, kontonummer);
        }
      }),
      { numRuns: 150 },
    );
  });
}

test("any text is answered, none throws", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (method, kontonummer, bank) => {
      const isUnknown = checkByMethod(method, kontonummer, bank) === "unknown_method";
      assert.equal(isUnknown, !methodNames.includes(method));
      assert.ok(["valid", "invalid"].includes(checkByMethod("00", kontonummer, bank)));
    }),
  );
});
