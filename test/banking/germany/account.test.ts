import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  createGermanAccount,
  isBlz,
  isKontonummer,
  readBlz,
  readBlzBytes,
  readKontonummer,
  readKontonummerBytes,
} from "../../../src/banking/germany/account.ts";

test("an account number is padded to ten digits and measured", () => {
  const account = createGermanAccount();
  assert.equal(readKontonummer(account, "0012340"), true);
  assert.deepEqual([...account.digits], [0, 0, 0, 0, 0, 1, 2, 3, 4, 0]);
  assert.equal(account.significant, 5);
});

test("a text that is not an account number is refused and leaves the number zero", () => {
  const account = createGermanAccount();
  for (const text of [
    "",
    "0",
    "0000000000",
    "00000000001",
    "12345678901",
    "12a4",
    " 123",
    "-1",
    "1.5",
    "٣٤٥",
  ]) {
    readKontonummer(account, "9876543210");
    assert.equal(readKontonummer(account, text), false, text);
    assert.equal(isKontonummer(text), false, text);
    assert.deepEqual([...account.digits], new Array(10).fill(0), text);
    assert.equal(account.significant, 0, text);
  }
});

test("a bank code is eight digits, and anything else clears it", () => {
  const account = createGermanAccount();
  assert.equal(readBlz(account, "13051172"), true);
  assert.deepEqual([...account.blz], [1, 3, 0, 5, 1, 1, 7, 2]);
  for (const text of ["", "1305117", "130511720", "1305117x"]) {
    readBlz(account, "13051172");
    assert.equal(readBlz(account, text), false, text);
    assert.equal(isBlz(text), false, text);
    assert.deepEqual([...account.blz], new Array(8).fill(0), text);
  }
});

test("text and the bytes of a BBAN are read as the same account", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999 }),
      fc.integer({ min: 1, max: 9_999_999_999 }),
      (blz, number) => {
        const bban = String(blz).padStart(8, "0") + String(number).padStart(10, "0");
        const bytes = new TextEncoder().encode(`DE00${bban}`);
        const fromBytes = createGermanAccount();
        readBlzBytes(fromBytes, bytes, 4);
        readKontonummerBytes(fromBytes, bytes, 12);
        const fromText = createGermanAccount();
        assert.equal(readBlz(fromText, bban.slice(0, 8)), true);
        assert.ok(isBlz(bban.slice(0, 8)) && isKontonummer(bban.slice(8)));
        assert.equal(readKontonummer(fromText, String(number)), true);
        assert.deepEqual(fromBytes, fromText);
        assert.equal(fromBytes.significant, String(number).length);
      },
    ),
  );
});
