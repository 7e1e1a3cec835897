import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import registry from "../../../data/iban-registry.json" with { type: "json" };
import { ibanCountries, ibanCountryByCode } from "../../../src/banking/iban/registry.ts";
import { nationalCheckOf } from "../../../src/banking/national/national-check.ts";
import { outcomeOf } from "../../../src/checks/answer.ts";
import { checkForm } from "../../../src/checks/form-check.ts";
import { words } from "../../support/words.ts";
import { checkDigitsOf, expectedFor, matchesNationally } from "./national-iban.ts";

/** One digit of the registry example changed and the IBAN's check digits recomputed: the national digit fails. */
const changedExamples = words`
  AL73212110390000000235698741 BA111290071401028494 BE53539007847034 BI5510005100010000332045181
  CZ2608000080192000145399 DJ8400010000000754000100186 EE792290221020145685 ES8221000418450400051332
  FI7312346600000785 FR4120001010050500013M02606 HR6510010051860000160 HU08117730161111701800000000
  IS970159260076541510730339 IT95X0542811101010000123456 MC8811222000010123456189030 ME19505000012349678951
  MK68250120800058984 MR7407020001010000123456753 NO8886011217947 PL90909010140000071219812874
  PT90090201231234567890154 RS26260005601201611379 SI39263600012039086 SK0512000000198242637541
  SM14U0322509800700000270100 ST95000110010051845310146 TL750880012345678910157 TN2110006035283598478831
  XK261212212345678906
`;

test("each country accepts its example and refuses it with one digit changed", () => {
  const countries = ibanCountries.filter((country) => country.nationalCheck !== null);
  assert.deepEqual(
    changedExamples.map((iban) => iban.slice(0, 2)),
    countries.map((country) => country.code),
  );
  for (const [index, { example }] of countries.entries()) {
    assert.equal(matchesNationally(example), true, example);
    assert.equal(expectedFor(example), checkDigitsOf(example), example);
    const changed = changedExamples[index]!;
    assert.equal(outcomeOf(checkForm(changed)), "valid", changed);
    assert.equal(matchesNationally(changed), false, changed);
    assert.notEqual(expectedFor(changed), checkDigitsOf(changed), changed);
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
  assert.ok(
    page.includes(
      `in ${observed.slice(0, -1).join(", ")} and ${observed.at(-1)} wrong ones are only reported`,
    ),
  );
});

test("the numbers that other implementations get wrong are judged right", () => {
  const right = words`
    BE54539000006797 FR7620041010050000000004797 FR632004101005ABC0123456Z75 MC631122200001ABC0123456Z67
    IT50I0542811101000000A12B3C IT12S0542811101ABCDEF123456 NO3286011100130 ES9621000418410000000190
    ES2321000418400000000486 HU81117730161111101111111118 EE942200221020000050
  `;
  const wrong = words`
    BE54539000006700 FR7620041010050000000004700 IT86S0542811101000000A12B3C IT30C0542811101ABCDEF123456
    NO5886011100050 NO3186011100051 CZ6308000000000000000061 HR4710010061863000160
    HU54117730161111101111111119 ST68000100010051845310112
  `;
  for (const iban of right) assert.equal(matchesNationally(iban), true, iban);
  for (const iban of wrong) assert.equal(matchesNationally(iban), false, iban);
  assert.equal(ibanCountryByCode("NL")!.nationalCheck, null);
});

test("an unknown algorithm and one that does not fit the BBAN are faults of the data", () => {
  for (const name of ["", "mod97", "toString", "__proto__"]) {
    assert.throws(() => nationalCheckOf(name, 20), { name: "RangeError", message: /unknown/ });
  }
  for (const [name, length] of [
    ["cz-sk-mod11", 19],
    ["iso7064-mod97-10", 1],
    ["hu-9731-mod10", 16],
  ] as const) {
    assert.throws(() => nationalCheckOf(name, length), { name: "RangeError", message: /does not fit/ });
  }
});
