import assert from "node:assert/strict";
import { test } from "node:test";
import { accountByRule } from "./account-by-rule.ts";

test("rule 0000 keeps the account and tests its check digit", () => {
  const account = accountByRule("000000", {
    "41661719": ["34", "GENODEM1BRI"],
    "30010700": ["09", "BOTKDEDXXXX"],
  });
  assert.equal(account("30010700", "654321"), "30010700/0000654321 BOTKDEDXXXX");
  assert.equal(account("41661719", "8540151424"), "check_digit");
});

test("rule 0001 generates no IBAN", () => {
  assert.equal(
    accountByRule("000100", { "50040033": ["09", "COBADEF1BRS"] })("50040033", "930125007"),
    "not_convertible",
  );
});

test("rule 0002 refuses digit 8 = 6 and digits 8 to 9 = 86", () => {
  const account = accountByRule("0002", { "72020700": ["23", "AUGBDE77XXX"] });
  assert.equal(account("72020700", "785"), "72020700/0000000785 AUGBDE77XXX");
  assert.equal(account("72020700", "867"), "not_convertible");
  assert.equal(account("72020700", "8258775680"), "not_convertible");
  assert.equal(account("72020700", "6464"), "check_digit");
  assert.equal(accountByRule("0002", { "72020700": ["09", null] })("72020700", "687"), "not_convertible");
  assert.equal(
    accountByRule("0002", { "72020700": ["09", null] })("72020700", "876"),
    "72020700/0000000876 null",
  );
});

test("rule 0003 refuses account 6161604670 only", () => {
  const account = accountByRule("0003", { "51010800": ["09", "AARBDE5W108"] });
  assert.equal(account("51010800", "6161604670"), "not_convertible");
  assert.equal(account("51010800", "6161604671"), "51010800/6161604671 AARBDE5W108");
});

test("rule 0029 removes the fourth of ten digits where it is 0", () => {
  const account = accountByRule("0029", { "51210800": ["09", "SOGEDEFFXXX"] });
  assert.equal(account("51210800", "2600123456"), "51210800/0260123456 SOGEDEFFXXX");
  assert.equal(account("51210800", "1410123456"), "51210800/0141123456 SOGEDEFFXXX");
  assert.equal(account("51210800", "1411123456"), "51210800/1411123456 SOGEDEFFXXX");
  assert.equal(account("51210800", "260023456"), "51210800/0260023456 SOGEDEFFXXX");
});

test("rule 0036 takes what passes method C5 outside its refused ranges, appends 000 to six digits and moves to 21050000", () => {
  const facts = { "20050000": ["C5", "HSHNDEHH200"], "21050000": ["C5", "HSHNDEHHXXX"] } as const;
  const account = accountByRule("0036", facts);
  assert.equal(account("20050000", "101105"), "21050000/0101105000 HSHNDEHHXXX");
  assert.equal(account("21050000", "899906"), "21050000/0899906000 HSHNDEHHXXX");
  assert.equal(account("20050000", "30000025"), "21050000/0030000025 HSHNDEHHXXX");
  assert.equal(account("20050000", "1100001928"), "21050000/1100001928 HSHNDEHHXXX");
  assert.equal(account("21050000", "4523802306"), "check_digit");
  assert.equal(account("21050000", "3435"), "check_digit");
});

test("rule 0042 takes the account ranges of the Bundesbank only", () => {
  const account = accountByRule("004200", { "15000000": ["09", "MARKDEF1150"] });
  const taken = (kontonummer: string) => account("15000000", kontonummer) !== "not_convertible";
  for (const kontonummer of [
    "10001000",
    "10009999",
    "99901000",
    "50462000",
    "50463999",
    "50469000",
    "50469999",
    "1114400001",
    "9994499999",
  ])
    assert.ok(taken(kontonummer), kontonummer);
  for (const kontonummer of [
    "10000999",
    "10010000",
    "99900000",
    "50461999",
    "50464000",
    "50468999",
    "50470000",
    "1114400000",
    "1114300001",
    "1115400001",
    "1",
    "1234567",
    "504602946",
    "551798174",
  ])
    assert.ok(!taken(kontonummer), kontonummer);
  assert.equal(account("15000000", "10002965"), "15000000/0010002965 MARKDEF1150");
});

