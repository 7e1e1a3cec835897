import assert from "node:assert/strict";
import { test } from "node:test";
import { CharClass, characterKinds, expandStructure } from "../../../src/banking/iban/structure.ts";

test("a structure expands to one class per position", () => {
  const { n, a, c } = CharClass;
  assert.deepEqual([...expandStructure("2!n1!a3!c")], [n, n, a, c, c, c]);
  assert.equal(expandStructure("8!n16!c").length, 24);
});

test("any other text is refused", () => {
  for (const text of ["", "4n", "4!n ", " 4!n", "4!n16!e", "4!N", "!n", "4!n,16!c"]) {
    assert.throws(() => expandStructure(text), RangeError, text);
  }
});

test("only ASCII digits and capital letters are of a kind", () => {
  for (let byte = 0; byte < 256; byte++) {
    const character = String.fromCharCode(byte);
    const kind = /[0-9]/.test(character) ? CharClass.n : /[A-Z]/.test(character) ? CharClass.a : 0;
    assert.equal(characterKinds[byte], kind, character);
  }
});
