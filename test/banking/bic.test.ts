import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type BicMatch,
  bicMatches,
  headOfficeBic,
  isBic,
  isOfInstitution,
  matchBic,
  normaliseBic,
} from "../../src/banking/bic.ts";
import { readVectors } from "../vectors/read.ts";

test("every BIC vector agrees, but for digits among the first four characters", () => {
  const vectors = readVectors("bic.ndjson");
  assert.ok(vectors.length > 200);
  for (const { bic, valid, why = "" } of vectors) {
    // Valid by ISO 9362:2014, but the service's interface asks for six letters.
    const expected = valid && !why.startsWith("digits in the party prefix");
    assert.equal(isBic(normaliseBic(bic)), expected, `${bic} ${why}`);
  }
});

test("every pair of BIC and IBAN agrees about the countries", () => {
  const vectors = readVectors("bic-iban-pairs.ndjson");
  assert.ok(vectors.length > 180);
  for (const { iban, bic, countryMatch } of vectors) {
    const expected = countryMatch ? "country_only" : "other_country";
    assert.equal(matchBic(bic, iban.slice(0, 2), []), expected, `${bic} for ${iban}`);
  }
});

test("a BIC is folded to upper case without white space before it is judged", () => {
  assert.equal(normaliseBic(" cobade ff\txxx\u00a0"), "COBADEFFXXX");
  assert.equal(normaliseBic("COBADEFF"), "COBADEFF");
});

test("a BIC begins with six capital letters and may be of any country of ISO 3166-1, also one without IBANs", () => {
  for (const bic of ["BNPAREGX", "CHASUS33"]) assert.equal(isBic(bic), true, bic);
  for (const bic of ["CAIXICBB", "cobadeff", "C0BADEFF"]) assert.equal(isBic(bic), false, bic);
});

test("the relation to a known bank goes from exact to other country; another bank or country alone is a mismatch", () => {
  const known = ["COBADEFFXXX", "COBADEHH", "DRESDEFF370"];
  const relations: [string, string, readonly string[], BicMatch][] = [
    ["COBADEFFXXX", "DE", known, "exact"],
    ["COBADEFF", "DE", known, "head_office"],
    ["COBADEFFXXX", "DE", ["COBADEFF"], "head_office"],
    ["COBADEFF370", "DE", known, "same_institution"],
    ["COBADEHHXXX", "DE", known, "known_for_bank_code"],
    ["DRESDEFF", "DE", known, "known_for_bank_code"],
    ["DEUTDEFF", "DE", known, "other_bank"],
    ["BNPAFRPP", "DE", known, "other_country"],
    ["COBAFRPP", "DE", ["COBAFRPPXXX"], "head_office"],
    ["COBAFRPP", "DE", ["COBADEFF", "COBAFRPP"], "known_for_bank_code"],
    ["MIDLJESH", "GB", ["MIDLGB22"], "in_territory"],
    ["BNPAREGXXXX", "FR", ["BNPAFRPP"], "in_territory"],
    ["MIDLJESH", "GB", ["BARCGB22"], "other_bank"],
    ["MIDLGB22", "GB", ["MIDLJESH"], "other_bank"],
    ["DEUTDEFF", "DE", [], "country_only"],
    ["DEUTDEFF", "AT", [], "other_country"],
    // A territory agrees with the country whose IBAN prefix it uses, never the other way round.
    ["BANKSJ22", "NO", [], "country_only"],
    ["BANKGB22", "JE", [], "other_country"],
    ["BANKVG22", "GB", [], "other_country"],
  ];
  for (const [bic, country, bics, expected] of relations) {
    assert.equal(matchBic(bic, country, bics), expected, `${bic} for ${country} with ${bics.join()}`);
    assert.equal(bicMatches(expected), !["other_bank", "other_country"].includes(expected), expected);
  }
});

test("a branch's BIC names its head office and no other institution", () => {
  assert.equal(headOfficeBic("COBADEFF123"), "COBADEFFXXX");
  assert.equal(isOfInstitution("COBADEFF123", "COBADEFFXXX"), true);
  assert.equal(isOfInstitution("COBADEFF", "COBADEFF370"), true);
  assert.equal(isOfInstitution("COBADEHH", "COBADEFFXXX"), false);
  assert.equal(isOfInstitution("COBADEFF", null), false);
  for (const malformed of ["COBADEFF1", "COBADEFF1234", "xCOBADEFF", "COBADEFf"])
    assert.equal(isOfInstitution(malformed, malformed), false, malformed);
});
