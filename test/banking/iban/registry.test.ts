import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  experimentalPrefixes,
  ibanCountries,
  ibanCountryByCode,
  ibanCountryOf,
  parentPrefixOf,
} from "../../../src/banking/iban/registry.ts";
import { CharClass } from "../../../src/banking/iban/structure.ts";
import type { BbanSpan } from "../../../src/banking/national/weighted.ts";
import { sharedFile } from "../../shared.ts";

// The specification may be beside a checkout; the table is its copy, and must not drift from it.
const specification = sharedFile("spec/iban-registry.json");
if (specification !== undefined) {
  test("all countries are what the specification says of them", () => {
    const specified = JSON.parse(readFileSync(specification, "utf8")).countries;
    assert.equal(ibanCountries.length, specified.length);
    for (const [index, country] of ibanCountries.entries()) {
      const { charClasses, nationalCheck, bank, branch, ...expected } = specified[index];
      assert.equal(country.index, index);
      for (const field of ["code", "name", "ibanLength", "sepa", "example"] as const)
        assert.equal(country[field], expected[field], expected.code);
      const classes = charClasses.map(({ type, length }: { type: "n" | "a" | "c"; length: number }) =>
        Array(length).fill(CharClass[type]),
      );
      assert.deepEqual([...country.classes], classes.flat());
      const span = (given: BbanSpan | null) => given && { start: given.start, length: given.length };
      assert.deepEqual([country.bank, country.branch], [span(bank), span(branch)]);
      assert.equal(country.nationalCheck?.algorithm, nationalCheck?.algorithm);
      assert.equal(country.nationalCheckEnforced, nationalCheck?.default === "enforce");
      // Hungary's check digit of short accounts is at a place of its own, which the registry's list leaves out.
      const places = country.nationalCheck?.spans.filter((at) => country.code !== "HU" || at.start !== 15);
      assert.deepEqual(places, nationalCheck?.positions);
    }
  });
}

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

test("a country is found by its code and by its letters, any other code is not", () => {
  for (const pair of pairs) {
    const country = ibanCountries.find(({ code }) => code === pair);
    assert.equal(ibanCountryByCode(pair), country);
    assert.equal(ibanCountryOf(pair.charCodeAt(0), pair.charCodeAt(1)), country);
  }
  assert.equal(pairs.filter((pair) => ibanCountryByCode(pair)).length, ibanCountries.length);
  for (const text of ["", "D", "DEU", "de", "D1", "@A", "A[", "Ä1"]) {
    assert.equal(ibanCountryByCode(text), undefined, text);
  }
  assert.equal(ibanCountryOf(Number.NaN, 65), undefined);
});

test("territories name their parent, others are experimental, and none of them is registered", () => {
  const territories = pairs.filter((pair) => parentPrefixOf(pair) !== undefined);
  const experimental = pairs.filter((pair) => experimentalPrefixes.has(pair));
  assert.equal(
    territories.map((code) => code + parentPrefixOf(code)).join(" "),
    "AXFI BLFR GFFR GGGB GPFR IMGB JEGB MFFR MQFR NCFR PFFR PMFR REFR TFFR WFFR YTFR",
  );
  assert.equal(experimental.join(" "), "AO BF BJ CF CG CI CM CV DZ GA GQ GW IR KM MA MG ML MZ NE SN TD TG");
  for (const code of [...territories, ...experimental]) assert.equal(ibanCountryByCode(code), undefined);
  assert.equal(parentPrefixOf("DE"), undefined);
});
