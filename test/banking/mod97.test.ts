import assert from "node:assert/strict";
import { test } from "node:test";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { ibanCheckDigits, ibanRemainder, remainder97 } from "../../src/banking/mod97.ts";
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

test("the IBAN remainder is that of the text with its first four characters at the end", () => {
  for (const text of texts().filter((candidate) => candidate.length >= 4)) {
    const rearranged = text.slice(4) + text.slice(0, 4);
    const expected = Number(decimal(rearranged) % 97n);
    assert.equal(ibanRemainder(asciiBytes(text, 2), 2, text.length), expected, text);
  }
});

test("every registry example leaves 1 and carries the computed check digits", () => {
  for (const { example } of ibanCountries) {
    assert.equal(ibanRemainder(asciiBytes(example), 0, example.length), 1, example);
    const blanked = `${example.slice(0, 2)}ZZ${example.slice(4)}`;
    for (const text of [example, blanked]) {
      const checkDigits = ibanCheckDigits(asciiBytes(text, 5), 5, text.length);
      assert.equal(String(checkDigits).padStart(2, "0"), example.slice(2, 4), text);
    }
  }
});

test("computed check digits take every value from 2 to 98 and no other", () => {
  const seen = new Set<number>();
  for (let account = 0; account < 2_000; account++) {
    const text = `DE0010000000${String(account).padStart(10, "0")}`;
    seen.add(ibanCheckDigits(asciiBytes(text), 0, text.length));
  }
  assert.deepEqual(
    [...seen].sort((a, b) => a - b),
    Array.from({ length: 97 }, (_, index) => index + 2),
  );
});
