import assert from "node:assert/strict";
import { test } from "node:test";
import { accountByRule } from "./account-by-rule.ts";

interface Replacing {
  readonly rule: string;
  readonly blz: string;
  readonly method: string;
  readonly replaced: Readonly<Record<string, string>>;
  /** A number that is right by the method and not in the rule's table. */
  readonly kept: string;
  readonly wrong: string;
}

// Published test cases and the first, last and odd rows of each table, written out here independently of data/.
const replacing: readonly Replacing[] = [
  {
    rule: "0004",
    blz: "10050000",
    method: "B8",
    replaced: { 135: "990021440", 484848: "920018963" },
    kept: "4925",
    wrong: "231042",
  },
  {
    rule: "0006",
    blz: "70150000",
    method: "00",
    replaced: { 1111111: "20228888", 70000: "18180018" },
    kept: "31567",
    wrong: "468497",
  },
  {
    rule: "0007",
    blz: "37050198",
    method: "00",
    replaced: { 111: "1115", 2602024: "5602024", 222220022: "2222222" },
    kept: "68981",
    wrong: "377367",
  },
  {
    rule: "0011",
    blz: "32050000",
    method: "00",
    replaced: { 1000: "8010001", 47800: "47803" },
    kept: "65574154",
    wrong: "90453493",
  },
  {
    rule: "0015",
    blz: "37060193",
    method: "06",
    replaced: { 94: "3008888018", 556: "101010", 400569017: "4000569017" },
    kept: "6294685",
    wrong: "919372736",
  },
  {
    rule: "0016",
    blz: "37160087",
    method: "06",
    replaced: { 300000: "18128012" },
    kept: "7579",
    wrong: "25175186",
  },
  {
    rule: "0017",
    blz: "38060186",
    method: "06",
    replaced: { 100: "2009090013", 50005000: "5000500013" },
    kept: "272",
    wrong: "273",
  },
  {
    rule: "0018",
    blz: "39060180",
    method: "06",
    replaced: { 556: "120440110", 5435435430: "543543543", 202050: "1221864014" },
    kept: "1600",
    wrong: "886535361",
  },
  {
    rule: "0022",
    blz: "43060967",
    method: "34",
    replaced: { 1111111: "2222200000" },
    kept: "18",
    wrong: "410",
  },
  {
    rule: "0023",
    blz: "26590025",
    method: "28",
    replaced: { 700: "1000700800" },
    kept: "7876",
    wrong: "18014084",
  },
  {
    rule: "0024",
    blz: "36060295",
    method: "06",
    replaced: { 94: "1694", 400: "14400" },
    kept: "3190",
    wrong: "2586",
  },
  { rule: "0044", blz: "68050101", method: "01", replaced: { 202: "2282022" }, kept: "3533", wrong: "94217" },
  {
    rule: "0051",
    blz: "60050101",
    method: "01",
    replaced: { 333: "7832500881", 502502502: "1108884" },
    kept: "3124897",
    wrong: "465897",
  },
  {
    rule: "0054",
    blz: "21060237",
    method: "33",
    replaced: { 500: "500500", 10796740: "10796743", 2210531180: "201053180" },
    kept: "4413",
    wrong: "829857",
  },
];

for (const { rule, blz, method, replaced, kept, wrong } of replacing) {
  test(`rule ${rule} replaces its donation accounts, keeps other numbers and tests their check digit`, () => {
    const account = accountByRule(rule, { [blz]: [method, "BANKDEFFXXX"] });
    for (const [from, to] of Object.entries(replaced)) {
      assert.equal(account(blz, from), `${blz}/${to.padStart(10, "0")} BANKDEFFXXX`, from);
      assert.equal(account(blz, from.padStart(10, "0")), account(blz, from), `${from} with leading zeros`);
    }
    assert.equal(account(blz, kept), `${blz}/${kept.padStart(10, "0")} BANKDEFFXXX`);
    assert.equal(account(blz, wrong), "check_digit");
  });
}

test("rule 0054 takes the numbers of its list without a check digit", () => {
  const account = accountByRule("0054", { "21060237": ["33", "GENODEF1EDG"] });
  assert.equal(account("21060237", "624044"), "21060237/0000624044 GENODEF1EDG");
  assert.equal(account("21060237", "300143869"), "21060237/0300143869 GENODEF1EDG");
  assert.equal(account("21060237", "624045"), "check_digit");
});

const unchecked = [
  { rule: "0026", blz: "35060190", method: "06", listed: ["55111", "8090100"], kept: "8850", wrong: "3333" },
  { rule: "0027", blz: "32060362", method: "06", listed: ["3333", "4444"], kept: "9822", wrong: "52249488" },
  {
    rule: "0030",
    blz: "13091054",
    method: "32",
    listed: ["1718190", "9999999999"],
    kept: "7919",
    wrong: "42630306",
  },
];

for (const { rule, blz, method, listed, kept, wrong } of unchecked) {
  test(`rule ${rule} takes its listed numbers without a check digit, and no others`, () => {
    const account = accountByRule(rule, { [blz]: [method, "BANKDEFFXXX"] });
    for (const kontonummer of [...listed, kept]) {
      assert.equal(account(blz, kontonummer), `${blz}/${kontonummer.padStart(10, "0")} BANKDEFFXXX`);
    }
    assert.equal(account(blz, wrong), "check_digit");
  });
}
