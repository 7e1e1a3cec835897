import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { isFormalIban, normaliseIban } from "../../src/banking/iban/normalise.ts";
import { type IbanCountry, ibanCountries } from "../../src/banking/iban/registry.ts";
import { outcomeOf } from "../../src/checks/answer.ts";
import { checkForm } from "../../src/checks/form-check.ts";
import { ibanOutcomes } from "../../src/contract/status.ts";
import { expectedFor, matchesNationally, withCheckDigits } from "../banking/national/national-iban.ts";

const alphabets = ["", "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

function bbanOf(country: IbanCountry): fc.Arbitrary<string> {
  const characters = [...country.classes].map((allowed) => fc.constantFrom(...alphabets[allowed]!));
  return fc.tuple(...characters).map((chosen) => chosen.join(""));
}

function validIbanOf(countries: readonly IbanCountry[]): fc.Arbitrary<string> {
  return fc
    .constantFrom(...countries)
    .chain((country) => bbanOf(country).map((bban) => composeIban(country.code, bban)));
}

const validIban = validIbanOf(ibanCountries);
const nationalCountries = ibanCountries.filter((country) => country.nationalCheck !== null);

test("a composed IBAN is valid", () => {
  const isValid = fc.property(validIban, (iban) => assert.equal(outcomeOf(checkForm(iban)), "valid"));
  fc.assert(isValid, { numRuns: 500 });
});

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 50 }),
  fc.string({ unit: "grapheme", maxLength: 50 }),
  fc.string({ unit: fc.constantFrom(..."DEFRGB0189Zz -\u00a0ß"), maxLength: 40 }),
  validIban.map((iban) => iban.toLowerCase().replaceAll(/(.{4})/g, "$1 ")),
);

test("any text at all is normalised, judged formal or not, and checked without an error", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const normalised = normaliseIban(text);
      assert.ok(normalised.length <= text.length);
      assert.equal(normaliseIban(normalised), normalised);
      assert.equal(/\s|[a-z]/.test(normalised), false);
      assert.equal(isFormalIban(normalised), /^[A-Z]{2}[A-Z0-9]{13,}$/.test(normalised));
      const checks = checkForm(normalised);
      const outcome = outcomeOf(checks);
      assert.ok(Object.hasOwn(ibanOutcomes, outcome));
      const fault = checks.find(({ check }) => check === "structure")?.position?.start;
      if (outcome === "valid") assert.equal(fault, undefined);
      if (outcome === "wrong_structure") assert.ok(fault !== undefined && fault >= 4);
      if (outcome === "check_digits_not_numeric") assert.ok(fault === 2 || fault === 3);
    }),
    { numRuns: 1_000 },
  );
});

test("the expected national check digits put in place are right, and no others where they are unique", () => {
  fc.assert(
    fc.property(validIbanOf(nationalCountries), fc.nat(), fc.nat(), (iban, place, step) => {
      const expected = expectedFor(iban);
      if (expected === null) {
        assert.equal(matchesNationally(iban), false, iban);
        return;
      }
      const right = withCheckDigits(iban, expected);
      assert.equal(matchesNationally(right), true, right);
      assert.equal(expectedFor(right), expected, right);
      // Norway accepts two digits where its fifth and sixth are 00.
      if (right.startsWith("NO") && right.slice(8, 10) === "00") return;
      const at = place % expected.length;
      const isLetter = /[A-Z]/.test(expected[at]!);
      const others = alphabets[isLetter ? 2 : 1]!.replace(expected[at]!, "");
      const changed = [...expected].with(at, others[step % others.length]!).join("");
      const wrong = withCheckDigits(iban, changed);
      assert.equal(matchesNationally(wrong), false, wrong);
    }),
    { numRuns: 3_000 },
  );
});
