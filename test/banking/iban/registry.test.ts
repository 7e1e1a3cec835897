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

interface SpecifiedCountry {
  readonly code: string;
  readonly name: string;
  readonly ibanLength: number;
  readonly charClasses: readonly { readonly type: "n" | "a" | "c"; readonly length: number }[];
  readonly bank: BbanSpan | null;
  readonly branch: BbanSpan | null;
  readonly nationalCheck: {
    readonly positions: readonly BbanSpan[];
    readonly algorithm: string;
    readonly default: string;
  } | null;
  readonly sepa: boolean;
  readonly example: string;
}

function span(given: BbanSpan | null): BbanSpan | null {
  return given === null ? null : { start: given.start, length: given.length };
}

// The specification may be beside a checkout; the table is its copy, and must not drift from it.
const specification = sharedFile("spec/iban-registry.json");
if (specification !== undefined) {
  test("all countries are what the specification says of them", () => {
    const specified = JSON.parse(readFileSync(specification, "utf8")).countries as SpecifiedCountry[];
    assert.equal(ibanCountries.length, specified.length);
    for (const [index, country] of ibanCountries.entries()) {
      const expected = specified[index]!;
      assert.deepEqual(
        {
          index: country.index,
          code: country.code,
          name: country.name,
          ibanLength: country.ibanLength,
          classes: [...country.classes],
          bank: country.bank,
          branch: country.branch,
          algorithm: country.nationalCheck?.algorithm,
          enforced: country.nationalCheckEnforced,
          sepa: country.sepa,
          example: country.example,
        },
        {
          index,
          code: expected.code,
          name: expected.name,
          ibanLength: expected.ibanLength,
          classes: expected.charClasses.flatMap(({ type, length }) => Array(length).fill(CharClass[type])),
          bank: span(expected.bank),
          branch: span(expected.branch),
          algorithm: expected.nationalCheck?.algorithm,
          enforced: expected.nationalCheck?.default === "enforce",
          sepa: expected.sepa,
          example: expected.example,
        },
      );
      // Hungary's check digit of short accounts is at a place of its own, which the registry's list leaves out.
      const places = country.nationalCheck?.spans.filter((at) => country.code !== "HU" || at.start !== 15);
      assert.deepEqual(places, expected.nationalCheck?.positions);
    }
  });
}

test("a country is found by its code and by its letters, any other code is not", () => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  let found = 0;
  for (const first of letters) {
    for (const second of letters) {
      const country = ibanCountryByCode(first + second);
      assert.equal(country, ibanCountryOf(first.charCodeAt(0), second.charCodeAt(0)));
      assert.equal(
        country,
        ibanCountries.find((candidate) => candidate.code === first + second),
      );
      if (country !== undefined) found++;
    }
  }
  assert.equal(found, ibanCountries.length);
  for (const text of ["", "D", "DEU", "de", "D1", "@A", "A[", "Ä1"]) {
    assert.equal(ibanCountryByCode(text), undefined, text);
  }
  assert.equal(ibanCountryOf(Number.NaN, 65), undefined);
});

test("territories name their parent, others are experimental, and none of them is registered", () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
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
