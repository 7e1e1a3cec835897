import assert from "node:assert/strict";
import { test } from "node:test";
import { belgianKey, iso7064Key, ribKey, trailingKey } from "../../../src/banking/national/algorithms.ts";
import { asciiBytes } from "../iban/bytes.ts";

test("the ISO 7064 key makes the number leave 1, the RIB key makes it divisible by 97", () => {
  const seen = [new Set<number>(), new Set<number>()];
  for (let number = 0; number < 1_000; number++) {
    const text = String(number * 7_919).padStart(19, "0");
    const bytes = asciiBytes(text, 1);
    const iso = iso7064Key(bytes, 1, text.length);
    const rib = ribKey(bytes, 1, text.length);
    assert.equal((BigInt(text) * 100n + BigInt(iso)) % 97n, 1n);
    assert.equal((BigInt(text) * 100n + BigInt(rib)) % 97n, 0n);
    seen[0]!.add(iso);
    seen[1]!.add(rib);
  }
  assert.deepEqual([Math.min(...seen[0]!), Math.max(...seen[0]!)], [2, 98]);
  assert.deepEqual([Math.min(...seen[1]!), Math.max(...seen[1]!)], [1, 97]);
});

test("the worked examples of the national rules pass", () => {
  const portugal = "0002012312345678901";
  assert.equal(iso7064Key(asciiBytes(portugal), 0, portugal.length), 54);
  assert.equal(belgianKey(asciiBytes("5390075470"), 0, 10), 34);
  assert.equal(belgianKey(asciiBytes("5390000067"), 0, 10), 97);
  const tunisia = "100060351835984788";
  assert.equal(ribKey(asciiBytes(tunisia), 0, tunisia.length), 31);
});

test("a pair that is congruent but cannot arise is wrong", () => {
  const check = trailingKey(iso7064Key, 5);
  for (let number = 0; number < 1_000; number++) {
    const body = String(number).padStart(3, "0");
    const accepted: string[] = [];
    for (let pair = 0; pair < 100; pair++) {
      const digits = String(pair).padStart(2, "0");
      if (check.matches(asciiBytes(body + digits), 0)) accepted.push(digits);
    }
    assert.deepEqual(accepted, [check.expected(asciiBytes(`${body}00`), 0)]);
  }
});
