import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import registry from "../../../data/iban-registry.json" with { type: "json" };
import { ibanCountries } from "../../../src/banking/iban/registry.ts";
import { nationalCheckOf } from "../../../src/banking/national/national-check.ts";
import { readVectors } from "../../vectors/read.ts";
import { checkDigitsOf, expectedFor, matchesNationally } from "./national-iban.ts";

test("every example has right national check digits, and each country wrong numbers among the vectors", () => {
  const vectors = readVectors("iban-national.ndjson");
  for (const { code, example, nationalCheck } of ibanCountries) {
    if (nationalCheck === null) continue;
    assert.equal(matchesNationally(example), true, example);
    assert.equal(expectedFor(example), checkDigitsOf(example), example);
    const hasWrong = vectors.some(({ iban, valid }) => !valid && iban.startsWith(code));
    assert.ok(hasWrong, `${code} has no wrong number`);
  }
});

test("every national check digit names its source, an enforced one a present one", () => {
  for (const { code, nationalCheck } of registry.countries) {
    if (nationalCheck === null) continue;
    const { source, default: enforcement } = nationalCheck;
    assert.ok(source.length > 10, code);
    if (enforcement === "enforce") assert.ok(!source.includes("no present source"), code);
  }
});

test("the countries named are only observed, the rest enforced, as the contract page says", () => {
  const page = readFileSync(new URL("../../../src/contract/README.md", import.meta.url), "utf8");
  const countries = ibanCountries.filter((country) => country.nationalCheck !== null);
  const enforced = countries.filter((country) => country.nationalCheckEnforced).map(({ code }) => code);
  const observed = countries.filter((country) => !country.nationalCheckEnforced).map(({ code }) => code);
  assert.equal(observed.join(" "), "BI DJ FI IS ST XK");
  assert.ok(page.includes(`(${enforced.join(" ")})`));
  const codes = `${observed.slice(0, -1).join(", ")} and ${observed.at(-1)}`;
  assert.ok(page.includes(`in ${codes} wrong ones are only reported`));
});

test("an unknown algorithm is a fault of the data", () => {
  for (const name of ["", "mod97", "toString", "__proto__"])
    assert.throws(() => nationalCheckOf(name, []), { name: "RangeError", message: /unknown/ });
});
