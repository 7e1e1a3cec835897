import assert from "node:assert/strict";
import { test } from "node:test";
import { accountByRule } from "./account-by-rule.ts";

test("rule 0005 refuses BLZ 50040033", () => {
  assert.equal(
    accountByRule("000503", { "50040033": ["09", "COBADEF1BRS"] })("50040033", "930125007"),
    "not_convertible",
  );
});

test("rule 0005 returns COBADEFFXXX where the fourth digit of the BLZ is 4, comdirect apart", () => {
  const commerzbank = accountByRule("0005", { "12040000": ["13", "COBADEBB120"] });
  assert.equal(commerzbank("12040000", "52065002"), "12040000/0052065002 COBADEFFXXX");
  const comdirect = accountByRule("0005", { "20041111": ["13", "COBADEHDXXX"] });
  assert.equal(comdirect("20041111", "130023500"), "20041111/0130023500 COBADEHDXXX");
  const dresdner = accountByRule("0005", { "26580070": ["76", "DRESDEFF265"] });
  assert.equal(dresdner("26580070", "732502200"), "26580070/0732502200 DRESDEFF265");
});

test("rule 0005 takes a number as it is where the method is 09, in a refused range too", () => {
  const account = accountByRule("0005", {
    "10089260": ["09", "DRESDEFFI14"],
    "87080000": ["09", "DRESDEFF870"],
  });
  assert.equal(account("10089260", "999189064"), "10089260/0999189064 DRESDEFFI14");
  assert.equal(account("87080000", "998000000"), "87080000/0998000000 DRESDEFF870");
});

test("rule 0005 refuses 998000000 to 999499999 at the bank codes of its list", () => {
  const facts = { "12080000": ["76", "DRESDEFF120"], "10080000": ["76", "DRESDEFF100"] } as const;
  const account = accountByRule("0005", facts);
  assert.equal(account("12080000", "998761700"), "not_convertible");
  assert.equal(account("10080000", "998761700"), "10080000/0998761700 DRESDEFF100");
  assert.deepEqual(
    ["997999999", "998000000", "999499999", "999500000"].map((kontonummer) =>
      account("12080000", kontonummer),
    ),
    ["check_digit", "not_convertible", "not_convertible", "check_digit"],
  );
});

test("rule 0005 replaces donation accounts per bank code", () => {
  const account = accountByRule("0005", {
    "37080040": ["76", "DRESDEFF370"],
    "38040007": ["13", "COBADEFFXXX"],
    "70040041": ["13", "COBADEFFXXX"],
  });
  assert.equal(account("37080040", "55555"), "37080040/0263602501 DRESDEFF370");
  assert.equal(account("38040007", "55555"), "38040007/0305555500 COBADEFFXXX");
  assert.equal(account("70040041", "400500500"), "70040041/0400500500 COBADEFFXXX");
  assert.equal(account("70040041", "94"), "70040041/0212808000 COBADEFFXXX");
});

test("rules 0005 and 0020 take donation accounts without asking the method", () => {
  assert.equal(
    accountByRule("0005", { "37080040": ["54", null] })("37080040", "111"),
    "37080040/0215022000 null",
  );
  assert.equal(
    accountByRule("0020", { "50070010": ["54", null] })("50070010", "9999"),
    "50070010/0092777202 null",
  );
});

test("rule 0005 with method 13 always extends six and seven digits, and no others", () => {
  const account = accountByRule("0005", { "23040022": ["13", "COBADEFFXXX"] });
  assert.equal(account("23040022", "101337"), "23040022/0010133700 COBADEFFXXX");
  assert.equal(account("23040022", "4217386"), "23040022/0421738600 COBADEFFXXX");
  assert.equal(account("23040022", "104417"), "check_digit");
  assert.equal(account("23040022", "10503101"), "23040022/0010503101 COBADEFFXXX");
  assert.equal(account("23040022", "111198700"), "check_digit");
  // 100801 would fit as given, 10009, 109 and 10000018 with 00 appended.
  for (const kontonummer of ["100801", "10009", "109", "10000018"]) {
    assert.equal(account("23040022", kontonummer), "check_digit", kontonummer);
  }
});

test("rule 0005 with method 76 prefers the number as given and extends it where only that fits", () => {
  const account = accountByRule("0005", { "50080000": ["76", "DRESDEFFXXX"] });
  assert.equal(account("50080000", "231654"), "50080000/0023165400 DRESDEFFXXX");
  assert.equal(account("50080000", "526400"), "check_digit");
  assert.equal(account("50080000", "4814706100"), "50080000/4814706100 DRESDEFFXXX");
  assert.equal(account("50080000", "1814706100"), "check_digit");
  assert.equal(account("50080000", "100000000"), "check_digit");
  assert.equal(account("50080000", "1000500"), "50080000/0001000500 DRESDEFFXXX", "both forms fit");
  assert.equal(account("50080000", "7325022"), "50080000/0732502200 DRESDEFFXXX");
});

