import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkByMethod, methodNames } from "../../../src/banking/germany/methods.ts";
import { naiveVerdict } from "./naive-check.ts";

const blz = fc.constantFrom("13051172", "43001500", "16052072", "70550000");

// Beginnings and account types on which definitions branch; plain random numbers rarely meet them.
const beginnings = [
  "",
  "9",
  "99",
  "00",
  "009",
  "0099",
  "00990",
  "57",
  "31",
  "93",
  "97",
  "48",
  "69",
  "02695",
  "777777",
  "3101",
];

const tenDigits = fc
  .record({
    beginning: fc.constantFrom(...beginnings),
    rest: fc.stringMatching(/^\d{10}$/),
    zeros: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ beginning, rest, zeros }) => ("0".repeat(zeros) + beginning + rest).slice(0, 10));

for (const method of methodNames) {
  test(`method ${method} accepts exactly the check digits of a slow reading of its definition`, () => {
    fc.assert(
      fc.property(tenDigits, fc.constantFrom(10, 10, 10, 8, 7, 4, 3, 9, 6), blz, (number, position, bank) => {
        for (let digit = 0; digit <= 9; digit++) {
          const kontonummer = number.slice(0, position - 1) + digit + number.slice(position);
          assert.equal(
            checkByMethod(method, kontonummer, bank),
            naiveVerdict(method, kontonummer, bank),
            kontonummer,
          );
        }
      }),
      { numRuns: 150 },
    );
  });
}

test("any text is answered, none throws", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (method, kontonummer, bank) => {
      assert.equal(
        checkByMethod(method, kontonummer, bank) === "unknown_method",
        !methodNames.includes(method),
      );
      assert.ok(["valid", "invalid"].includes(checkByMethod("00", kontonummer, bank)));
    }),
  );
});
