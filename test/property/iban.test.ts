import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { isFormalIban, normaliseIban } from "../../src/banking/iban/normalise.ts";
import { type IbanCountry, ibanCountries, ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { firstStructureFault } from "../../src/banking/iban/structure.ts";
import { ibanCheckDigits } from "../../src/banking/mod97.ts";
import { outcomeOf } from "../../src/checks/answer.ts";
import { checkForm } from "../../src/checks/iban-check.ts";
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

const findingOf = (iban: string) => outcomeOf(checkForm(iban));

function replaced(text: string, at: number, characters: string): string {
  return text.slice(0, at) + characters + text.slice(at + characters.length);
}

test("a composed IBAN is valid and has the BBAN and check digits it was made of", () => {
  fc.assert(
    fc.property(validIban, (iban) => {
      assert.equal(findingOf(iban), "valid");
      assert.equal(firstStructureFault(ibanCountryByCode(iban.slice(0, 2))!, iban), -1);
      assert.equal(composeIban(iban.slice(0, 2), iban.slice(4)), iban);
      assert.equal(ibanCheckDigits(iban.slice(0, 2), iban.slice(4)), iban.slice(2, 4));
      assert.equal(isFormalIban(iban), true);
    }),
    { numRuns: 500 },
  );
});

test("one character replaced by another of its kind is always caught", () => {
  // Two values of one kind differ by less than the prime 97, so the remainder must differ.
  fc.assert(
    fc.property(validIban, fc.nat(), fc.nat(), (iban, place, choice) => {
      const at = place % iban.length;
      const kind = /\d/.test(iban[at]!) ? alphabets[1]! : alphabets[2]!;
      const other = kind.replace(iban[at]!, "");
      const changed = replaced(iban, at, other[choice % other.length]!);
      assert.notEqual(findingOf(changed), "valid", changed);
    }),
    { numRuns: 1_000 },
  );
});

test("two different neighbours swapped are always caught, but for 1B, 2M and 3X", () => {
  // For two of a kind the numbers differ by a multiple of 9 or 99; a digit d and a letter worth v by 9 (11 d - v),
  // which is 0 for 1B, 2M and 3X only. Over the wrap from last check digit to first BBAN digit the powers of ten
  // differ as well, because 10 has the order 96 modulo 97.
  const blind = new Set(["1B", "B1", "2M", "M2", "3X", "X3"]);
  fc.assert(
    fc.property(validIban, fc.nat(), (iban, place) => {
      const at = place % (iban.length - 1);
      const pair = iban.slice(at, at + 2);
      fc.pre(pair[0] !== pair[1]);
      const swapped = replaced(iban, at, pair[1]! + pair[0]!);
      const blindHere = at >= 4 && blind.has(pair);
      if (!blindHere) assert.notEqual(findingOf(swapped), "valid", swapped);
    }),
    { numRuns: 1_000 },
  );
});

test("1B, 2M and 3X leave the same remainder when swapped inside the BBAN", () => {
  const france = ibanCountryByCode("FR")!;
  fc.assert(
    fc.property(
      bbanOf(france),
      fc.constantFrom("1B", "2M", "3X"),
      fc.integer({ min: 10, max: 19 }),
      (bban, pair, at) => {
        const iban = composeIban("FR", replaced(bban, at, pair));
        assert.equal(findingOf(replaced(iban, at + 4, pair[1]! + pair[0]!)), "valid");
      },
    ),
    { numRuns: 200 },
  );
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
      const wrong = withCheckDigits(iban, replaced(expected, at, others[step % others.length]!));
      assert.equal(matchesNationally(wrong), false, wrong);
    }),
    { numRuns: 3_000 },
  );
});

test("one changed digit of the checked part is always caught by the prime moduli", () => {
  const primes = nationalCountries.filter((country) =>
    /^(iso7064|rib-97|be-mod97)/.test(country.nationalCheck!.algorithm),
  );
  fc.assert(
    fc.property(validIbanOf(primes), fc.nat(), fc.nat({ max: 8 }), (iban, place, choice) => {
      const right = withCheckDigits(iban, expectedFor(iban)!);
      const at = 4 + (place % (right.length - 4));
      fc.pre(/\d/.test(right[at]!));
      const changed = replaced(right, at, alphabets[1]!.replace(right[at]!, "")[choice]!);
      assert.equal(matchesNationally(changed), false, changed);
    }),
    { numRuns: 1_000 },
  );
});
