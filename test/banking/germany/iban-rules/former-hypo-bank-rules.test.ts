import assert from "node:assert/strict";
import { test } from "node:test";
import { accountByRule } from "./account-by-rule.ts";

const branches = {
  "76220073": ["99", "HYVEDEMM419"],
  "70020270": ["95", "HYVEDEMMXXX"],
  "54520194": ["99", "HYVEDEMM483"],
  "60020290": ["99", "HYVEDEMM473"],
  "78020070": ["99", "HYVEDEMM424"],
  "79020076": ["99", "HYVEDEMM455"],
  "74320073": ["99", "HYVEDEMM433"],
  "10020890": ["99", "HYVEDEMM488"],
  "70020001": ["95", null],
} as const;

test("rule 0031 takes ten digits only and finds the branch by the first three", () => {
  const account = accountByRule("0031", branches);
  assert.equal(account("70020001", "1210100047"), "76220073/1210100047 HYVEDEMM419");
  assert.equal(account("70020001", "6790149813"), "54520194/6790149813 HYVEDEMM483");
  assert.equal(account("70020001", "6791000000"), "check_digit");
  assert.equal(account("70020001", "6364853"), "not_convertible");
});

test("rule 0032 keeps shorter accounts, refuses 800000000 to 899999999 and finds the branch of ten digits", () => {
  const account = accountByRule("0032", branches);
  assert.equal(account("10020890", "4220053305"), "70020270/4220053305 HYVEDEMMXXX");
  assert.equal(account("76220073", "1210100047"), "76220073/1210100047 HYVEDEMM419");
  assert.equal(account("10020890", "5738164"), "10020890/0005738164 HYVEDEMM488");
  assert.equal(account("10020890", "897"), "check_digit");
  assert.equal(account("10020890", "891184085"), "not_convertible");
  assert.equal(account("10020890", "5772983087"), "invalid_account");
});

test("rule 0033 replaces donation accounts without a check and does not refuse 800000000 to 899999999", () => {
  const account = accountByRule("0033", branches);
  assert.equal(account("70020270", "22222"), "70020270/5803435253 HYVEDEMMXXX");
  assert.equal(account("70020270", "55555"), "70020270/5801800000 HYVEDEMMXXX");
  assert.equal(account("70020270", "847321750"), "70020270/0847321750 HYVEDEMMXXX");
  assert.equal(account("70020270", "52366737"), "check_digit");
  assert.equal(account("70020270", "2980972367"), "invalid_account");
});

test("rule 0034 replaces donation accounts, refuses 800000000 to 899999999 and finds the branch of ten digits", () => {
  const account = accountByRule("0034", branches);
  assert.equal(account("60020290", "502"), "60020290/4340118001 HYVEDEMM473");
  assert.equal(account("60020290", "500500500"), "60020290/4340111112 HYVEDEMM473");
  assert.equal(account("60020290", "847321750"), "not_convertible");
  assert.equal(account("60020290", "1270590604"), "78020070/1270590604 HYVEDEMM424");
  assert.equal(account("60020290", "5951950"), "60020290/0005951950 HYVEDEMM473");
  assert.equal(account("60020290", "90707798"), "check_digit");
});

test("rule 0035 replaces one donation account, refuses 800000000 to 899999999 and finds the branch of ten digits", () => {
  const account = accountByRule("0035", branches);
  assert.equal(account("79020076", "9696"), "79020076/1490196966 HYVEDEMM455");
  assert.equal(account("79020076", "847321750"), "not_convertible");
  assert.equal(account("79020076", "1770077784"), "74320073/1770077784 HYVEDEMM433");
  assert.equal(account("79020076", "23255367"), "79020076/0023255367 HYVEDEMM455");
});

test("a branch without facts in the bank code file is an unknown bank", () => {
  assert.equal(
    accountByRule("0032", { "10020890": ["99", "HYVEDEMM488"] })("10020890", "4220053305"),
    "unknown_bank",
  );
});

test("rules 0031 to 0035 test the number by the method of the bank code given, too", () => {
  for (const rule of ["0031", "0032", "0033", "0034", "0035"]) {
    const account = accountByRule(rule, { ...branches, "10020890": ["00", "HYVEDEMM488"] });
    assert.equal(account("10020890", "1210100047"), "check_digit", rule);
    assert.equal(account("60020290", "1210100047"), "76220073/1210100047 HYVEDEMM419", rule);
  }
});

test("rules 0033 to 0035 take donation accounts without asking the method", () => {
  const donations = [
    ["0033", "70020270", "94", "0002711931"],
    ["0034", "60020290", "502", "4340118001"],
    ["0035", "79020076", "9696", "1490196966"],
  ] as const;
  for (const [rule, blz, from, to] of donations) {
    assert.equal(accountByRule(rule, { [blz]: ["54", null] })(blz, from), `${blz}/${to} null`);
  }
});
