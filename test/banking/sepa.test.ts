import assert from "node:assert/strict";
import { test } from "node:test";
import { ibanCountries, ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { assumedSepaMethods, noSepaMethods } from "../../src/banking/sepa.ts";

function flags(countryCode: string, bic: string | null): string {
  const { sct, sdd, b2b, scc } = assumedSepaMethods(ibanCountryByCode(countryCode)!, bic);
  return [sct, sdd, b2b, scc].join("");
}

test("a German bank with a BIC takes part in all four schemes, without one in none", () => {
  assert.equal(flags("DE", "COBADEFFXXX"), "1111");
  assert.equal(flags("DE", null), "0000");
});

test("a bank of any other country in scope takes part in the two core schemes, outside in none", () => {
  for (const country of ibanCountries.filter((candidate) => candidate.code !== "DE")) {
    const expected = country.sepa ? "1100" : "0000";
    assert.equal(flags(country.code, null), expected, country.code);
    assert.equal(flags(country.code, `BANK${country.code}22XXX`), expected, country.code);
  }
});

test("a BIC of a Pacific territory outside SEPA takes the schemes from a French IBAN", () => {
  for (const territory of ["NC", "PF", "TF", "WF"]) assert.equal(flags("FR", `BANK${territory}22`), "0000");
  for (const territory of ["RE", "GP", "PM", "BL"]) assert.equal(flags("FR", `BANK${territory}22`), "1100");
});

test("the answers are shared and frozen", () => {
  const austria = assumedSepaMethods(ibanCountryByCode("AT")!, null);
  assert.equal(austria, assumedSepaMethods(ibanCountryByCode("NL")!, "INGBNL2A"));
  assert.ok(Object.isFrozen(austria));
  assert.ok(Object.isFrozen(noSepaMethods));
  assert.ok(Object.isFrozen(assumedSepaMethods(ibanCountryByCode("DE")!, "COBADEFF")));
});
