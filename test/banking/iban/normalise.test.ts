import assert from "node:assert/strict";
import { test } from "node:test";
import { isFormalIban, normaliseIban } from "../../../src/banking/iban/normalise.ts";
import { readVectors } from "../../vectors/read.ts";

test("all white space is removed and ASCII letters become capitals", () => {
  const spaces =
    "\u0009\u000a\u000b\u000c\u000d\u0020\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
  assert.equal(normaliseIban(`${spaces}de89 3704${spaces}0044xyz`), "DE8937040044XYZ");
  assert.equal(normaliseIban("DE89370400440532013000"), "DE89370400440532013000");
  assert.equal(normaliseIban(""), "");
});

test("letters of other alphabets stay as they are, so that no text grows or turns into ASCII", () => {
  for (const text of ["ß", "ﬁ", "ı", "ſ", "K", "ä", "ŉ", "і", "😀", "\u200b", "\ud800"]) {
    assert.equal(normaliseIban(`de${text}`), `DE${text}`);
  }
});

test("hyphens and dots are not white space", () => {
  assert.equal(normaliseIban("no07.8380-08"), "NO07.8380-08");
});

test("a formal IBAN has 15 characters or more, two letters first and letters or digits behind", () => {
  for (const text of [
    "NO9386011117947",
    "DEXX70400440532013000",
    "ZZ0000000000000",
    "DE".padEnd(1_000, "0"),
  ]) {
    assert.equal(isFormalIban(text), true, text);
  }
  const malformed = ["", "A", "NO938601111794", "9O9386011117947", "N09386011117947", "NO938601111794-"];
  for (const text of [
    ...malformed,
    "no9386011117947",
    "NO93860111 7947",
    "ÄO9386011117947",
    "NO938601111794٣",
  ]) {
    assert.equal(isFormalIban(text), false, text);
  }
});

test("every printed form becomes its compact form, but for hyphens and dots", () => {
  const vectors = readVectors("iban-print.ndjson");
  assert.ok(vectors.length > 300);
  for (const { iban, compact } of vectors) {
    if (/[-.]/.test(iban)) {
      assert.equal(normaliseIban(iban).replaceAll(/[-.]/g, ""), compact);
      assert.equal(isFormalIban(normaliseIban(iban)), false, iban);
    } else {
      assert.equal(normaliseIban(iban), compact);
    }
  }
});
