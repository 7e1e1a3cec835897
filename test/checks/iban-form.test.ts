import assert from "node:assert/strict";
import { test } from "node:test";
import { isFormalIban } from "../../src/banking/iban/normalise.ts";
import { ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { firstStructureFault } from "../../src/banking/iban/structure.ts";
import { outcomeOf } from "../../src/checks/answer.ts";
import { checkForm } from "../../src/checks/form-check.ts";
import { words } from "../support/words.ts";
import { readVectors } from "../vectors/read.ts";

const findingOf = (iban: string) => outcomeOf(checkForm(iban));

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
  const findings: Readonly<Record<string, readonly string[]>> = {
    unknown_country: words`ZZ8937040044053201300 1289370400440532013000`,
    territory_prefix: words`AX2112345600000785`,
    experimental_country: words`SN08SN0100152000048500003035`,
    wrong_length: words`DEA93704004405320130X DE893704004405320130000 GB82WES91234569876543`,
    check_digits_not_numeric: words`DEA9370400440532013A00 DE8A370400440532013000`,
    wrong_structure: words`
      DE00370400440532013A00 DE8937040044053201300: DE8937040044053201300/ FR1420041010050500013m02606
      GB82WES912345698765432 GB82WES@12345698765432
    `,
    // The remainder of the last two is 1.
    check_digits_out_of_range: words`
      DE00370400440532013000 DE01370400440532013000 DE99370400440532013000 NL01INGB0001393698 FO0054320388899944
    `,
    wrong_check_digits: words`DE98370400440532013000 DE02370400440532013000`,
    valid: words`DE89370400440532013000`,
  };
  for (const [finding, ibans] of Object.entries(findings))
    for (const iban of ibans) assert.equal(findingOf(iban), finding, iban);
});

test("the first character that does not fit is found at its place", () => {
  for (const fault of words`
    DEA9370400440532013A00:2 DE8A370400440532013A00:3 DE89370400440532013A00:19 DE89X70400440532013A00:4
    DE893704004405320130001:22 DE8937040044:-1 DE:-1 DE8:-1 GB82WES912345698765432:7
    GB82WEST1234569876543X:21 FR1420041010050500013M02606:-1 FR142004101005050001-M02606:20
  `) {
    const [iban = "", place] = fault.split(":");
    const country = ibanCountryByCode(iban.slice(0, 2))!;
    assert.equal(firstStructureFault(country, iban), Number(place), iban);
  }
});
