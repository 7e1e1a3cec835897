import assert from "node:assert/strict";
import { test } from "node:test";
import { isFormalIban, normaliseIban, readLeniently } from "../../../src/banking/iban/normalise.ts";
import { words } from "../../support/words.ts";
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

test("a formal IBAN has 15 characters or more, two letters first and letters or digits behind", () => {
  const formal = words`NO9386011117947 DEXX70400440532013000 ZZ0000000000000`;
  for (const text of [...formal, "DE".padEnd(1_000, "0")]) assert.equal(isFormalIban(text), true, text);
  const others = words`
    A NO938601111794 9O9386011117947 N09386011117947 NO938601111794- no9386011117947 ÄO9386011117947
    NO938601111794٣
  `;
  for (const text of [...others, "", "NO93860111 7947"]) assert.equal(isFormalIban(text), false, text);
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

test("an IBAN is read leniently with what people put around it, and what no IBAN contains is left for the check to refuse", () => {
  const iban = "DE89370400440532013000";
  for (const [text, decorations, expected = iban] of [
    ["de89 3704 0044 0532 0130 00", []],
    ["DE89\u00a03704\u20090044\u202f0532 0130 00", []],
    ["DE89-3704-0044-0532-0130-00", ["separators"]],
    ["IBAN: DE89.3704.0044/0532.0130.00", ["separators", "prefix"]],
    ["'DE89 3704 0044 0532 0130 00", ["separators"]],
    ["DE89·3704·0044·0532·0130·00", ["separators"]],
    ["IBANDE89370400440532013000", ["prefix"]],
    ["IBAN-Nr.: DE89 3704 0044 0532 0130 00", ["separators", "prefix"]],
    ["Iban number: DE89370400440532013000", ["prefix"]],
    ["D\u200bE89370400440532013000\ufeff", ["invisible"]],
    ["\u2068DE89 3704 0044 0532 0130 00\u2069", ["invisible"]],
    ["ＤＥ８９３７０４００４４０５３２０１３０００", ["wide"]],
    // NO is the country.
    ["IBAN NO93 8601 1117 947", ["prefix"], "NO9386011117947"],
    ["IBAN No. NO93 8601 1117 947", ["separators", "prefix"], "NO9386011117947"],
    ["DE89+3704 0044,0532", [], "DE89+37040044,0532"],
  ] as const)
    assert.deepEqual(readLeniently(text), { iban: expected, decorations }, text);
});
