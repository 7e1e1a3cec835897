import assert from "node:assert/strict";
import { test } from "node:test";
import { remainder97 } from "../../src/banking/mod97.ts";
import { asciiBytes } from "./iban/bytes.ts";

function decimal(text: string): bigint {
  return BigInt([...text].map((character) => Number.parseInt(character, 36)).join("") || "0");
}

function texts(): string[] {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const result: string[] = [];
  let state = 7;
  for (let length = 0; length <= 70; length++) {
    for (const letters of [10, 36, 12]) {
      let text = "";
      for (let at = 0; at < length; at++) {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        text += alphabet[Math.floor(state / 65_536) % letters];
      }
      result.push(text, text.replaceAll(/./g, "9"), text.replaceAll(/./g, "Z"));
    }
  }
  return result;
}

test("the remainder equals long division for digits and letters of any length", () => {
  for (const text of texts()) {
    assert.equal(remainder97(asciiBytes(text, 3), 3, text.length), Number(decimal(text) % 97n), text);
  }
});
