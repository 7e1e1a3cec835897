import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { composeIban } from "../../../src/banking/iban/compose.ts";
import { ibanCountries } from "../../../src/banking/iban/registry.ts";

test("every registry example is composed again out of its BBAN", () => {
  for (const { code, example } of ibanCountries) assert.equal(composeIban(code, example.slice(4)), example);
});

test("check digits below ten get a leading zero", () => {
  assert.equal(composeIban("MK", "250120000058984"), "MK07250120000058984");
});

test("an unregistered country is refused by name", () => {
  for (const code of ["", "ZZ", "AX", "SN", "de", "DEU"]) {
    assert.throws(() => composeIban(code, "370400440532013000"), { name: "RangeError", message: /registry/ });
  }
});

test("a BBAN that does not fit the country's structure is refused", () => {
  const bbans = ["", "37040044053201300", "3704004405320130000", "37040044053201300X", "37040044 532013000"];
  for (const bban of [...bbans, "37040044053201300٣", "37040044053201300İ"]) {
    assert.throws(() => composeIban("DE", bban), { name: "RangeError", message: /structure of DE/ });
  }
});

test("every composed German IBAN has remainder 1 modulo 97", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10_000_000, max: 99_999_999 }),
      fc.integer({ min: 0, max: 9_999_999_999 }),
      (blz, kontonummer) => {
        const iban = composeIban("DE", `${blz}${String(kontonummer).padStart(10, "0")}`);
        assert.match(iban, /^DE\d{20}$/);
        assert.equal(BigInt(`${iban.slice(4)}1314${iban.slice(2, 4)}`) % 97n, 1n);
      },
    ),
  );
});
