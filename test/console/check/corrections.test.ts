import assert from "node:assert/strict";
import { test } from "node:test";
import { corrections } from "../../../src/console/check/corrections.ts";

const right = "DE89370400440532013000";

test("whatever single digit of an IBAN is wrong, the right one is among the corrections", () => {
  for (let index = 2; index < right.length; index++) {
    for (const digit of "0123456789") {
      if (digit === right[index]) continue;
      const wrong = right.slice(0, index) + digit + right.slice(index + 1);
      const found = corrections(wrong);
      const meant = found.find(({ iban }) => iban === right);
      assert.deepEqual(meant?.changed, [index], wrong);
      assert.ok(found.length < 30, String(found.length));
    }
  }
});

test("neighbours that changed places change back, letters too", () => {
  const british = "GB29NWBK60161331926819";
  for (const [wrong, meant, changed] of [
    ["DE89370400440532031000", right, [17, 18]],
    ["GB29NBWK60161331926819", british, [5, 6]],
    ["GB92NWBK60161331926819", british, [2, 3]],
  ] as const) {
    const found = corrections(wrong).find(({ iban }) => iban === meant);
    assert.deepEqual(found?.changed, changed, wrong);
  }
});

test("the right check digits are among the corrections, and every correction has right check digits", () => {
  for (const wrong of ["DE00370400440532013000", "MT13MALT011000012345MTLCAST001S"]) {
    const found = corrections(wrong);
    assert.ok(found.some(({ iban }) => iban.slice(4) === wrong.slice(4)));
    for (const { iban } of found) {
      const rearranged = [...iban.slice(4), ...iban.slice(0, 4)].map((one) => Number.parseInt(one, 36));
      assert.equal(BigInt(rearranged.join("")) % 97n, 1n, iban);
    }
  }
});
