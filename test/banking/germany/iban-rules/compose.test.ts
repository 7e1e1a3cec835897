import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { composeGermanIban } from "../../../../src/banking/germany/iban-rules/compose.ts";

test("the IBAN of the registry's German example is composed", () => {
  assert.equal(composeGermanIban("37040044", "532013000"), "DE89370400440532013000");
});

test("check digits below ten keep their leading zero", () => {
  assert.equal(composeGermanIban("50070010", "0350002200"), "DE04500700100350002200");
});

test("every composed IBAN has remainder 1 modulo 97", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10_000_000, max: 99_999_999 }),
      fc.integer({ min: 0, max: 9_999_999_999 }),
      (blz, kontonummer) => {
        const iban = composeGermanIban(String(blz), String(kontonummer));
        assert.match(iban, /^DE\d{20}$/);
        assert.equal(BigInt(`${iban.slice(4)}1314${iban.slice(2, 4)}`) % 97n, 1n);
      },
    ),
  );
});
