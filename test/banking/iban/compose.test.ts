import assert from "node:assert/strict";
import { test } from "node:test";
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
