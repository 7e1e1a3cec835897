import assert from "node:assert/strict";
import { test } from "node:test";
import { normaliseIban } from "../../src/banking/iban/normalise.ts";
import { ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import { ibanOf } from "../contract/iso-check-digits.ts";
import { directory } from "../suggest/engine.ts";
import { readVectors } from "../vectors/read.ts";

const outcomeOf = (iban: string, bic?: string) => checkIban(directory, normaliseIban(iban), bic).outcome;

test("a right IBAN is valid, or a bank's check says why not", () => {
  const valid = readVectors("iban.ndjson").filter((vector) => vector.valid);
  const others = valid.filter(({ iban }) => outcomeOf(iban) !== "valid");
  for (const { iban } of others) {
    const { code, nationalCheckEnforced } = ibanCountryByCode(iban.slice(0, 2))!;
    const national = nationalCheckEnforced ? ["wrong_national_check_digits"] : [];
    const ofBank = code === "DE" ? ["unknown_bank_code", "wrong_account_check_digit"] : national;
    assert.ok(ofBank.includes(outcomeOf(iban)), `${iban}: ${outcomeOf(iban)}`);
  }
  assert.ok(others.length < valid.length / 4, `${others.length} of ${valid.length} fail a bank's check`);
});

test("national check digits decide in the countries where they are enforced and are only reported elsewhere", () => {
  const vectors = readVectors("iban-national.ndjson");
  assert.ok(vectors.length >= 186);
  for (const { iban, valid, why = "valid" } of vectors) {
    const { outcome, checks } = checkIban(directory, iban);
    const failed = new Set(checks.flatMap(({ check, result }) => (result === "failed" ? [check] : [])));
    const isValid = valid || !ibanCountryByCode(iban.slice(0, 2))!.nationalCheckEnforced;
    assert.equal(outcome, isValid ? "valid" : "wrong_national_check_digits", `${iban}: ${why}`);
    assert.deepEqual([...failed], valid ? [] : ["national_check_digits"], `${iban}: ${why}`);
  }
});

test("a BIC that belongs to an IBAN matches it, and one of another country never does", () => {
  const vectors = readVectors("bic-iban-pairs.ndjson");
  assert.ok(vectors.length > 80);
  for (const { iban, bic, countryMatch, bankOfIban } of vectors) {
    const alone = outcomeOf(iban);
    const both = outcomeOf(iban, bic);
    if (alone !== "valid") assert.equal(both, alone, `${iban} ${bic}: the IBAN's own fault comes first`);
    else if (bankOfIban === true) assert.equal(both, "valid", `${iban} ${bic}`);
    else if (!countryMatch) assert.equal(both, "bic_mismatch", `${iban} ${bic}`);
  }
});

const iban = "DE89370400440532013000";
const unknownBritish = ibanOf("GB", "ZZZZ60161331926819");

test("the BIC is compared with the bank's, else by countries, after everything else", () => {
  for (const [given, bic, outcome] of [
    [iban, "COBADEFF370", "valid"],
    [unknownBritish, "BARCJESX", "valid"],
    // Gibraltar has a prefix of its own.
    [unknownBritish, "BARCGIGI", "bic_mismatch"],
    ["FR1420041010050500013M02606", "BNPAGPGX", "bic_mismatch"],
    // A bank of another country by its own BIC.
    ["AT483200000012345864", "RLNWATWWXXX", "valid"],
    ["ZZ68539007547034", "COBADEFF", "unknown_country"],
    ["DE88370400440532013000", "BNPAFRPP", "wrong_check_digits"],
    [ibanOf("DE", "999999990532013000"), "BNPAFRPP", "unknown_bank_code"],
  ] as const)
    assert.equal(outcomeOf(given, bic), outcome, `${given} ${bic}`);
});
