import assert from "node:assert/strict";
import { test } from "node:test";
import { readLeniently } from "../../../src/banking/iban/normalise.ts";

const spellings = [
  { text: "de89 3704 0044 0532 0130 00", decorations: [] },
  { text: "DE89-3704-0044-0532-0130-00", decorations: ["separators"] },
  { text: "IBAN: DE89.3704.0044/0532.0130.00", decorations: ["separators", "prefix"] },
  { text: "'DE89 3704 0044 0532 0130 00", decorations: ["separators"] },
  { text: "IBANDE89370400440532013000", decorations: ["prefix"] },
  { text: "IBAN-Nr.: DE89 3704 0044 0532 0130 00", decorations: ["separators", "prefix"] },
  { text: "Iban number: DE89370400440532013000", decorations: ["prefix"] },
  { text: "D\u200bE89370400440532013000\ufeff", decorations: ["invisible"] },
  { text: "\u2068DE89 3704 0044 0532 0130 00\u2069", decorations: ["invisible"] },
  { text: "ＤＥ８９３７０４００４４０５３２０１３０００", decorations: ["wide"] },
] as const;

for (const { text, decorations } of spellings) {
  test(`${JSON.stringify(text)} is read leniently`, () => {
    assert.deepEqual(readLeniently(text), { iban: "DE89370400440532013000", decorations });
  });
}

test("a Norwegian IBAN after the word IBAN keeps its country", () => {
  assert.equal(readLeniently("IBAN NO93 8601 1117 947").iban, "NO9386011117947");
  assert.equal(readLeniently("IBAN No. NO93 8601 1117 947").iban, "NO9386011117947");
});

test("what no IBAN contains is left for the check to refuse", () => {
  assert.equal(readLeniently("DE89+3704 0044,0532").iban, "DE89+37040044,0532");
});