test("rule 0005 refuses where the method is not known, since the result depends on it", () => {
  const account = accountByRule("0005", { "23040022": [null, "COBADEFFXXX"] });
  assert.equal(account("23040022", "101337"), "not_convertible");
});

test("rule 0005 tests a number by the bank's own method where that is another", () => {
  const account = accountByRule("0005", { "23040022": ["00", "COBADEFFXXX"] });
  assert.equal(account("23040022", "123406"), "23040022/0000123406 COBADEFFXXX");
  assert.equal(account("23040022", "123404"), "check_digit");
});

const deutscheBank = accountByRule("002002", {
  "50070010": ["63", "DEUTDEFFXXX"],
  "10020000": ["69", "BEBEDEBBXXX"],
});

test("rule 0020 refuses BLZ 10020000 and replaces one donation account", () => {
  assert.equal(deutscheBank("10020000", "38150900"), "not_convertible");
  assert.equal(deutscheBank("50070010", "9999"), "50070010/0092777202 DEUTDEFFXXX");
});

test("rule 0020 depends on the length of the account", () => {
  assert.equal(deutscheBank("50070010", "1000300004"), "invalid_account");
  assert.equal(deutscheBank("50070010", "1"), "not_convertible");
  assert.equal(deutscheBank("50070010", "500"), "not_convertible");
  assert.equal(deutscheBank("50070010", "18713"), "50070010/0001871300 DEUTDEFFXXX");
  assert.equal(deutscheBank("50070010", "804021"), "50070010/0080402100 DEUTDEFFXXX");
  assert.equal(deutscheBank("50070010", "527809"), "check_digit");
  assert.equal(deutscheBank("50070010", "38150900"), "50070010/0038150900 DEUTDEFFXXX");
  assert.equal(deutscheBank("50070010", "600103660"), "50070010/0600103660 DEUTDEFFXXX");
  assert.equal(deutscheBank("50070010", "123456700"), "check_digit");
});

test("rule 0020 prefers the extended seven-digit number to the one as given", () => {
  assert.equal(deutscheBank("50070010", "3500022"), "50070010/0350002200 DEUTDEFFXXX");
  assert.equal(deutscheBank("50070010", "6723143"), "50070010/0006723143 DEUTDEFFXXX");
  assert.equal(deutscheBank("50070010", "1000900"), "50070010/0100090000 DEUTDEFFXXX", "both forms fit");
});

test("rule 0020 does not use five or six digits that fit as given only", () => {
  assert.equal(deutscheBank("50070010", "10901"), "check_digit");
  assert.equal(deutscheBank("50070010", "100801"), "check_digit");
});

test("rule 0020 never extends eight or nine digits", () => {
  // 10000000 would fit with 00 appended.
  assert.equal(deutscheBank("50070010", "10000000"), "check_digit");
  assert.equal(deutscheBank("50070010", "100000001"), "check_digit");
});

test("rule 0020 tests eight and nine digits by method 63 also where the bank's own is another", () => {
  const account = accountByRule("0020", { "50070010": ["00", "DEUTDEFFXXX"] });
  assert.equal(account("50070010", "600103660"), "50070010/0600103660 DEUTDEFFXXX");
});

test("rule 0020 takes a number as it is where the method is 09", () => {
  const account = accountByRule("0020", { "50070011": ["09", "DEUTDEFFXXX"] });
  assert.equal(account("50070011", "1"), "50070011/0000000001 DEUTDEFFXXX");
});

test("rule 0020 at Norisbank refuses what fits only the part of method 06", () => {
  const account = accountByRule("0020", { "76026000": ["C7", "NORSDE71XXX"] });
  assert.equal(account("76026000", "94012341"), "not_convertible");
  assert.equal(account("76026000", "5073321010"), "not_convertible");
  assert.equal(account("76026000", "987614325"), "check_digit");
  assert.equal(account("76026000", "1234517892"), "check_digit");
  assert.equal(account("76026000", "18713"), "76026000/0001871300 NORSDE71XXX");
});

test("rule 0020 refuses where the method is not known, since the result depends on it", () => {
  assert.equal(
    accountByRule("0020", { "50070010": [null, null] })("50070010", "38150900"),
    "not_convertible",
  );
});
