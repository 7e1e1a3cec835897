import assert from "node:assert/strict";
import { test } from "node:test";
import { isFormalIban } from "../../src/banking/iban/normalise.ts";
import { ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { firstStructureFault } from "../../src/banking/iban/structure.ts";
import { outcomeOf } from "../../src/checks/answer.ts";
import { checkForm } from "../../src/checks/form-check.ts";
import { readVectors } from "../vectors/read.ts";

const findingOf = (iban: string) => outcomeOf(checkForm(iban));

function faultOf(iban: string): number {
  return firstStructureFault(ibanCountryByCode(iban.slice(0, 2))!, iban);
}

test("every invalid IBAN vector is refused for the vector's reason", () => {
  const reasons: Record<string, readonly string[]> = {
    "country not in the registry": ["unknown_country"],
    "territory code, registry uses the parent prefix": ["territory_prefix"],
    "experimental country, not in the registry": ["experimental_country"],
    length: ["wrong_length"],
    structure: ["wrong_structure"],
    // Most of these vectors are too long by the letters put in, and the length comes first.
    "check digits not two digits": ["check_digits_not_numeric", "wrong_length"],
    "check digits outside 02-98": ["check_digits_out_of_range"],
    mod97: ["wrong_check_digits", "check_digits_out_of_range"],
  };
  for (const { iban, why } of readVectors("iban.ndjson")) {
    if (why === undefined || !isFormalIban(iban)) continue;
    assert.ok(reasons[why]?.includes(findingOf(iban)), `${iban}: ${findingOf(iban)} for ${why}`);
  }
});

test("faults are looked for in the order country, length, structure, range, check digits", () => {
  const findings: [string, string][] = [
    ["ZZ8937040044053201300", "unknown_country"],
    ["AX2112345600000785", "territory_prefix"],
    ["SN08SN0100152000048500003035", "experimental_country"],
    ["1289370400440532013000", "unknown_country"],
    ["DEA93704004405320130X", "wrong_length"],
    ["DE893704004405320130000", "wrong_length"],
    ["DEA9370400440532013A00", "check_digits_not_numeric"],
    ["DE8A370400440532013000", "check_digits_not_numeric"],
    ["DE00370400440532013A00", "wrong_structure"],
    ["DE8937040044053201300:", "wrong_structure"],
    ["DE8937040044053201300/", "wrong_structure"],
    ["FR1420041010050500013m02606", "wrong_structure"],
    ["GB82WES91234569876543", "wrong_length"],
    ["GB82WES912345698765432", "wrong_structure"],
    ["GB82WES@12345698765432", "wrong_structure"],
    ["DE00370400440532013000", "check_digits_out_of_range"],
    ["DE01370400440532013000", "check_digits_out_of_range"],
    ["DE99370400440532013000", "check_digits_out_of_range"],
    ["DE98370400440532013000", "wrong_check_digits"],
    ["DE02370400440532013000", "wrong_check_digits"],
    ["DE89370400440532013000", "valid"],
  ];
  for (const [iban, finding] of findings) assert.equal(findingOf(iban), finding, iban);
});

test("check digits 00, 01 and 99 are refused even where the remainder is 1", () => {
  for (const iban of ["NL01INGB0001393698", "FO0054320388899944"]) {
    assert.equal(findingOf(iban), "check_digits_out_of_range", iban);
  }
});

test("the first character that does not fit is found at its place", () => {
  const faults: [string, number][] = [
    ["DEA9370400440532013A00", 2],
    ["DE8A370400440532013A00", 3],
    ["DE89370400440532013A00", 19],
    ["DE89X70400440532013A00", 4],
    ["DE893704004405320130001", 22],
    ["DE8937040044", -1],
    ["DE", -1],
    ["DE8", -1],
    ["GB82WES912345698765432", 7],
    ["GB82WEST1234569876543X", 21],
    ["FR1420041010050500013M02606", -1],
    ["FR142004101005050001-M02606", 20],
  ];
  for (const [iban, fault] of faults) assert.equal(faultOf(iban), fault, iban);
});
