import assert from "node:assert/strict";
import { test } from "node:test";
import { germanAccount, isBlz, isKontonummer } from "../../../src/banking/germany/account.ts";
import { words } from "../../support/words.ts";

const zeros = (count: number) => new Array(count).fill(0);

test("a text that is not an account number is account number zero", () => {
  for (const text of words`0 0000000000 00000000001 12345678901 12a4 -1 1.5 ٣٤٥`.concat("", " 123")) {
    assert.equal(isKontonummer(text), false, text);
    const { digits, significant } = germanAccount(text, "13051172");
    assert.deepEqual([digits, significant], [zeros(10), 0], text);
  }
});

test("a bank code is eight digits, and anything else counts as none", () => {
  assert.deepEqual(germanAccount("1", "13051172").blz, [1, 3, 0, 5, 1, 1, 7, 2]);
  for (const text of ["", "1305117", "130511720", "1305117x"]) {
    assert.equal(isBlz(text), false, text);
    assert.deepEqual(germanAccount("1", text).blz, zeros(8), text);
  }
});
