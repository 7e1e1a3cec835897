import assert from "node:assert/strict";
import { test } from "node:test";
import { joinSepaFlags } from "../../../src/banks/files/register-csv.ts";
import { pluck } from "../../support/pluck.ts";
import { germanBank, italianBank } from "../records.ts";

const own = { sct: 1, sdd: 0, b2b: 1, scc: 0 } as const;
const ofHeadOffice = { sct: 0, sdd: 1, b2b: 0, scc: 0 } as const;
const listed = (bic: string, flags: typeof own | typeof ofHeadOffice) => ({ bic, ...flags });

test("a bank has the flags of its BIC, 8 characters being the same as 11 that end with XXX", () => {
  for (const form of ["COBADEFF", "COBADEFFXXX"]) {
    for (const bic of ["COBADEFF", "COBADEFFXXX"]) {
      const [joined] = joinSepaFlags([germanBank({ bic })], [listed(form, own)]);
      assert.deepEqual(joined, germanBank({ bic, sepa: own, sepaSource: "directory" }));
    }
  }
});

test("where a directory lists both forms of a BIC, the bank's own form counts", () => {
  const entries = [listed("COBADEFF", own), listed("COBADEFFXXX", ofHeadOffice)];
  const banks = [germanBank({ bic: "COBADEFF" }), germanBank({ bic: "COBADEFFXXX" })];
  assert.deepEqual(pluck(joinSepaFlags(banks, entries), "sepa"), [own, ofHeadOffice]);
});

test("a branch that is not listed inherits the flags of its head office, and only of that", () => {
  const branch = germanBank({ bic: "COBADEFF370" });
  const headOffice = listed("COBADEFF", ofHeadOffice);
  const otherBranch = listed("COBADEFF371", own);
  const inherited = { ...branch, sepa: ofHeadOffice, sepaSource: "inherited" } as const;
  assert.deepEqual(joinSepaFlags([branch], [headOffice, otherBranch]), [inherited]);
  const found = { ...branch, sepa: own, sepaSource: "directory" } as const;
  assert.deepEqual(joinSepaFlags([branch], [headOffice, listed("COBADEFF370", own)]), [found]);
  assert.deepEqual(joinSepaFlags([branch], [otherBranch]), [branch]);
  assert.deepEqual(joinSepaFlags([germanBank()], [otherBranch]), [germanBank()]);
});

test("a bank that is not listed, one without BIC and one outside SEPA keep what was assumed", () => {
  const records = [
    germanBank({ bic: "MARKDEF1370" }),
    germanBank({ bankCode: "37040045", bic: null }),
    italianBank({ country: "AE", bankCode: "033", bic: "COBADEFF" }),
  ];
  assert.deepEqual(joinSepaFlags(records, [listed("COBADEFF", own)]), records);
});

test("an additional location has the flags of its main record, regardless of its own BIC", () => {
  const further = germanBank({ main: false, bic: "COBADEFF371" });
  const entries = [listed("COBADEFF", own), listed("COBADEFF371", ofHeadOffice)];
  const [main, location] = joinSepaFlags([germanBank(), further], entries);
  assert.deepEqual(location, { ...further, sepa: main!.sepa, sepaSource: main!.sepaSource });
  assert.deepEqual(main!.sepa, own);
});