test("rule 0045 returns ESSEDE5FXXX for BLZ 50210130 to 50210189 and 50510120 to 50510180", () => {
  const bics = [
    "50210129",
    "50210130",
    "50210189",
    "50210190",
    "50510119",
    "50510120",
    "50510180",
    "50510181",
  ].map((blz) => accountByRule("0045", { [blz]: ["09", "FILEDEFFXXX"] })(blz, "5013").split(" ")[1]);
  const [file, seb] = ["FILEDEFFXXX", "ESSEDE5FXXX"];
  assert.deepEqual(bics, [file, seb, seb, file, file, seb, seb, file]);
  assert.equal(
    accountByRule("0045", { "50210189": ["21", "ESSEDE5FXXX"] })("50210189", "4905"),
    "check_digit",
  );
});

test("rule 0047 appends 00 to eight digits", () => {
  const account = accountByRule("0047", { "20133300": ["09", "SCFBDE33XXX"] });
  assert.equal(account("20133300", "65339513"), "20133300/6533951300 SCFBDE33XXX");
  assert.equal(account("20133300", "9118336427"), "20133300/9118336427 SCFBDE33XXX");
  assert.equal(account("20133300", "6533951"), "20133300/0006533951 SCFBDE33XXX");
});

test("rule 0049 moves the first four digits behind the last where the fifth is 9, without a check digit", () => {
  const account = accountByRule("0049", { "30060010": ["44", "GENODEDDXXX"] });
  assert.equal(account("30060010", "1991182"), "30060010/9911820001 GENODEDDXXX");
  assert.equal(account("30060010", "63906064"), "30060010/9060640063 GENODEDDXXX");
  assert.equal(account("30060010", "71749"), "30060010/0000071749 GENODEDDXXX");
  assert.equal(account("30060010", "619"), "check_digit");
  // Version 00 replaced 36 by 2310113; version 01, the one applied, tests it as it is.
  assert.equal(account("30060010", "36"), "check_digit");
});

test("rule 0052 takes its ten combinations of BLZ and account to 60050101 and refuses all others", () => {
  const account = accountByRule("0052", {
    "67220020": ["65", "SOLADEST672"],
    "69220020": ["65", "SOLADEST692"],
    "60050101": ["01", "FILEDEFFXXX"],
  });
  assert.equal(account("67220020", "5308810004"), "60050101/0002662604 SOLADEST600");
  assert.equal(account("69220020", "6402145400"), "60050101/7485500252 SOLADEST600");
  assert.equal(account("69220020", "5308810004"), "not_convertible");
  assert.equal(account("67220020", "42212"), "not_convertible");
});

test("rule 0053 takes its combinations of BLZ and account to 60050101 and keeps all others", () => {
  const account = accountByRule("0053", {
    "55050000": ["59", "SOLADEST550"],
    "86050000": ["09", "SOLADEST861"],
    "60050101": ["01", "FILEDEFFXXX"],
  });
  assert.equal(account("55050000", "35000"), "60050101/7401555913 SOLADEST600");
  assert.equal(account("86050000", "4394"), "60050101/7461505714 SOLADEST600");
  assert.equal(account("86050000", "35000"), "86050000/0000035000 SOLADEST861");
  assert.equal(account("55050000", "333794083"), "check_digit");
});

test("rule 0056 takes donation accounts to their branch and asks ten digits at the bank codes of its list", () => {
  const account = accountByRule("0056", {
    "37010111": ["13", "ESSEDE5F370"],
    "38010111": ["13", "ESSEDE5F380"],
    "60010111": ["13", "ESSEDE5F600"],
    "20030300": ["09", "ESSEDEFFXXX"],
  });
  assert.equal(account("37010111", "36"), "38010111/1010240003 ESSEDE5F380");
  assert.equal(account("37010111", "202020"), "37010111/1213431002 ESSEDE5F370");
  assert.equal(account("20030300", "500500500"), "60010111/1045720000 ESSEDE5F600");
  assert.equal(account("37010111", "2651534003"), "37010111/2651534003 ESSEDE5F370");
  assert.equal(account("37010111", "638337680"), "invalid_account");
  assert.equal(account("37010111", "661"), "invalid_account");
  assert.equal(account("20030300", "661"), "20030300/0000000661 ESSEDEFFXXX");
});
