import assert from "node:assert/strict";
import { test } from "node:test";
import { ibanCountries, ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { assumedSepaMethods } from "../../src/banking/sepa.ts";

function flags(countryCode: string, bic: string | null): string {
  const { sct, sdd, b2b, scc } = assumedSepaMethods(ibanCountryByCode(countryCode)!, bic);
  return [sct, sdd, b2b, scc].join("");
}

test("a German bank with a BIC takes part in all four schemes, without one in none", () => {
  assert.equal(flags("DE", "COBADEFFXXX"), "1111");
  assert.equal(flags("DE", null), "0000");
});

test("a bank of another country in scope has the schemes of most banks there, outside it has none", () => {
  const schemes = { "1110": "AT FR", "1100": "FI", "1000": "PL AL ME MD MK GB GI", "0000": "BR TR" };
  for (const [expected, countries] of Object.entries(schemes)) {
    for (const country of countries.split(" ")) {
      assert.equal(flags(country, null), expected, country);
      assert.equal(flags(country, `BANK${country}22XXX`), expected, country);
    }
  }
  for (const country of ibanCountries) {
    assert.equal(flags(country.code, `BANK${country.code}22`) === "0000", !country.sepa, country.code);
  }
});

test("the country of the BIC counts, where it is another one than that of the IBAN", () => {
  for (const island of ["GG", "JE", "IM"]) assert.equal(flags("GB", `BANK${island}22`), "1000");
  for (const territory of ["NC", "PF", "TF", "WF"]) assert.equal(flags("FR", `BANK${territory}22`), "0000");
  for (const territory of ["RE", "GP", "PM", "BL"]) assert.equal(flags("FR", `BANK${territory}22`), "1110");
});
