import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { remainder97 } from "../../src/banking/mod97.ts";
import { asciiBytes } from "./iban/bytes.ts";

function decimal(text: string): bigint {
  return BigInt([...text].map((character) => Number.parseInt(character, 36)).join("") || "0");
}

test("the remainder equals long division for digits and letters of any length", () => {
  const kinds = ["[0-9]", "[0-9A-Z]", "[0-9AB]", "9", "Z"];
  const text = fc.oneof(...kinds.map((kind) => fc.stringMatching(new RegExp(`^${kind}{0,70}$`))));
  fc.assert(
    fc.property(text, (digits) => {
      assert.equal(remainder97(asciiBytes(digits, 3), 3, digits.length), Number(decimal(digits) % 97n));
    }),
    { numRuns: 600 },
  );
});
